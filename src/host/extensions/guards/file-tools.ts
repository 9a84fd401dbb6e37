import { lstatSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { globPattern, withGlobs } from './bash/marks.js'
import { type Finding, shown } from './finding.js'
import { installScriptFinding } from './package-scripts.js'
import { foldName, realPathOf, toolPath, toolReadPath } from './paths.js'
import { isEnvironmentFile, isSecretName, secretKindOf } from './secrets.js'
import type { GuardWorld } from './world.js'
import { confinementFinding, internalsFinding, persistenceFinding } from './write-rules.js'

type Input = Readonly<Record<string, unknown>>

/** A tool's path as it will open it, absolute. */
export function openedPath(raw: string, world: GuardWorld): string {
  const path = toolPath(raw, world.cwd, world.home)
  return isAbsolute(path) ? path : `${world.cwd}/${path}`
}

/** Why a file or folder must not be read by a tool. */
export function readFinding(path: string, world: GuardWorld): Finding | undefined {
  const real = realPathOf(path, world.cwd)
  if (isEnvironmentFile(path) || isEnvironmentFile(real)) {
    return {
      rule: 'secret-read',
      reason: `${shown(path)} is the environment of a process, which may hold keys. Ask for one variable by its name in a command, for example printenv PATH.`,
    }
  }
  const kind = secretKindOf(path, world)
  if (kind === undefined) return undefined
  return {
    rule: 'secret-read',
    reason: `${shown(path)} ${kind === 'folder' ? 'is a folder of' : 'holds'} credentials. Read a template such as .env.example instead; the person knows the values.`,
  }
}

/** May a tool show what is in this file? For searches that open files themselves. */
export const mayRead = (path: string, world: GuardWorld): boolean => readFinding(path, world) === undefined

/** The `read` tool. */
export function judgeRead(input: Input, world: GuardWorld): readonly (Finding | undefined)[] {
  const raw = pathOf(input)
  return raw === undefined
    ? []
    : [readFinding(toolReadPath(raw, world.cwd, world.home), world), readFinding(openedPath(raw, world), world)]
}

/** `grep`, `find` and `ls`: the place they look at, and for `grep` the files its glob names. */
export function judgeSearch(toolName: string, input: Input, world: GuardWorld): readonly (Finding | undefined)[] {
  const place = openedPath(pathOf(input) ?? '.', world)
  const findings = [readFinding(place, world)]
  const { glob } = input
  if (toolName === 'grep' && typeof glob === 'string') {
    const inside = openedPath(`${place}/${glob}`, world)
    if (namesSecret(glob) || isEnvironmentFile(realPathOf(inside, world.cwd)) || isEnvironmentFile(inside)) {
      findings.push({
        rule: 'secret-read',
        reason: `the glob ${shown(glob)} asks for files that hold credentials. Search the other files, or a template such as .env.example.`,
      })
    }
  }
  return findings
}

/** Names a glob may be about; a glob as wide as `*` is answered with those files left out. */
const SECRET_SAMPLES = [
  '.env',
  '.env.local',
  '.env.production',
  '.envrc',
  '.netrc',
  '.npmrc',
  '.git-credentials',
  'id_rsa',
  'id_ed25519',
  'key.pem',
]

function namesSecret(glob: string): boolean {
  const name = glob.slice(glob.lastIndexOf('/') + 1)
  if (glob.startsWith('!') || !/[^*?.]/.test(name)) return false
  if (isSecretName(name.replace(/[*?[\]{}]/g, '')) || isSecretName(name.replace(/[*?]/g, 'x'))) return true
  if (!/[*?[{]/.test(name)) return false
  const pattern = globPattern(withGlobs(foldName(name)))
  return SECRET_SAMPLES.some((sample) => pattern.test(sample))
}

/**
 * The `write` and `edit` tools, on the file that is really opened. A stream is none: by `/dev/stdout`, `/dev/tty` or
 * `/proc/self/fd` a tool would write into the harness's own output, and into the files that it has open.
 */
export function judgeWrite(toolName: string, input: Input, world: GuardWorld): readonly (Finding | undefined)[] {
  const raw = pathOf(input)
  if (raw === undefined) return []
  const path = openedPath(raw, world)
  const real = realPathOf(path, world.cwd)
  return [
    ...(path === '/dev/null' ? [] : [...pathFindings(path, real, world), endlessFinding(path, real)]),
    installScriptFinding(real, writtenText(input), world),
    freshnessFinding(toolName, path, real, input, world),
  ]
}

function pathFindings(path: string, real: string, world: GuardWorld): (Finding | undefined)[] {
  const kind = secretKindOf(path, world)
  return [
    confinementFinding(path, real, world),
    internalsFinding(path, real, world),
    persistenceFinding(path) ?? persistenceFinding(real),
    kind === undefined
      ? undefined
      : {
          rule: 'secret-write',
          reason: `${shown(path)} holds credentials and is not written by a tool. Write a template such as .env.example; the person fills in the values.`,
        },
  ]
}

/** A pipe holds up whoever opens it until somebody reads, a device is the machine's. */
function endlessFinding(path: string, real: string): Finding | undefined {
  const stat = lstatSync(real, { throwIfNoEntry: false })
  if (stat === undefined || stat.isFile() || stat.isDirectory() || stat.isSymbolicLink()) return undefined
  return {
    rule: 'write-confinement',
    reason: `${shown(path)} is a pipe or a device and not a file. Write an ordinary file instead.`,
  }
}

/** A file that exists is read before it is replaced, and again when it changed since. */
function freshnessFinding(
  toolName: string,
  path: string,
  real: string,
  input: Input,
  world: GuardWorld,
): Finding | undefined {
  const state = world.freshness.stateOf(real)
  if (state === 'unseen') {
    return {
      rule: 'read-before-write',
      reason: `${shown(path)} exists and was not read in this thread. Read it first, then ${toolName === 'edit' ? 'edit' : 'write'} it.`,
    }
  }
  if (state !== 'changed') return undefined
  if (toolName === 'edit' && world.freshness.stillFits(real, oldTexts(input))) return undefined
  return {
    rule: 'stale-write',
    reason: `${shown(path)} changed on the disk since it was read. Read it again, then ${toolName === 'edit' ? 'edit' : 'write'} it.`,
  }
}

function pathOf(input: Input): string | undefined {
  const path = input['path'] ?? input['file_path']
  return typeof path === 'string' ? path : undefined
}

function edits(input: Input): readonly Input[] {
  const list = input['edits']
  return Array.isArray(list) ? list.filter((edit): edit is Input => typeof edit === 'object' && edit !== null) : []
}

function texts(input: Input, key: string): string[] {
  return [input, ...edits(input)].flatMap((edit) => (typeof edit[key] === 'string' ? [edit[key]] : []))
}

const oldTexts = (input: Input): readonly string[] => texts(input, 'oldText')

const writtenText = (input: Input): string => [...texts(input, 'content'), ...texts(input, 'newText')].join('\n')
