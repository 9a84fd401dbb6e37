import { lstatSync, readFileSync } from 'node:fs'
import { RE2JS } from 're2js'

/** Larger files are not searched: they are data, and reading them whole would cost more than it finds. */
export const SEARCHED_FILE_MAX_BYTES = 8 * 1024 * 1024

/** Bytes at a file's head in which a zero byte makes it binary. */
const BINARY_HEAD = 8192

/** A pattern that is the text it finds: most are, and need no engine. */
const PLAIN = /^[\w\s"'=,;:<>@#%&!~`/-]*$/

/** One line of a file that matches, or one beside it. Numbers from 1. */
export interface FoundLine {
  readonly line: number
  readonly text: string
  readonly isMatch: boolean
}

/**
 * A matcher for one line. The engine takes time in proportion to the text whatever the pattern: a pattern comes from a
 * model.
 *
 * @throws Error naming what is wrong with the pattern
 */
export function lineMatcher(
  pattern: string,
  options: { readonly literal?: boolean; readonly ignoreCase?: boolean },
): (line: string) => boolean {
  if (options.literal || PLAIN.test(pattern)) {
    const { ignoreCase } = options
    const wanted = ignoreCase ? pattern.toLowerCase() : pattern
    return (line) => (ignoreCase ? line.toLowerCase() : line).includes(wanted)
  }
  const compiled = RE2JS.compile(pattern, options.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0)
  return (line) => compiled.matcher(line).find()
}

/** The text of a file that can be searched: `undefined` for a link and one that is binary, too large, or unreadable. */
export function searchableText(path: string): string | undefined {
  try {
    const stat = lstatSync(path)
    if (!stat.isFile() || stat.size > SEARCHED_FILE_MAX_BYTES) return undefined
    const bytes = readFileSync(path)
    return bytes.subarray(0, BINARY_HEAD).includes(0) ? undefined : bytes.toString('utf8')
  } catch {
    return undefined
  }
}

/** The matching lines of a text, each with `context` lines around it, up to `limit` matches. */
export function findLines(
  text: string,
  matches: (line: string) => boolean,
  context: number,
  limit: number,
): { readonly found: FoundLine[]; readonly matches: number } {
  const lines = text.split(/\r\n|\r|\n/)
  const shown = new Map<number, boolean>()
  let count = 0
  for (let index = 0; index < lines.length && count < limit; index++) {
    if (!matches(lines[index] ?? '')) continue
    count++
    for (let near = Math.max(0, index - context); near <= Math.min(lines.length - 1, index + context); near++) {
      shown.set(near, near === index || shown.get(near) === true)
    }
  }
  const found = [...shown].map(([index, isMatch]) => ({ line: index + 1, text: lines[index] ?? '', isMatch }))
  return { found: found.sort((a, b) => a.line - b.line), matches: count }
}
