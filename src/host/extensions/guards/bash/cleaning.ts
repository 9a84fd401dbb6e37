import type { FindCommand } from './find-command.js'
import { unmarked } from './marks.js'

/** Names of what tools make and make again: compiled files, caches, editors' leftovers. */
const MADE_AGAIN =
  /^(?:\*\.(?:py[cod]|o|obj|a|so|class|map|tsbuildinfo|tmp|temp|log|orig|rej|swp|swo|gcda|gcno|egg-info)|\*~|\.DS_Store|Thumbs\.db|__pycache__|\.(?:pytest|mypy|ruff|parcel-|eslint)_?cache|node_modules|dist|build|out|target|coverage|\.next|\.turbo|\.cache|\.nyc_output)$/

/** After an `-o` only such a test may follow: anything else may hold for every file. */
const TESTS = /^(?:-i?name|-type|\(|-path)$/

/** Does a `find` remove nothing but what can be made again? */
export function isCleaning(args: readonly string[], { all, found, commands, deletes }: FindCommand): boolean {
  if (all || args.includes(',') || args.some((word) => /^-(?:i?path|i?regex|i?wholename)$/.test(word))) return false
  const alternatives = args.every((word, at) => !/^-or?$/.test(word) || TESTS.test(args[at + 1] ?? ''))
  const names = found.every((path) => MADE_AGAIN.test(unmarked(path.slice(path.lastIndexOf('/') + 1))))
  const removes = commands.every(
    ([name, ...words]) => name === 'rm' && words.every((word) => /^(?:-[rRfv]+|--|\{\}|\+)$/.test(word)),
  )
  return alternatives && names && removes && (deletes || commands.length > 0)
}
