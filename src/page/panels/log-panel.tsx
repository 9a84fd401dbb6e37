import { useState } from 'preact/hooks'
import { Tabs } from '../ui/tabs.js'
import { BundleButton } from './bundle-button.js'
import { LogTail } from './log-tail.js'
import { ThreadTail } from './thread-tail.js'
import { Timeline } from './timeline.js'

/** What is written down while it happens, and what a thread's events were. */
export function LogPanel({ threadId }: { readonly threadId: string | undefined }) {
  const [tab, setTab] = useState('log')
  const ofThread = [
    { id: 'events', label: 'Events' },
    { id: 'timeline', label: 'Timeline' },
  ]
  const at = threadId === undefined ? 'log' : tab
  return (
    <Tabs
      label="Log"
      tabs={[{ id: 'log', label: 'Live log' }, ...(threadId === undefined ? [] : ofThread)]}
      at={at}
      onPick={setTab}
    >
      {at === 'log' && <LogTail threadId={threadId} />}
      {at === 'events' && threadId !== undefined && <ThreadTail threadId={threadId} />}
      {at === 'timeline' && threadId !== undefined && <Timeline threadId={threadId} />}
      {threadId !== undefined && <BundleButton threadId={threadId} />}
    </Tabs>
  )
}
