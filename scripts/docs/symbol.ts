import { readFileSync } from 'node:fs'
import { inRoot } from '../../test/support/root.js'

const DECLARATION = /^(?:export )?(?:async )?(?:const|let|function|interface|type|class) (\w+)/

/** Every top-level name a source file declares, in order. */
export function symbolsOf(file: string): string[] {
  return readFileSync(inRoot(file), 'utf8')
    .split('\n')
    .flatMap((line) => DECLARATION.exec(line)?.[1] ?? [])
}

/** The lines of one declaration with the doc comment above it; of both halves where a schema and a type share a name. */
export function declarationOf(file: string, symbol: string): string | undefined {
  const lines = readFileSync(inRoot(file), 'utf8').split('\n')
  const blocks: string[] = []
  for (let index = 0; index < lines.length; index++) {
    if (DECLARATION.exec(lines[index] ?? '')?.[1] !== symbol) continue
    const end = endOf(lines, index)
    blocks.push(lines.slice(commentStart(lines, index), end + 1).join('\n'))
    index = end
  }
  return blocks.length === 0 ? undefined : blocks.join('\n')
}

/** The formatter puts a declaration's last line at column 0; one that closes on its own line is that line. */
function endOf(lines: readonly string[], start: number): number {
  let end = start
  while (end + 1 < lines.length) {
    const next = lines[end + 1] ?? ''
    if (/^[\])}]/.test(next)) return end + 1
    if (!/^\s+\S/.test(next) && next !== '') return end
    if (next === '' && !/^\s+\S|^[\])}]/.test(lines[end + 2] ?? '')) return end
    end++
  }
  return end
}

function commentStart(lines: readonly string[], declaration: number): number {
  if (!(lines[declaration - 1] ?? '').trimEnd().endsWith('*/')) return declaration
  let start = declaration - 1
  while (start > 0 && !(lines[start] ?? '').startsWith('/**')) start--
  return start
}
