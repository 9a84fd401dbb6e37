import { useComputed } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { PageMessage } from '../model/messages.js'
import { placeNotices } from '../model/notices.js'
import type { ThreadState } from '../model/thread-state.js'
import { Icon } from '../ui/icon.js'
import { Activity } from './activity.js'
import { MessageRow } from './message-row.js'
import { Notice, StartNotices } from './notices.js'
import { Pictures } from './pictures.js'
import { useScrolling } from './scroll.js'
import { UserText } from './user-text.js'

/** A thread's messages, the newest in sight. */
export function ChatList({ state }: { readonly state: ThreadState }) {
  const messages = state.messages.value
  const currentKey = useComputed(() => state.current.value?.key).value
  const scrolling = useScrolling(messages.length, state.threadId)
  // Who sends something wants to see what comes of it.
  const sent = state.sent.value.findLast(({ queued }) => !queued)?.messageId
  useEffect(() => {
    if (sent !== undefined) scrolling.toEnd()
  }, [sent])
  const keys = new Set(messages.map(({ key }) => key))
  if (currentKey !== undefined) keys.add(currentKey)
  const notices = placeNotices(state.notices.value, keys)
  const behind = (key: string) => notices.behind.get(key)?.map((notice) => <Notice key={notice.key} notice={notice} />)
  const rows: { readonly key: string; readonly message: PageMessage | undefined }[] = messages
    .slice(scrolling.first)
    .map((message) => ({ key: message.key, message }))
  if (currentKey !== undefined) rows.push({ key: currentKey, message: undefined })
  const isEmpty = state.loaded.value && messages.length === 0 && currentKey === undefined
  return (
    <div class="chat-area">
      <div
        class="chat"
        role="log"
        aria-live="off"
        aria-label="Conversation"
        tabIndex={0}
        ref={scrolling.box}
        onScroll={scrolling.onScroll}
        onClick={({ target }) => {
          if ((target as Element).closest('summary, .more') !== null) scrolling.hold()
        }}
      >
        <div class="chat-content" ref={scrolling.content}>
          {scrolling.first === 0 && <StartNotices notices={notices.atStart} />}
          {notices.first.map((notice) => (
            <Notice key={notice.key} notice={notice} />
          ))}
          {scrolling.first > 0 && <p class="quiet centred">Earlier messages appear as you scroll up.</p>}
          {rows.map(({ key, message }, index) => (
            <div key={key} class="row">
              <MessageRow
                message={message}
                current={state.current}
                isRetried={isReply(rows[index + 1]?.message, index + 1 < rows.length)}
              />
              {behind(key)}
            </div>
          ))}
          <SentRows state={state} />
          {isEmpty && state.sent.value.length === 0 && <Beginning state={state} />}
          <Activity state={state} />
        </div>
      </div>
      {!scrolling.isAtEnd && (
        <button type="button" class="to-end" onClick={scrolling.toEnd}>
          <Icon name="down" /> To the newest
        </button>
      )}
    </div>
  )
}

/** True for a reply, and for the message that is being written where it is no prompt. */
function isReply(message: PageMessage | undefined, isThere: boolean): boolean {
  return isThere && message?.role !== 'user'
}

/** Prompts that are on their way. */
function SentRows({ state }: { readonly state: ThreadState }) {
  return (
    <>
      {state.sent.value
        .filter(({ queued }) => !queued)
        .map(({ messageId, text, images }) => (
          <article key={messageId} class="prompt is-sent" aria-label="You, on its way">
            <div class="bubble">
              <Pictures images={images} />
              <UserText text={text} />
            </div>
          </article>
        ))}
    </>
  )
}

function Beginning({ state }: { readonly state: ThreadState }) {
  return (
    <div class="beginning">
      <p>Nothing here yet.</p>
      <p class="quiet">
        enso works in <code>{state.cwd.value}</code>. Say what you want done; it asks before it changes anything you did
        not allow.
      </p>
    </div>
  )
}
