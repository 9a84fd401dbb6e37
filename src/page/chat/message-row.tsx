import type { ReadonlySignal } from '@preact/signals'
import type { PageMessage, PagePart } from '../model/messages.js'
import { ago, dollars, shortCount } from '../model/words.js'
import { halfMinutes } from '../state/clock.js'
import { Markdown } from './markdown.js'
import { Pictures } from './pictures.js'
import { RefusalNote } from './refusal-note.js'
import { Thinking } from './thinking.js'
import { ToolRow } from './tool-row.js'
import { UserText } from './user-text.js'

interface MessageRowProps {
  /** The request was refused and then tried again. */
  readonly isRetried: boolean
  /** Left out for the message that is being written: it is read where it grows, so that only its own row is drawn. */
  readonly message: PageMessage | undefined
  readonly current: ReadonlySignal<PageMessage | undefined>
}

/** One message. The row of a message stays the same when it is complete: what somebody opened in it stays open. */
export function MessageRow({ message, current, isRetried }: MessageRowProps) {
  const shown = message ?? current.value
  if (shown === undefined) return null
  if (shown.role === 'user') return <Prompt message={shown} />
  return <Reply message={shown} growing={message === undefined} isRetried={isRetried} />
}

function Prompt({ message }: { readonly message: PageMessage }) {
  const images = message.parts.flatMap((part) => (part.type === 'image' ? [part] : []))
  return (
    <article class="prompt" aria-label="You">
      <div class="bubble">
        <Pictures images={images} />
        {message.parts.map((part, index) => (part.type === 'text' ? <UserText key={index} text={part.text} /> : null))}
      </div>
      <Time at={message.at} />
    </article>
  )
}

interface ReplyProps {
  readonly message: PageMessage
  readonly growing: boolean
  readonly isRetried: boolean
}

function Reply({ message, growing, isRetried }: ReplyProps) {
  const last = message.parts.length - 1
  return (
    <article class="reply" aria-label="enso" aria-busy={growing}>
      {message.parts.map((part, index) => (
        <Part
          key={index}
          part={part}
          growing={growing && index === last && message.usage === undefined}
          saidAs={message.isSeen === true ? `${message.key} ${index}` : undefined}
        />
      ))}
      {message.refusal !== undefined && <RefusalNote refusal={message.refusal} isRetried={isRetried} />}
      <Footnote message={message} />
    </article>
  )
}

interface PartProps {
  readonly part: PagePart
  readonly growing: boolean
  readonly saidAs: string | undefined
}

function Part({ part, growing, saidAs }: PartProps) {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? null : <Markdown text={part.text} growing={growing} saidAs={saidAs} />
    case 'thinking':
      return part.text.trim() === '' ? null : <Thinking text={part.text} growing={growing} />
    case 'tool':
      return <ToolRow tool={part.tool} />
    case 'image':
      return <Pictures images={[part]} />
  }
}

function Footnote({ message: { usage, model, parts, refusal } }: { readonly message: PageMessage }) {
  // A reply that calls tools goes on in the next: what it took is said once, where it ends.
  if (usage === undefined || refusal !== undefined || parts.some((part) => part.type === 'tool')) return null
  const input = usage.input + usage.cacheRead + usage.cacheWrite
  return (
    <footer class="footnote">
      {model !== undefined && <span>{model}</span>}
      <span title="tokens read and written">
        {shortCount(input)} in · {shortCount(usage.output)} out
      </span>
      {usage.totalCost !== undefined && usage.totalCost > 0 && <span>{dollars(usage.totalCost)}</span>}
    </footer>
  )
}

function Time({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return null
  return (
    <time class="quiet" dateTime={at} title={new Date(at).toLocaleString()}>
      {ago(at, halfMinutes.value)}
    </time>
  )
}
