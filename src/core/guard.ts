import { type Static, Type } from '@sinclair/typebox'
import { closed } from './schema.js'
import { SECRET_PATH_FRAGMENTS } from './secret-places.js'

export {
  ENSO_PERSISTENCE_WRITE_DIRECTORIES,
  PERSISTENCE_WRITE_BASENAMES,
  PERSISTENCE_WRITE_DIRECTORIES,
  SECRET_BASENAME_PATTERNS,
  SECRET_TEMPLATE_SUFFIXES,
} from './guard-paths.js'

const words = Type.Array(Type.String({ minLength: 1 }))

/** What the guards refuse and where they let a thread write. All of it is in force in every permission mode. */
export const GuardPolicy = closed({
  /** Seconds a shell command may run that names no bound itself. */
  defaultBashTimeoutSeconds: Type.Number({ exclusiveMinimum: 0 }),
  /** Programs that carry data off the machine, by name; a local use (`--version`, loopback) stays allowed. */
  deniedNetworkBinaries: words,
  /** Parts of a path nothing may write under, whole segments: `/.git/`. */
  protectedWriteFragments: words,
  /** Parts of a path whose files are secret, whole segments: `/.ssh/`. A leading `~` ties one to the home folder. */
  secretPathFragments: words,
  /** Folders that may be written, absolute, `~/…`, or relative to the workspace; `.` is the workspace itself. */
  writeRoots: words,
})
export type GuardPolicy = Static<typeof GuardPolicy>

/**
 * The rules a denial names, in the order in which the first that refuses is the one named.
 *
 * A reason is prose for the model; the rule is the word that statistics count by.
 */
export const ENSO_GUARD_RULES = [
  'policy-mismatch',
  'cc-safety-net',
  'network-egress',
  'environment-dump',
  'secret-path',
  'write-confinement',
  'protected-internals',
  'persistence-write',
  'secret-write',
  'stale-write',
  'read-before-write',
  'secret-read',
] as const

/** One of `ENSO_GUARD_RULES`. */
export type EnsoGuardRule = (typeof ENSO_GUARD_RULES)[number]

/** Is this one of the rules? For what comes from a file. */
export function isEnsoGuardRule(value: unknown): value is EnsoGuardRule {
  return typeof value === 'string' && (ENSO_GUARD_RULES as readonly string[]).includes(value)
}

/**
 * The custom type of the session entry that the guards append for a refused call.
 *
 * The agent library stores a refusal as an ordinary failed tool result; the entry is what still says, after a reload,
 * that policy refused it. It never reaches the model.
 */
export const ENSO_GUARD_DENIAL_ENTRY = 'enso-guard-denial'

/** The metadata key under which a stored tool result carries its refusal. */
export const ENSO_GUARD_DENIAL_KEY = 'enso:guardDenial'

/** A refusal as data: the call and the rule. Its reason is the tool result's text and is not repeated. */
export const EnsoGuardDenial = closed({
  rule: Type.Unsafe<EnsoGuardRule>(Type.Union(ENSO_GUARD_RULES.map((rule) => Type.Literal(rule)))),
  toolCallId: Type.String(),
})
export type EnsoGuardDenial = Static<typeof EnsoGuardDenial>

/** The refusal a session entry records, or `undefined` for another extension's entry or a malformed one. */
export function readEnsoGuardDenial(customType: string, data: unknown): EnsoGuardDenial | undefined {
  return customType === ENSO_GUARD_DENIAL_ENTRY ? denialOf(data) : undefined
}

/** The refusal a tool result's metadata carries, or `undefined`. */
export function readEnsoGuardDenialMetadata(
  metadata: Record<string, unknown> | undefined,
): EnsoGuardDenial | undefined {
  return metadata !== undefined && Object.hasOwn(metadata, ENSO_GUARD_DENIAL_KEY)
    ? denialOf(metadata[ENSO_GUARD_DENIAL_KEY])
    : undefined
}

function denialOf(data: unknown): EnsoGuardDenial | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { rule, toolCallId } = data as Record<string, unknown>
  return isEnsoGuardRule(rule) && typeof toolCallId === 'string' ? { rule, toolCallId } : undefined
}

const wordList = (text: string): string[] => text.trim().split(/\s+/)

/**
 * The defaults: writes stay in the workspace and the temporary folder, credentials are not read, nothing is sent off
 * the machine but through the tools made for it.
 */
export const DEFAULT_GUARD_POLICY: GuardPolicy = {
  defaultBashTimeoutSeconds: 120,
  deniedNetworkBinaries: wordList(`
    curl wget wget2 aria2c axel httpie http https xh xhs curlie grpcurl nc ncat netcat nc.openbsd
    nc.traditional socat telnet websocat wscat cryptcat ssh scp sftp rsync sshfs mosh autossh
    ssh-copy-id ssh-keyscan sshpass dbclient ftp lftp tftp ncftp ncftpput smbclient rclone gsutil s3cmd
    azcopy croc magic-wormhole lynx w3m links elinks ping ping6 fping hping3 traceroute tracepath mtr
    nmap dig nslookup host drill kdig delv resolvectl whois finger mail mailx mutt sendmail msmtp swaks
    ngrok cloudflared localtunnel lt bore chisel frpc wormhole
  `),
  protectedWriteFragments: ['/.git/'],
  secretPathFragments: [...SECRET_PATH_FRAGMENTS],
  writeRoots: ['.', '/tmp'],
}
