import { ENSO_PERMISSION_MODES, ENSO_THINKING_LEVELS } from '../../core/mode-names.js'
import type { FlagSpec } from './flag.js'

/** How hard a model may be asked to think; which of these a model knows the host says. */
export const THINKING_LEVELS = ENSO_THINKING_LEVELS

/** Permission modes that can be asked for. */
export const PERMISSION_MODES: readonly string[] = ENSO_PERMISSION_MODES

/** The flags of a run by the heading they stand under in its help. */
export const RUN_FLAG_GROUPS: readonly { readonly title: string; readonly flags: readonly FlagSpec[] }[] = [
  {
    title: 'Output',
    flags: [
      { name: 'print', short: 'p', help: 'run and exit (the default when there is a prompt)' },
      { name: 'json', help: 'JSON lines on stdout, requests and answers on stdin' },
      {
        name: 'output-format',
        value: 'FORMAT',
        choices: ['text', 'json', 'stream-json'],
        help: 'text; json: one result object; stream-json: the same as --json',
      },
      { name: 'input-format', value: 'FORMAT', choices: ['text', 'stream-json'], help: 'how stdin is read' },
      {
        name: 'output-schema',
        aliases: ['json-schema'],
        value: 'FILE',
        help: 'the answer is JSON that fits this schema',
      },
      {
        name: 'output-file',
        short: 'o',
        aliases: ['output-last-message'],
        value: 'FILE',
        help: 'also write the answer to a file',
      },
      { name: 'dry-run', help: 'say what would run, and how much it would send; ask no model' },
      { name: 'quiet', short: 'q', help: 'nothing on stderr but errors and questions' },
      { name: 'color', value: 'WHEN', choices: ['auto', 'always', 'never'], help: 'auto, always or never' },
      {
        name: 'log-level',
        value: 'LEVEL',
        choices: ['trace', 'debug', 'info', 'warning', 'warn', 'error', 'fatal'],
        help: 'show the log on stderr from this level up',
      },
    ],
  },
  {
    title: 'Model',
    flags: [
      { name: 'model', short: 'm', value: 'MODEL', help: 'provider/id[:thinking]; see enso models' },
      { name: 'thinking', value: 'LEVEL', choices: THINKING_LEVELS, help: THINKING_LEVELS.join(', ') },
      { name: 'append-system-prompt', value: 'TEXT', help: 'added to the end of the system prompt' },
      { name: 'script', value: 'FILE', help: 'play scripted turns instead of a model' },
      { name: 'record', value: 'FILE', help: 'write what the model says as such a script' },
    ],
  },
  {
    title: 'Thread',
    flags: [
      { name: 'continue', short: 'c', help: "go on with this project's newest thread" },
      { name: 'resume', short: 'r', value: 'ID', optional: true, help: 'go on with a thread; without an id, pick one' },
      { name: 'thread-id', aliases: ['session-id'], value: 'ID', help: 'the id of the new thread' },
      { name: 'fork', aliases: ['fork-session'], help: 'with -c or -r: go on in a copy' },
      { name: 'ephemeral', aliases: ['no-session'], help: 'store nothing' },
      { name: 'take-over', help: 'replace the lock of another process on the thread' },
    ],
  },
  {
    title: 'Server',
    flags: [
      { name: 'connect', value: 'URL', help: 'run in a server: the address that enso serve printed' },
      { name: 'token-file', value: 'FILE', help: 'where its token is, if not in the address or ENSO_TOKEN' },
      { name: 'project', value: 'ID', help: 'the project of a new thread there' },
    ],
  },
  {
    title: 'Workspace',
    flags: [
      { name: 'cwd', short: 'C', aliases: ['cd'], value: 'DIR', help: 'work in this folder' },
      { name: 'image', value: 'FILE', many: true, help: 'attach an image (also @FILE among the words)' },
      { name: 'trust-project', help: "load the project's own extensions, skills and prompts" },
      { name: 'extension', short: 'e', value: 'PATH', many: true, help: 'load an extension file' },
    ],
  },
  {
    title: 'Trust',
    flags: [
      { name: 'permission-mode', value: 'MODE', choices: PERMISSION_MODES, help: PERMISSION_MODES.join(', ') },
      { name: 'allow-bypass', help: 'offer the mode that asks nothing' },
      { name: 'allow-tool', value: 'RULE', many: true, help: "do not ask about this: tool or 'tool(pattern)'" },
      { name: 'deny-tool', value: 'RULE', many: true, help: 'never allow this' },
      { name: 'add-dir', value: 'DIR', many: true, help: 'a further folder that may be written' },
      {
        name: 'sandbox',
        value: 'WHEN',
        choices: ['off', 'auto', 'require'],
        help: 'confine shell commands: off, auto, require',
      },
    ],
  },
  {
    title: 'Limits',
    flags: [
      { name: 'max-turns', value: 'N', help: 'stop after N model requests' },
      { name: 'max-cost', aliases: ['max-budget-usd'], value: 'DOLLARS', help: 'stop when this much has been spent' },
      { name: 'max-tokens', value: 'N', help: 'stop when N tokens have been used: in, out and cached' },
      { name: 'timeout', value: 'TIME', help: 'stop after this long (30s, 10m, 1h; 0: no limit)' },
      { name: 'idle-timeout', value: 'TIME', help: 'stop when nothing happens for this long; questions pause it' },
    ],
  },
  {
    title: 'Questions',
    flags: [
      { name: 'auto-cancel-dialogs', help: 'cancel every question at once (exit 3)' },
      { name: 'dialog-timeout', value: 'TIME', help: 'how long a question waits (0: for ever)' },
      { name: 'answers', value: 'FILE', help: 'standing answers for when nobody can be asked' },
      { name: 'stop-on-eof', help: 'stop the run when stdin is closed' },
    ],
  },
]

/** Every flag of a run. */
export const RUN_FLAGS: readonly FlagSpec[] = RUN_FLAG_GROUPS.flatMap((group) => group.flags)
