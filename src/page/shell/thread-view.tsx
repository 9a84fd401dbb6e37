import { useEffect } from 'preact/hooks'
import { ChatList } from '../chat/chat-list.js'
import { DialogCards } from '../cards/dialog-cards.js'
import { Composer } from '../composer/composer.js'
import type { OpenThread } from '../state/open-thread.js'
import { forgetUnreached } from '../state/drafts.js'
import { focusComposer } from '../state/focus.js'
import { ThreadHead } from './thread-head.js'

/** One thread: what was said, what is asked, what is written. */
export function ThreadView({ thread }: { readonly thread: OpenThread }) {
  const { state, follow } = thread
  const connection = follow.connection.value
  const isOpen = connection.kind === 'open'
  useEffect(() => {
    if (isOpen) forgetUnreached(state.threadId)
  }, [isOpen])
  useEffect(() => {
    // A screen keyboard that opens by itself hides what somebody came to read.
    if (matchMedia('(pointer: fine)').matches) focusComposer()
  }, [])
  return (
    <>
      <ThreadHead state={state} />
      <ChatList state={state} />
      <div class="dock">
        {connection.kind === 'refused' && (
          <p class="note is-error" role="alert">
            {connection.reason}
          </p>
        )}
        <DialogCards state={state} />
        <Composer state={state} />
      </div>
    </>
  )
}
