import type { CommandFacts } from '../context.js'
import { PARENT } from '../source.js'

/** Commands of the harness that change what is guarded, or give up asking. */
const LOOSENING =
  /(?:^| )(?:config (?:set|unset|edit|import)|login|logout|--allow-bypass|--dangerously-skip-permissions|--yolo|--permission-mode[ =](?:bypassPermissions|dontAsk|auto|acceptEdits))(?: |=|$)/

/** How the command would end the harness or loosen its guards, as words for the reason; or `undefined`. */
export function turnsOnHarness({ name, args }: CommandFacts): string | undefined {
  const text = args.join(' ')
  switch (name) {
    case 'enso':
      return LOOSENING.test(text) ? 'changing how enso guards this thread' : undefined
    case 'node':
    case 'nodejs':
      return /(?:^|\/)enso(?:\.js)? /.test(`${args[0] ?? ''} `) && LOOSENING.test(text)
        ? 'changing how enso guards this thread'
        : undefined
    case 'kill':
      // The parent of the command's shell is the harness.
      return args.includes(PARENT) ||
        ((args[0] ?? '').startsWith('-') && args.slice(1).some((word) => /^-1$|^1$/.test(word)))
        ? 'kill of the harness'
        : undefined
    case 'pkill':
    case 'killall':
    case 'killall5':
      return name === 'killall5' || args.some((word) => HARNESS.test(word)) ? `${name} of the harness` : undefined
    default:
      return undefined
  }
}

/** Names under which the harness runs: a pattern as wide as these ends it. */
const HARNESS = /^\^?(?:enso|node|nodejs|\.|\.\*|enso\.js|bin\/enso(?:\.js)?)\$?$/
