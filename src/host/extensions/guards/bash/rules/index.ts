import { destroyedWorkRule } from './destroyed-work.js'
import { environmentDumpRule } from './environment-dump.js'
import { networkEgressRule } from './network-egress.js'
import { persistenceWriteRule } from './persistence-write.js'
import { protectedInternalsRule } from './protected-internals.js'
import type { BashRule } from './rule.js'
import { secretPathRule } from './secret-path.js'
import { writeConfinementRule } from './write-confinement.js'

/** The rules over single commands, in the order of `ENSO_GUARD_RULES`. */
export const BASH_RULES: readonly BashRule[] = [
  destroyedWorkRule,
  networkEgressRule,
  environmentDumpRule,
  secretPathRule,
  writeConfinementRule,
  protectedInternalsRule,
  persistenceWriteRule,
]
