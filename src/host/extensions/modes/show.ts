import { readFileSync, statSync } from 'node:fs'
import { createTwoFilesPatch } from 'diff'

/** At most this many lines of a change are shown in a question; the rest is counted. */
export const SHOWN_LINES = 80

/** Direction overrides, zero-width characters and control characters: they could make a text look like another one. */
const MISLEADING =
  /[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad\u061c]|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

/** The text a person decides by, with nothing in it that changes how it looks. */
export function plainText(text: string): string {
  return text.replace(MISLEADING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
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
    if (statSync(path).size > COMPARED_MAX_BYTES) return TOO_LONG
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
