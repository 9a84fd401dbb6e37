import type { ComponentChild } from 'preact'
import type { Token, Tokens } from 'marked'
import { plain } from '../model/plain.js'
import { Code } from './code-block.js'
import { inline } from './markdown-inline.js'
import { tokensOf } from './markdown-tokens.js'

/** One block of Markdown. */
export function MarkdownBlock({ raw }: { readonly raw: string }) {
  return <div class="block">{blocks(tokensOf(raw))}</div>
}

function blocks(tokens: readonly Token[]): ComponentChild[] {
  return tokens.map((token, index) => <BlockPart key={index} token={token} />)
}

function BlockPart({ token }: { readonly token: Token }) {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'paragraph':
      return <p>{inline(token.tokens ?? [])}</p>
    case 'heading':
      return <Heading token={token as Tokens.Heading} />
    case 'code':
      return <Code code={plain((token as Tokens.Code).text)} lang={(token as Tokens.Code).lang ?? ''} />
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>
    case 'list':
      return <List token={token as Tokens.List} />
    case 'table':
      return <Table token={token as Tokens.Table} />
    case 'hr':
      return <hr />
    case 'text':
    case 'checkbox':
      return <>{inline([token])}</>
    default:
      return <p class="plain-text">{plain(token.raw)}</p>
  }
}

/** Headings of a text stand below those of the page. */
function Heading({ token: { depth, tokens } }: { readonly token: Tokens.Heading }) {
  const Tag = (['h3', 'h4', 'h5', 'h6'] as const)[Math.min(depth, 4) - 1] ?? 'h6'
  return <Tag>{inline(tokens)}</Tag>
}

function List({ token: { ordered, start, items } }: { readonly token: Tokens.List }) {
  const rows = items.map((item, index) => (
    <li key={index} class={item.task ? 'is-task' : ''}>
      {blocks(item.tokens)}
    </li>
  ))
  return ordered ? <ol start={start === '' ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>
}

function Table({ token: { header, rows } }: { readonly token: Tokens.Table }) {
  return (
    <table>
      <thead>
        <tr>
          {header.map((cell, index) => (
            <th key={index} scope="col" class={cell.align === null ? '' : `is-${cell.align}`}>
              {inline(cell.tokens)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={index}>
            {row.map((cell, at) => (
              <td key={at} class={cell.align === null ? '' : `is-${cell.align}`}>
                {inline(cell.tokens)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
