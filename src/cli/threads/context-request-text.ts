import type {
  EnsoContextBody,
  EnsoContextElement,
  EnsoContextImage,
  EnsoContextRequestDetail,
} from '../../core/index.js'
import { jsonLine } from '../../core/index.js'
import { count, fit } from '../print/layout.js'
import { sanitize, sanitizeLine } from '../print/sanitize.js'
import { elementsText } from './context-text.js'
import type { TextStyle } from './stats-text.js'

/** One request's context in full: a line about each element, then all it holds. Harmless. */
export function* contextRequestPieces(detail: EnsoContextRequestDetail, style: TextStyle): Generator<string> {
  const { palette, width } = style
  const { threadId, request, elements, left } = detail
  const tokens = elements.reduce((sum, element) => sum + element.tokens, 0)
  yield `${palette.bold(`${threadId}, request ${request}`)}\n  ${elementsText(elements.length, tokens)}\n`
  for (const { label, category } of left) {
    yield `${palette.red(fit(`- ${categoryName(category)}: ${sanitizeLine(label)} (left)`, width))}\n`
  }
  for (const element of elements) {
    const { label, category, entered } = element
    const sign = entered ? '+' : ' '
    const head = fit(`${sign} ${categoryName(category)}: ${sanitizeLine(label)}`, width - 12)
    yield `\n${entered ? palette.green(head) : palette.bold(head)} ${palette.dim(`(${tokensText(element)})`)}\n`
    const body = bodyText(element.body)
    if (body !== '') yield `${indented(sanitize(body))}\n`
  }
}

function tokensText({ key, tokens }: EnsoContextElement): string {
  return key.startsWith('unknown:') ? 'unknown' : count(tokens)
}

function categoryName(category: EnsoContextElement['category']): string {
  return category === 'toolResults' ? 'tool result' : category
}

function bodyText(body: EnsoContextBody): string {
  switch (body.kind) {
    case 'text':
      return [body.text.trimEnd(), ...body.images.map(imageText)].filter((part) => part !== '').join('\n')
    case 'tool':
      return `${body.description.trimEnd()}\n${jsonLine(body.parameters)}`
    case 'reply':
      return body.parts
        .map((part) => {
          if (part.type === 'toolCall') return `● ${part.name} ${jsonLine(part.arguments)}`
          return part.type === 'thinking' ? `(thinking) ${part.text.trimEnd()}` : part.text.trimEnd()
        })
        .join('\n')
    case 'toolResult':
      return [
        ...(body.arguments === undefined ? [] : [`● ${body.toolName} ${jsonLine(body.arguments)}`]),
        `${body.isError ? 'failed: ' : ''}${body.text.trimEnd()}`,
        ...body.images.map(imageText),
      ].join('\n')
  }
}

function imageText({ mimeType, bytes }: EnsoContextImage): string {
  return `[image, ${mimeType}, ${bytes} bytes]`
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`.trimEnd())
    .join('\n')
}
