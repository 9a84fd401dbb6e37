import { declarationOf } from './symbol.js'

const FENCE = /^```(\w+) source=(\S+?)#(\w+)\n([\s\S]*?)^```$/gm

/** One fence of a page that shows a declaration: where it is from, and what it shows now. */
export interface Fence {
  readonly file: string
  readonly symbol: string
  readonly shown: string
  readonly source: string | undefined
}

/** The fences of a Markdown page that claim to be source: `source=src/…/file.ts#symbol` after the language. */
export function fencesOf(markdown: string): Fence[] {
  return [...markdown.matchAll(FENCE)].map(([, , file = '', symbol = '', body = '']) => {
    const source = declarationOf(file, symbol)
    return { file, symbol, shown: body, source: source === undefined ? undefined : `${source}\n` }
  })
}

/** The page with every such fence showing its source as it is now. */
export function refreshFences(markdown: string): string {
  return markdown.replace(FENCE, (whole, language: string, file: string, symbol: string) => {
    const source = declarationOf(file, symbol)
    return source === undefined ? whole : `\`\`\`${language} source=${file}#${symbol}\n${source}\n\`\`\``
  })
}
