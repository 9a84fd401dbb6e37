import { accessSync, constants, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFreshness } from '../../src/host/extensions/guards/freshness.js'
import { parseGuardPolicy, readGuardPolicy } from '../../src/host/extensions/guards/policy.js'
import { createSafetyNet } from '../../src/host/extensions/guards/safety-net.js'
import type { GuardWorld } from '../../src/host/extensions/guards/world.js'
import type { CorpusCase } from './cases.js'

/** A case's machine in a temporary folder: its absolute folders are mapped below it. */
export interface CaseWorld {
  readonly world: GuardWorld
  /** A text or value of the case as it is in this world. */
  mapped<T>(value: T): T
  remove(): void
}

/**
 * Below the system's temporary folder everything would be writable by the default policy, and the checker of
 * destructive commands lets it be deleted; so another place is taken where there is one.
 */
function baseFolder(): string {
  for (const folder of ['/dev/shm', tmpdir()]) {
    try {
      accessSync(folder, constants.W_OK)
      return folder
    } catch {
      // The next one.
    }
  }
  return tmpdir()
}

/** Makes the world of one case, before its setup steps. */
export function createCaseWorld(item: CorpusCase, attended: boolean): CaseWorld {
  const root = realpathSync(mkdtempSync(join(baseFolder(), 'enso-corpus-')))
  const { cwd: givenCwd = '/srv/repo', home: givenHome = '/home/dev' } = item
  // The checker of destructive commands knows the system's temporary folder by name, so it stays where it is unless
  // the case puts something there.
  const usesTemp = /"\/tmp\//.test(JSON.stringify(item.setup ?? []))
  const tops = [
    ...new Set([givenCwd, givenHome, ...(usesTemp ? ['/tmp/x'] : [])].map((path) => path.split('/')[1] ?? '')),
  ]
  const absolute = new RegExp(`(?<![\\w/.~-])/(${tops.join('|')})(?![\\w.-])`, 'g')
  const mapText = (text: string): string => text.replace(absolute, (whole) => root + whole)
  const mapped = <T>(value: T): T => mapValue(value, mapText) as T

  const cwd = mapText(givenCwd)
  const home = mapText(givenHome)
  const tmpDir = mapText('/tmp')
  const policyHome = join(root, 'harness')
  for (const folder of [cwd, home, tmpDir, policyHome]) mkdirSync(folder, { recursive: true })
  const world: GuardWorld = {
    cwd,
    home,
    env: {
      HOME: home,
      PATH: '/usr/local/bin:/usr/bin:/bin',
      TMPDIR: tmpDir,
      USER: 'dev',
      SHELL: '/bin/bash',
      LANG: 'C.UTF-8',
    },
    policy: policyOfCase(item, cwd, home, tmpDir, mapped),
    tempDirs: [tmpDir],
    protectedPaths: [policyHome],
    secretPaths: [],
    attended: () => attended,
    safetyNet: createSafetyNet({ cwd, home, tmpDir, policyHome }),
    freshness: createFreshness(),
  }
  return { world, mapped, remove: () => rmSync(root, { recursive: true, force: true }) }
}

function policyOfCase(
  item: CorpusCase,
  cwd: string,
  home: string,
  tmpDir: string,
  mapped: <T>(value: T) => T,
): GuardWorld['policy'] {
  if (item.policy !== undefined) return readGuardPolicy(mapped(item.policy), cwd, home)
  if (typeof item.policyText === 'string') return parseGuardPolicy(mapped(item.policyText), cwd, home)
  return readGuardPolicy({ writeRoots: [cwd, tmpDir] }, cwd, home)
}

function mapValue(value: unknown, mapText: (text: string) => string): unknown {
  if (typeof value === 'string') return mapText(value)
  if (Array.isArray(value)) return value.map((item) => mapValue(item, mapText))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapValue(item, mapText)]))
}
