import { relative } from 'node:path'
import { createTwoFilesPatch } from 'diff'
import type { Palette } from '../print/palette.js'
import { sanitizeLine } from '../print/sanitize.js'
import type { FileStep } from './files.js'

/** Lines of one file's difference that are shown; a change that is larger is counted. */
const MOST_LINES = 400

/** What giving a file back changes, as a person reads it: the lines that go and those that come. */
export function stepText(step: FileStep, cwd: string, palette: Palette): string {
  const inside = relative(cwd, step.path)
  const name = sanitizeLine(inside.startsWith('..') || inside === '' ? step.path : inside)
  switch (step.action) {
    case 'none':
      return palette.dim(`= ${name} is what it was`)
    case 'refused':
      return palette.red(`✗ ${name}: ${sanitizeLine(step.why)}`)
    case 'remove':
      return palette.bold(`- ${name} is removed: it was made by the thread (${step.current.length} bytes)`)
    case 'restore':
      return [palette.bold(`~ ${name}`), ...changeLines(step.current ?? Buffer.alloc(0), step.content, palette)].join(
        '\n',
      )
  }
}

function changeLines(now: Buffer, then: Buffer, palette: Palette): string[] {
  if (now.includes(0) || then.includes(0)) return [`  no text: ${now.length} bytes become ${then.length}`]
  const patch = createTwoFilesPatch('now', 'then', now.toString('utf8'), then.toString('utf8'), undefined, undefined, {
    context: 2,
  })
  const lines = patch
    .split('\n')
    .slice(4)
    .filter((line) => line !== '')
  const shown = lines.slice(0, MOST_LINES).map((line) => coloured(`  ${sanitizeLine(line)}`, line, palette))
  return lines.length > shown.length ? [...shown, `  … ${lines.length - shown.length} more lines`] : shown
}

function coloured(text: string, line: string, palette: Palette): string {
  if (line.startsWith('+')) return palette.green(text)
  return line.startsWith('-') ? palette.red(text) : palette.dim(text)
}
