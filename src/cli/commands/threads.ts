import { refuseUsage } from '../faults.js'
import { sanitizeLine } from '../print/sanitize.js'
import type { ThreadsSubcommand } from '../threads/subcommand.js'
import type { CliCommand } from './command.js'

const ONE: ThreadsSubcommand['words'] = [1, 1]
const TEXT = ['json', 'color'] as const
/** What a server can be asked for as well. */
const SERVED = [...TEXT, 'connect', 'token-file'] as const

/** What `enso threads` does, by the word after it; each part is loaded when it is asked for. */
const SUBCOMMANDS: ReadonlyMap<string, ThreadsSubcommand> = new Map<string, ThreadsSubcommand>([
  [
    'list',
    {
      takes: 'no further word',
      words: [0, 0],
      flags: ['all', 'cwd', 'json'],
      run: async (invocation) => (await import('../threads/list.js')).listThreads(invocation),
    },
  ],
  [
    'show',
    {
      takes: 'one thread id',
      words: ONE,
      flags: TEXT,
      run: async (...args) => (await import('../threads/show.js')).showThread(...args),
    },
  ],
  [
    'stats',
    {
      takes: 'one thread id',
      words: ONE,
      flags: SERVED,
      run: async (...args) => (await import('../threads/stats.js')).showThreadStats(...args),
    },
  ],
  [
    'context',
    {
      takes: 'a thread id, and a request if only that one is meant',
      words: [1, 2],
      flags: SERVED,
      run: async (...args) => (await import('../threads/context.js')).showThreadContext(...args),
    },
  ],
  [
    'events',
    {
      takes: 'one thread id',
      words: ONE,
      flags: SERVED,
      run: async (...args) => (await import('../threads/events.js')).showThreadEvents(...args),
    },
  ],
  [
    'timeline',
    {
      takes: 'one thread id',
      words: ONE,
      flags: SERVED,
      run: async (...args) => (await import('../threads/events.js')).showThreadTimeline(...args),
    },
  ],
  [
    'export',
    {
      takes: 'one thread id',
      words: ONE,
      flags: ['html', 'md', 'json', 'output', 'no-redact'],
      run: async (...args) => (await import('../threads/export/export.js')).exportThread(...args),
    },
  ],
  [
    'undo',
    {
      takes: 'one thread id',
      words: ONE,
      flags: [...TEXT, 'to', 'yes'],
      run: async (...args) => (await import('../undo/undo-thread.js')).undoThread(...args),
    },
  ],
  [
    'rm',
    {
      takes: 'a thread id',
      words: [1, Number.POSITIVE_INFINITY],
      flags: [],
      run: async (...args) => (await import('../threads/remove.js')).removeThreads(...args),
    },
  ],
])

const FLAGS: CliCommand['flags'] = [
  {
    title: 'Flags',
    flags: [
      { name: 'all', short: 'a', help: "every project's threads, not only this folder's" },
      { name: 'json', help: 'JSON in the documented shapes; a list is one object a line' },
      { name: 'cwd', short: 'C', value: 'DIR', help: 'the folder whose threads are meant' },
      { name: 'color', value: 'WHEN', choices: ['auto', 'always', 'never'], help: 'auto, always or never' },
    ],
  },
  {
    title: 'A server',
    flags: [
      { name: 'connect', value: 'URL', help: 'stats, context, events and timeline of its threads, live ones included' },
      { name: 'token-file', value: 'FILE', help: 'the file with its token' },
    ],
  },
  {
    title: 'Export',
    flags: [
      { name: 'html', help: 'a page that loads nothing from anywhere' },
      { name: 'md', help: 'Markdown' },
      { name: 'output', short: 'o', value: 'FILE', help: 'where to; - is standard output' },
      { name: 'no-redact', help: 'leave secrets in: for yourself, not for others' },
    ],
  },
  {
    title: 'Undo',
    flags: [
      {
        name: 'to',
        value: 'PROMPT',
        help: 'back to before this prompt (stats counts them); default: the last that wrote',
      },
      { name: 'yes', short: 'y', help: 'do not ask' },
    ],
  },
]

/** `enso threads`: what is stored, without the agent library. */
export const threadsCommand: CliCommand = {
  name: 'threads',
  usage: [
    'threads [list] [--all]',
    'threads show ID [--json]',
    'threads stats|events|timeline ID [--json] [--connect URL]',
    'threads context ID [REQUEST] [--json] [--connect URL]',
    'threads export ID --html|--md|--json [-o FILE]',
    'threads undo ID [--to PROMPT] [--yes]',
    'threads rm ID…',
  ],
  about:
    'Lists, shows, analyses, exports, undoes and removes stored threads. The beginning of an id is enough where it is ' +
    'one. Undo gives back what write and edit calls changed; what shell commands did stays.',
  flags: FLAGS,
  examples: [
    ['enso threads', 'the threads of this folder, newest first'],
    ['enso threads show 3f2a', 'the whole conversation as text'],
    ['enso threads stats 3f2a', 'what it cost, prompt by prompt'],
    ['enso threads context 3f2a', 'what fills the context, and since when'],
    ['enso threads context 3f2a 7', 'everything the seventh request carried'],
    ['enso threads export 3f2a --html', 'one file to keep or to send'],
    ['enso threads undo 3f2a', 'the files as they were before its last run'],
  ],
  run: async (invocation) => {
    const { line, io } = invocation
    const [name = 'list', ...words] = [...line.words, ...line.literal]
    const subcommand = SUBCOMMANDS.get(name)
    if (subcommand === undefined) {
      return refuseUsage(io, [], {
        reason: `threads has no '${sanitizeLine(name)}'`,
        hint: `${[...SUBCOMMANDS.keys()].join(', ')}; to send it as a prompt: enso run threads …`,
      })
    }
    const [least, most] = subcommand.words
    if (words.length < least || words.length > most) {
      return refuseUsage(io, [], { reason: `threads ${name} takes ${subcommand.takes}` })
    }
    const known = FLAGS.flatMap((group) => group.flags.map((flag) => flag.name))
    const meaningless = known.find((flag) => line.has(flag) && !subcommand.flags.includes(flag))
    if (meaningless !== undefined) return refuseUsage(io, [], { reason: `threads ${name} takes no --${meaningless}` })
    return subcommand.run(invocation, words)
  },
}
