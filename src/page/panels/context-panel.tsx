import { useState } from 'preact/hooks'
import { useComputed } from '@preact/signals'
import type { EnsoThreadContext } from '../../core/index.js'
import { calls } from '../api/calls.js'
import { plain } from '../model/plain.js'
import { shortCount } from '../model/words.js'
import { openThread } from '../state/open-thread.js'
import { Tabs } from '../ui/tabs.js'
import { ContextEvents } from './context-events.js'
import { ContextFiles } from './context-files.js'
import { ContextRequest } from './context-request.js'
import { CategoryLegend, makeupTotal, MakeupBar } from './makeup.js'
import { RequestChart } from './request-chart.js'
import { useAnswer } from './use-answer.js'

/** What fills a thread's context: over its requests, in one of them, and which files went in. */
export function ContextPanel({ threadId }: { readonly threadId: string }) {
  // Asked again whenever a run ends.
  const generation = useComputed(() => {
    const state = openThread.value?.state
    return `${state?.generation.value} ${state?.busy.value} ${state?.usage.value.output}`
  }).value
  const { value, problem } = useAnswer(() => calls.context(threadId), [threadId, generation])
  const [chosen, setChosen] = useState<number | 'next'>('next')
  const [tab, setTab] = useState('request')
  if (value === undefined) return <p class="quiet">{problem === undefined ? 'Loading…' : plain(problem)}</p>
  return (
    <>
      <Now context={value} />
      <RequestChart context={value} chosen={chosen} onChoose={setChosen} />
      <Tabs
        label="Context"
        at={tab}
        onPick={setTab}
        tabs={[
          { id: 'request', label: chosen === 'next' ? 'Next request' : `Request ${chosen}` },
          { id: 'events', label: `Events (${value.events.length})` },
          { id: 'files', label: `Files (${value.files.length})` },
        ]}
      >
        {tab === 'request' && <ContextRequest threadId={threadId} request={chosen} context={value} />}
        {tab === 'events' && <ContextEvents events={value.events} />}
        {tab === 'files' && <ContextFiles files={value.files} />}
      </Tabs>
    </>
  )
}

function Now({ context: { usage, next } }: { readonly context: EnsoThreadContext }) {
  const total = makeupTotal(next)
  return (
    <section>
      <p class="figure">
        <strong>{usage?.tokens == null ? `about ${shortCount(total)}` : shortCount(usage.tokens)}</strong>
        <span class="quiet">
          {usage === null ? ' tokens would be sent next' : ` of ${shortCount(usage.window)} tokens`}
          {usage?.percent == null ? '' : ` · ${Math.round(usage.percent)}%`}
        </span>
      </p>
      <MakeupBar makeup={next} />
      <CategoryLegend makeup={next} />
    </section>
  )
}
