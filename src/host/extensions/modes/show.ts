import { readFileSync, statSync } from 'node:fs'
import { createTwoFilesPatch } from 'diff'

/** At most this many lines of a change are shown in a question; the rest is counted. */
export const SHOWN_LINES = 80

/** Direction overrides, characters that can't be seen, foreign line ends and control characters: they could make a text look like another one. */
const MISLEADING = /[\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\u061c]|[^\P{Cc}\n\t]|\p{Cs}/gu

/** The text a person decides by, with nothing in it that changes how it looks. */
export function plainText(text: string): string {
  return text.replace(MISLEADING, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`
  })
}

/** The first lines, and how many more there are. */
export function firstLines(text: string, limit = SHOWN_LINES): string {
  const lines = text.split('\n')
  if (lines.length <= limit) return text
  return [...lines.slice(0, limit), `… and ${lines.length - limit} more lines`].join('\n')
}

/** What a shell command's question shows: the whole command and where it would run. */
export function showCommand(command: string, cwd: string): string {
  return plainText(`${command}\n\nin ${cwd}`)
}

/** Most characters that are shown of what another tool is given. */
const SHOWN_CHARACTERS = 4000

/** What the question about another tool shows: what it is given, and how much of that isn't shown. */
export function showInput(input: Readonly<Record<string, unknown>>): string {
  const text = plainText(JSON.stringify(input, null, 2))
  const more = text.length - SHOWN_CHARACTERS
  return more <= 0 ? text : `${text.slice(0, SHOWN_CHARACTERS)}\n… and ${more} more characters`
}

/** What a file change's question shows: the real path, and the change as a diff. */
export function showChange(tool: string, input: Readonly<Record<string, unknown>>, realPath: string): string {
  const diff = tool === 'write' ? writeDiff(String(input['content'] ?? ''), realPath) : editDiff(input['edits'])
  return plainText(`${realPath}\n\n${firstLines(diff)}`)
}

function writeDiff(content: string, path: string): string {
  const before = currentText(path)
  return before === undefined ? added(content) : diffOf(before, content)
}

function editDiff(edits: unknown): string {
  if (!Array.isArray(edits)) return ''
  return edits
    .map(({ oldText, newText }: { oldText?: unknown; newText?: unknown }) =>
      diffOf(String(oldText ?? ''), String(newText ?? '')),
    )
    .join('\n')
}

/** Larger texts are not compared, nor are those that differ in more lines: that takes time by the square of both. */
const COMPARED_MAX_BYTES = 1024 * 1024
const COMPARED_MAX_CHANGES = 1000

const TOO_LONG = Symbol('too long')
const REPLACED = '(all of it is replaced)'

function diffOf(before: string | typeof TOO_LONG, after: string): string {
  const options = { context: 2, maxEditLength: COMPARED_MAX_CHANGES }
  const patch = before === TOO_LONG ? undefined : createTwoFilesPatch('before', 'after', before, after, '', '', options)
  return patch === undefined ? `${REPLACED}\n${added(after)}` : patchBody(patch)
}

function added(text: string): string {
  return text.replace(/\n$/, '').replace(/^/gm, '+')
}

/** A patch without its file header and its notes about missing newlines. */
function patchBody(patch: string): string {
  return patch
    .split('\n')
    .filter((line) => !/^(={5,}|--- |\+\+\+ |\\ No newline)/.test(line))
    .join('\n')
    .trim()
}

function currentText(path: string): string | typeof TOO_LONG | undefined {
  try {
    const stat = statSync(path)
    // A pipe or a device may never end: reading it would hold up the whole harness.
    if (!stat.isFile()) return undefined
    if (stat.size > COMPARED_MAX_BYTES) return TOO_LONG
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
