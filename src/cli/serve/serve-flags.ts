import type { FlagSpec } from '../args/flag.js'
import { RUN_FLAGS } from '../args/run-flags.js'

/** Which flags of a run also say how served threads are opened. */
const THREAD_FLAGS = [
  'model',
  'thinking',
  'permission-mode',
  'sandbox',
  'append-system-prompt',
  'script',
  'extension',
  'trust-project',
  'add-dir',
  'allow-tool',
  'deny-tool',
  'max-turns',
  'max-cost',
  'max-tokens',
  'take-over',
]
const QUESTION_FLAGS = ['auto-cancel-dialogs', 'dialog-timeout', 'answers']

const ALLOW_BYPASS: FlagSpec = { name: 'allow-bypass', help: 'let clients choose the mode that asks nobody' }

/** The flags of `enso serve` by heading. */
export const SERVE_FLAG_GROUPS: readonly { readonly title: string; readonly flags: readonly FlagSpec[] }[] = [
  {
    title: 'Address',
    flags: [
      { name: 'port', value: 'N', help: 'the port; 0, the default, takes a free one' },
      { name: 'host', aliases: ['hostname'], value: 'ADDRESS', help: 'the address to listen on (127.0.0.1)' },
      { name: 'allow-remote', help: 'listen on an address that other machines reach' },
      { name: 'public-url', value: 'URL', help: 'where a reverse proxy shows the server' },
      { name: 'token-file', value: 'FILE', help: 'keep the token in this file across starts' },
    ],
  },
  {
    title: 'Threads',
    flags: [
      { name: 'cwd', short: 'C', aliases: ['cd'], value: 'DIR', help: 'where threads work unless a project is named' },
      { name: 'thread-idle', value: 'TIME', help: 'let go of a thread that does nothing this long (30m; 0: never)' },
      { name: 'stall-after', value: 'TIME', help: 'say of a run that nothing has come for this long (90s)' },
      { name: 'stall-cut', help: 'stop such a run' },
      ...pick(THREAD_FLAGS),
      ALLOW_BYPASS,
    ],
  },
  { title: 'Questions', flags: pick(QUESTION_FLAGS) },
  { title: 'Output', flags: pick(['quiet', 'log-level']) },
]

function pick(names: readonly string[]): FlagSpec[] {
  return RUN_FLAGS.filter(({ name }) => names.includes(name))
}
