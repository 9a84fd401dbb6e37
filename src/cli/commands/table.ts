import type { CommandEntry } from './command.js'

/** The command that `enso [prompt…]` means. */
export const RUN_ENTRY: CommandEntry = {
  name: 'run',
  summary: 'run one prompt',
  isRun: true,
  load: async () => (await import('./run.js')).runCommand,
}

/** Words that may stand before a prompt, known from elsewhere. */
export const RUN_NAMES: ReadonlySet<string> = new Set(['run', 'exec'])

/** Every other command, in the order the help lists them. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'demo',
    summary: 'watch a scripted thread repair a small project; no model needed',
    isRun: true,
    load: async () => (await import('./demo.js')).demoCommand,
  },
  {
    name: 'serve',
    summary: 'serve threads over HTTP, to programs, shells and a page',
    load: async () => (await import('./serve.js')).serveCommand,
  },
  {
    name: 'threads',
    summary: 'list, show, analyse, export, undo and remove stored threads',
    words: ['list', 'show', 'stats', 'context', 'events', 'timeline', 'export', 'undo', 'rm'],
    isPlain: true,
    load: async () => (await import('./threads.js')).threadsCommand,
  },
  {
    name: 'stats',
    summary: 'count what stored threads have spent',
    isPlain: true,
    load: async () => (await import('./stats.js')).statsCommand,
  },
  {
    name: 'logs',
    summary: 'read, follow, count and bundle logs',
    words: ['stats', 'bundle'],
    isPlain: true,
    load: async () => (await import('./logs.js')).logsCommand,
  },
  {
    name: 'guard',
    summary: 'ask what the guards would decide about a command or a path',
    words: ['check'],
    load: async () => (await import('./guard.js')).guardCommand,
  },
  {
    name: 'login',
    summary: 'store the key or account of a provider',
    load: async () => (await import('./login.js')).loginCommand,
  },
  {
    name: 'logout',
    summary: 'forget a stored key or account',
    load: async () => (await import('./logout.js')).logoutCommand,
  },
  {
    name: 'config',
    summary: 'what is in force, and who said it',
    words: ['get', 'set', 'unset', 'edit', 'path'],
    load: async () => (await import('./config.js')).configCommand,
  },
  {
    name: 'schema',
    summary: 'JSON Schema of every line and file, OpenAPI of the server',
    words: ['lines', 'requests', 'result', 'config', 'workspace', 'script', 'answers', 'http'],
    isPlain: true,
    load: async () => (await import('./schema.js')).schemaCommand,
  },
  {
    name: 'doctor',
    summary: 'is everything here that a run needs?',
    load: async () => (await import('./doctor.js')).doctorCommand,
  },
  {
    name: 'completion',
    summary: 'a script that completes command lines',
    words: ['bash', 'zsh', 'fish'],
    isPlain: true,
    load: async () => (await import('./completion.js')).completionCommand,
  },
  {
    name: '__complete',
    summary: 'what could stand at the end of a line',
    hidden: true,
    isPlain: true,
    load: async () => (await import('./completion.js')).completeCommand,
  },
  {
    name: 'models',
    summary: 'list the models there are',
    load: async () => (await import('./models.js')).modelsCommand,
  },
]
