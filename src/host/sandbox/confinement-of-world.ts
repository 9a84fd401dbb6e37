import {
  ENSO_CONFIG_FILENAME,
  ENSO_PERSISTENCE_WRITE_DIRECTORIES,
  PERSISTENCE_WRITE_BASENAMES,
  PERSISTENCE_WRITE_DIRECTORIES,
} from '../../core/index.js'
import { isSecretName } from '../extensions/guards/secrets.js'
import { policyOf, type GuardWorld } from '../extensions/guards/world.js'
import type { Confinement } from './confinement.js'

const PROTECTED_NAMES = [
  ENSO_CONFIG_FILENAME,
  ...PERSISTENCE_WRITE_DIRECTORIES,
  ...ENSO_PERSISTENCE_WRITE_DIRECTORIES,
  ...PERSISTENCE_WRITE_BASENAMES,
]

/** What the guards refuse by rule, as the operating system is to refuse it: the same roots, secrets and settings. */
export function confinementOf(world: GuardWorld): Confinement {
  return {
    // Without a policy that can be trusted nothing is writable.
    writeRoots: [...new Set([...(policyOf(world)?.writeRoots ?? []), ...world.tempDirs])],
    home: world.home,
    hiddenFolders: world.secretPaths,
    hiddenFiles: world.secretPaths,
    protectedNames: PROTECTED_NAMES,
    isSecretName,
  }
}
