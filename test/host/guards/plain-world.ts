import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { decideToolCall } from '../../../src/host/extensions/guards/decide.js'
import type { GuardDecision } from '../../../src/host/extensions/guards/finding.js'
import { createThreadWorld, type ThreadWorldOptions } from '../../../src/host/extensions/guards/thread-world.js'
import type { GuardWorld } from '../../../src/host/extensions/guards/world.js'
import { folderOutsideTmp } from '../../support/outside-tmp.js'

/** A machine of a test's own, outside the system's temporary folder: there every write would be let through. */
export interface PlainWorld {
  readonly root: string
  readonly world: GuardWorld
  ask(toolName: string, input: Readonly<Record<string, unknown>>): GuardDecision
  /** The rule that refuses a command, or `allowed`. */
  bash(command: string): string
}

/** Makes one; nobody is there to be asked unless `canAsk` says so. */
export function createPlainWorld(t: TestContext, options: Partial<ThreadWorldOptions> = {}): PlainWorld {
  const root = folderOutsideTmp('enso-guards')
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const [cwd, home, tempDir] = [join(root, 'srv/repo'), join(root, 'home/dev'), join(root, 'temp')]
  for (const folder of [cwd, home, tempDir]) mkdirSync(folder, { recursive: true })
  const ensoRoot = join(home, '.enso')
  const world = createThreadWorld({
    cwd,
    home,
    env: { HOME: home, PATH: '/usr/bin:/bin', OPENAI_API_KEY: 'planted' },
    ensoRoot,
    agentDir: join(ensoRoot, 'agent'),
    tempDir,
    canAsk: () => false,
    ...options,
  })
  const ask = (toolName: string, input: Readonly<Record<string, unknown>>): GuardDecision =>
    decideToolCall({ toolName, input }, world)
  return {
    root,
    world,
    ask,
    bash(command) {
      const decision = ask('bash', { command })
      return decision.kind === 'deny' ? decision.rule : 'allowed'
    },
  }
}
