import { useState } from 'preact/hooks'
import type { EnsoContextElement, EnsoThreadContext } from '../../core/index.js'
import { calls } from '../api/calls.js'
import { plain } from '../model/plain.js'
import { shortCount } from '../model/words.js'
import { ElementBody } from './element-body.js'
import { CATEGORIES } from './makeup.js'
import { useAnswer } from './use-answer.js'

interface ContextRequestProps {
  readonly threadId: string
  readonly request: number | 'next'
  readonly context: EnsoThreadContext
}

/** One request's context, element by element. */
export function ContextRequest({ threadId, request, context }: ContextRequestProps) {
  const { value, problem } = useAnswer(() => calls.contextRequest(threadId, request), [threadId, request, context])
  const facts = context.requests.find(({ turn }) => turn === request)
  if (value === undefined) return <p class="quiet">{problem === undefined ? 'Loading…' : plain(problem)}</p>
  return (
    <>
      {facts !== undefined && (
        <p class="quiet">
          {plain(facts.model)} · {shortCount(facts.actual.prompt)} sent, {shortCount(facts.actual.cacheRead)} of them
          from the cache · {shortCount(facts.actual.output)} written
        </p>
      )}
      <ul class="elements">
        {value.elements.map((element, index) => (
          <Element key={index} element={element} />
        ))}
      </ul>
      {value.left.length > 0 && (
        <p class="quiet">Left the context: {value.left.map(({ label }) => plain(label)).join(', ')}</p>
      )}
    </>
  )
}

function Element({ element }: { readonly element: EnsoContextElement }) {
  const [open, setOpen] = useState(false)
  const category = CATEGORIES.find(({ id }) => id === element.category)?.label ?? element.category
  return (
    <li>
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <span class={`swatch fill-${element.category}`} title={category} />
          <span class="ellipsis">{plain(element.label.slice(0, 300))}</span>
          {element.entered && <span class="tag">new</span>}
          <span class="quiet">{shortCount(element.tokens)}</span>
        </summary>
        {open && <ElementBody body={element.body} />}
      </details>
    </li>
  )
}
