import { plain } from '../model/plain.js'
import { ShownText } from '../ui/shown-text.js'
import { OutLink } from '../ui/out-link.js'

type Props = Readonly<Record<string, unknown>>

const LINES = 30

interface Source {
  readonly title?: unknown
  readonly url?: unknown
}

/** What a search of the web came to, and where it was found. */
export function Sources({ props, text }: { readonly props: Props; readonly text: string }) {
  const sources = (Array.isArray(props['sources']) ? props['sources'] : []) as Source[]
  return (
    <>
      <ol class="sources">
        {sources.map(({ title, url }, index) => (
          <li key={index}>
            <OutLink href={String(url ?? '')}>{String(title ?? '') || String(url ?? '')}</OutLink>
          </li>
        ))}
      </ol>
      <FoundText text={text} />
    </>
  )
}

/** One page that was read. */
export function Page({ props, text }: { readonly props: Props; readonly text: string }) {
  return (
    <>
      <p>
        <OutLink href={String(props['url'] ?? '')}>{String(props['url'] ?? '')}</OutLink>
      </p>
      <FoundText text={text} />
    </>
  )
}

function FoundText({ text }: { readonly text: string }) {
  return (
    <ShownText text={plain(text)} lines={LINES}>
      {(shown) => <pre tabIndex={0}>{shown}</pre>}
    </ShownText>
  )
}

interface Answered {
  readonly header: string
  readonly question: string
}

/** Questions and how they were answered. */
export function Answers({ props, text }: { readonly props: Props; readonly text: string }) {
  const questions = (Array.isArray(props['questions']) ? props['questions'] : []) as Answered[]
  const answers = (Array.isArray(props['answers']) ? props['answers'] : []) as { selected?: string[]; other?: string }[]
  if (questions.length === 0 || answers.length === 0) return <p class="plain-text">{plain(text)}</p>
  return (
    <dl class="answers">
      {questions.map(({ header, question }, index) => {
        const { selected = [], other } = answers[index] ?? {}
        return (
          <div key={header}>
            <dt>{plain(question)}</dt>
            <dd>{plain([...selected, ...(other === undefined ? [] : [`“${other}”`])].join(', '))}</dd>
          </div>
        )
      })}
    </dl>
  )
}
