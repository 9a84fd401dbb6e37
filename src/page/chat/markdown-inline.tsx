import type { ComponentChild } from 'preact'
import type { Token } from 'marked'
import { withoutEntities } from '../model/entities.js'
import { plain } from '../model/plain.js'

/** The parts of a line. What has parts of its own, and what is only text, is told by its type. */
interface Inline {
  readonly type: string
  readonly raw: string
  readonly text?: string
  readonly href?: string
  readonly checked?: boolean
  readonly tokens?: readonly Token[]
}

/** Parts of a line as nodes. Nothing is ever made from markup: what is not known here is shown as it is written. */
export function inline(tokens: readonly Token[]): ComponentChild[] {
  return tokens.map((token, index) => <Part key={index} token={token as Inline} />)
}

function Part({ token }: { readonly token: Inline }) {
  const { type, raw, text = '', tokens = [] } = token
  switch (type) {
    case 'text':
      return <>{tokens.length > 0 ? inline(tokens) : shown(text)}</>
    case 'escape':
      return <>{shown(text)}</>
    case 'strong':
      return <strong>{inline(tokens)}</strong>
    case 'em':
      return <em>{inline(tokens)}</em>
    case 'del':
      return <del>{inline(tokens)}</del>
    case 'codespan':
      return <code>{plain(text)}</code>
    case 'br':
      return <br />
    case 'link':
      return <Link href={token.href ?? ''}>{inline(tokens)}</Link>
    case 'image':
      return <Link href={token.href ?? ''}>{shown(text === '' ? (token.href ?? '') : text)}</Link>
    case 'checkbox':
      return <>{token.checked === true ? '☑ ' : '☐ '}</>
    default:
      return <>{plain(raw)}</>
  }
}

function shown(text: string): string {
  return plain(withoutEntities(text))
}

/** A link to a page or a mail address, opened elsewhere; where it leads to anything else it is only said. */
function Link({ href, children }: { readonly href: string; readonly children: ComponentChild }) {
  if (!/^(?:https?:\/\/|mailto:)/i.test(href)) {
    return (
      <>
        {children} <span class="target">({plain(href)})</span>
      </>
    )
  }
  return (
    <a href={href} title={plain(href)} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  )
}
