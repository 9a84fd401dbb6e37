import { useState } from 'preact/hooks'
import { Tabs } from '../ui/tabs.js'
import { DayStatistics } from './day-statistics.js'
import { ThreadStatistics } from './thread-statistics.js'

/** The open thread in numbers, and a day. */
export function StatisticsPanel({ threadId }: { readonly threadId: string | undefined }) {
  const [tab, setTab] = useState(threadId === undefined ? 'day' : 'thread')
  const tabs = [
    ...(threadId === undefined ? [] : [{ id: 'thread', label: 'This thread' }]),
    { id: 'day', label: 'A day' },
  ]
  const at = threadId === undefined ? 'day' : tab
  return (
    <Tabs label="Statistics" tabs={tabs} at={at} onPick={setTab}>
      {at === 'thread' && threadId !== undefined ? <ThreadStatistics threadId={threadId} /> : <DayStatistics />}
    </Tabs>
  )
}
