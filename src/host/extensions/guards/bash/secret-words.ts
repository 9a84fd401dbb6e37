import { type Finding, shown } from '../finding.js'
import { foldedSegments, foldName, hasSegments, realPathOf } from '../paths.js'
import { isEnvironmentFile, isSecretName, type SecretKind, secretKindOf } from '../secrets.js'
import { policyOf, type GuardWorld } from '../world.js'
import { wordList } from './arguments.js'
import { absolutePath, type Shell } from './context.js'
import { ANY, CLOSE, globPattern, isGlob, isUnknown, OPEN, STAR, unmarked, UNKNOWN } from './marks.js'

/** How a word is secret where it is taken as a path, or `undefined`. */
export function secretKindOfWord(word: string, shell: Shell): SecretKind | 'environment' | undefined {
  const path = absolutePath(word, shell)
  const { world } = shell.run
  if (path !== undefined && reachesEnvironment(path, world)) return 'environment'
  if (isGlob(word)) return globKind(word, path, world)
  if (isUnknown(word) || path === undefined) return unknownKind(word, world)
  return secretKindOf(path, world, shell.state.links)
}

/** Is this, or can it match, the kernel's copy of a process's environment? */
function reachesEnvironment(path: string, world: GuardWorld): boolean {
  if (!path.includes('proc')) return false
  if (isGlob(path)) {
    const pattern = globPattern(path.replace(/^\/+proc\/+\d+/, '/proc/1'))
    return ['/proc/self/environ', '/proc/1/environ', '/proc/12/task/12/environ'].some((file) => pattern.test(file))
  }
  const plain = path.replaceAll(UNKNOWN, '0')
  return isEnvironmentFile(plain) || isEnvironmentFile(realPathOf(plain, world.cwd))
}

/** Known segments are judged as they are: `$DIR/.env` is an environment file wherever `$DIR` is. */
function unknownKind(word: string, world: GuardWorld): SecretKind | undefined {
  const segments = foldedSegments(word)
  const name = segments.at(-1) ?? ''
  if (!isUnknown(name) && isSecretName(name)) return 'file'
  const fragments = policyOf(world)?.secretPathFragments ?? []
  const fragment = fragments.find((one) => hasSegments(segments, foldedSegments(one)))
  if (fragment === undefined || name.endsWith('.pub')) return undefined
  return segments.length > foldedSegments(fragment).length ? 'file' : 'folder'
}

/** Names a wildcard after a dot may mean, and places in the home folder it may reach. */
const DOT_NAMES = [
  '.env',
  '.env.local',
  '.env.production',
  '.envrc',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.pgpass',
  '.git-credentials',
]
const HOME_PLACES = wordList(`
    .ssh/id_rsa .ssh/id_ed25519 .ssh/config .aws/credentials .aws/config .gnupg/secring.gpg
    .docker/config.json .kube/config .config/gh/hosts.yml .pi/agent/auth.json .bash_history
  `)

/** Names of private keys, for a wildcard that begins like one. */
const KEY_NAMES = ['id_rsa', 'id_ed25519', 'id_ecdsa', 'id_dsa']

/** A wildcard that can match a secret's name and says so by a dot, a bracket or the name's own ending. */
function globKind(word: string, path: string | undefined, world: GuardWorld): SecretKind | undefined {
  const slash = word.lastIndexOf('/')
  const name = word.slice(slash + 1)
  const plain = name.replaceAll(STAR, 'x').replaceAll(ANY, 'x').replaceAll(OPEN, '').replaceAll(CLOSE, '')
  const bare = name.replaceAll(STAR, '').replaceAll(ANY, '')
  if (name !== STAR && (isSecretName(plain) || (bare[0] === name[0] && isSecretName(bare)))) return 'file'
  const folder = slash === -1 ? '' : word.slice(0, slash)
  if (folder !== '' && !isGlob(folder) && unknownKind(folder, world) !== undefined) return 'file'
  const dotted = name.startsWith('.') || name.startsWith(OPEN)
  if (dotted && isGlob(name)) {
    const pattern = globPattern(name)
    if (DOT_NAMES.some((one) => pattern.test(one))) return 'file'
  }
  if (name.startsWith('id') && KEY_NAMES.some((one) => globPattern(name).test(one))) return 'file'
  if (path === undefined || isUnknown(path)) return unknownKind(name, world)
  const pattern = globPattern(path)
  if (HOME_PLACES.some((place) => pattern.test(foldName(`${world.home}/${place}`)))) return 'file'
  return reachesSecretPlace(path, world) ? 'file' : undefined
}

/** Can a path with wildcards be a secret place of this world, or lie inside one? */
function reachesSecretPlace(path: string, world: GuardWorld): boolean {
  const segments = path.split('/')
  return world.secretPaths.some((place) => {
    const depth = place.split('/').length
    if (segments.length < depth) return false
    const head = segments.slice(0, depth).join('/')
    return isGlob(head) ? globPattern(head).test(foldName(place)) : secretKindOf(head, world) !== undefined
  })
}

/** Why a word must not be read or written as a path, or `undefined`. */
export function secretWordFinding(word: string, shell: Shell): Finding | undefined {
  return secretFinding(secretKindOfWord(word, shell), word)
}

/** A kind of secret as a finding. */
export function secretFinding(kind: SecretKind | 'environment' | undefined, word: string): Finding | undefined {
  if (kind === undefined) return undefined
  if (kind === 'environment') return environmentFinding(word)
  return {
    rule: 'secret-path',
    reason: `${shown(unmarked(word))} ${kind === 'folder' ? 'is a folder of' : 'holds'} credentials. Read a template such as .env.example, or test -f to see whether it is there.`,
  }
}

/** A word that names the kernel's copy of a process's environment, or a folder in which it is searched. */
export function environmentFinding(word: string): Finding {
  return {
    rule: 'environment-dump',
    reason: `${shown(unmarked(word))} is or holds the environment of a process, which holds keys. Ask for one variable by its name, for example printenv PATH.`,
  }
}
