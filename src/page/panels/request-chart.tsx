import type { EnsoThreadContext } from '../../core/index.js'
import { plain } from '../model/plain.js'
import { firstLine, shortCount } from '../model/words.js'
import { CATEGORIES, makeupTotal } from './makeup.js'

/** Bars that fit; of more requests the last are drawn. */
const BARS = 60
const HEIGHT = 100

interface RequestChartProps {
  readonly context: EnsoThreadContext
  readonly chosen: number | 'next'
  readonly onChoose: (request: number | 'next') => void
}

/** What each request carried, as a stacked bar each; choosing one shows what was in it. */
export function RequestChart({ context, chosen, onChoose }: RequestChartProps) {
  const { requests, next } = context
  if (requests.length === 0) return <p class="quiet">No request was sent yet.</p>
  const bars = [
    ...requests.slice(-BARS).map((request) => ({
      id: request.turn as number | 'next',
      makeup: request.estimated,
      label: `Request ${request.turn}: ${firstLine(plain(request.brief.reply || request.brief.toolCalls.join(', ')), 60)}`,
      isCompacted: request.compaction !== undefined,
    })),
    { id: 'next' as const, makeup: next, label: 'The next request', isCompacted: false },
  ]
  const most = Math.max(1, ...bars.map(({ makeup }) => makeupTotal(makeup)))
  return (
    <section class="chart" aria-label="Tokens over requests">
      <p class="chart-scale quiet">{shortCount(most)} tokens</p>
      <div class="bars">
        {bars.map(({ id, makeup, label, isCompacted }) => (
          <button
            key={id}
            type="button"
            class={`bar ${id === chosen ? 'is-chosen' : ''} ${id === 'next' ? 'is-next' : ''}`}
            aria-pressed={id === chosen}
            aria-label={`${label}, ${shortCount(makeupTotal(makeup))} tokens${isCompacted ? ', after a compaction' : ''}`}
            title={label}
            onClick={() => onChoose(id)}
          >
            <Stack makeup={makeup} most={most} />
            {isCompacted && <span class="compacted" aria-hidden="true" />}
          </button>
        ))}
      </div>
      {requests.length > BARS && (
        <p class="quiet">
          The last {BARS} of {requests.length} requests.
        </p>
      )}
    </section>
  )
}

function Stack({ makeup, most }: { readonly makeup: EnsoThreadContext['next']; readonly most: number }) {
  let top = HEIGHT
  return (
    <svg viewBox={`0 0 10 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {CATEGORIES.map(({ id }) => {
        const height = (makeup[id] / most) * HEIGHT
        top -= height
        return <rect key={id} class={`fill-${id}`} x={0} y={top} width={10} height={height} />
      })}
    </svg>
  )
}
