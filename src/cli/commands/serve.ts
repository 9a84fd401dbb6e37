import { refuseUsage } from '../faults.js'
import { SERVE_FLAG_GROUPS } from '../serve/serve-flags.js'
import { parseServeOptions } from '../serve/serve-options.js'
import type { CliCommand } from './command.js'
import { withUserDefaults } from './run.js'

/** `enso serve`: threads over HTTP and server-sent events. */
export const serveCommand: CliCommand = {
  name: 'serve',
  usage: ['serve [flags]'],
  about:
    'Serves threads over HTTP: to programs, to enso --connect and to a page. Prints one line on stdout when it listens: ' +
    'the address with the token that every request needs. Only programs of this machine reach it unless you say otherwise.',
  flags: SERVE_FLAG_GROUPS,
  examples: [
    ['enso serve', 'on a free port of this machine'],
    ['enso serve --port 4040 --token-file ~/.enso/token', 'the same address and token at each start'],
    ['enso serve --public-url https://enso.example.com', 'behind a reverse proxy'],
    ['enso --connect http://127.0.0.1:4040 "hello"', 'a prompt to a server'],
  ],
  run: async ({ line, argv, io, parts }) => {
    const parsed = parseServeOptions(line, argv, io.cwd)
    if (!parsed.ok) return refuseUsage(io, [], parsed.refusal)
    const run = withUserDefaults(parsed.value.run, await parts.userConfig(), line)
    const { runServe } = await import('../serve/run-serve.js')
    return runServe({ ...parsed.value, run }, io, parts)
  },
}
