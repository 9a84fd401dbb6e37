import type { EnsoContextCategory, EnsoContextMakeup } from '../../core/index.js'
import { shortCount } from '../model/words.js'

/** The categories from the ground up, with their names. */
export const CATEGORIES: readonly { readonly id: EnsoContextCategory; readonly label: string }[] = [
  { id: 'system', label: 'Instructions' },
  { id: 'tools', label: 'Tool definitions' },
  { id: 'injected', label: 'Added by enso' },
  { id: 'user', label: 'Prompts' },
  { id: 'assistant', label: 'Replies' },
  { id: 'toolResults', label: 'Tool results' },
]

/** All tokens of a context. */
export function makeupTotal(makeup: EnsoContextMakeup): number {
  return CATEGORIES.reduce((sum, { id }) => sum + makeup[id], 0)
}

/** A context as one bar. */
export function MakeupBar({ makeup }: { readonly makeup: EnsoContextMakeup }) {
  const total = Math.max(1, makeupTotal(makeup))
  let from = 0
  return (
    <svg class="makeup" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
      {CATEGORIES.map(({ id }) => {
        const width = (makeup[id] / total) * 100
        const x = from
        from += width
        return <rect key={id} class={`fill-${id}`} x={x} y={0} width={width} height={4} />
      })}
    </svg>
  )
}

/** What the colours mean, and how much of each there is. */
export function CategoryLegend({ makeup }: { readonly makeup: EnsoContextMakeup }) {
  return (
    <dl class="legend">
      {CATEGORIES.map(({ id, label }) => (
        <div key={id}>
          <dt>
            <span class={`swatch fill-${id}`} aria-hidden="true" />
            {label}
          </dt>
          <dd>{shortCount(makeup[id])}</dd>
        </div>
      ))}
    </dl>
  )
}
