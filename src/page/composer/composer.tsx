import { useSignalEffect } from '@preact/signals'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { RuntimeCommand } from '../../core/index.js'
import { typedCommand } from '../model/palette.js'
import type { ThreadState } from '../model/thread-state.js'
import { runCommand, sendDraft } from '../state/acts.js'
import { draftOf, putBack, write } from '../state/drafts.js'
import { focusComposer } from '../state/focus.js'
import { attach } from './attach.js'
import { AttachedImages } from './attached-images.js'
import { CommandValue } from './command-value.js'
import { activeOption, Palette, type PaletteKeys } from './palette.js'
import { QueueList } from './queue-list.js'
import { SendButtons } from './send-buttons.js'
import { Settings } from './settings.js'

/** Where prompts and commands are written. */
export function Composer({ state }: { readonly state: ThreadState }) {
  const { threadId } = state
  const draft = draftOf(threadId)
  const text = draft.text.value
  const [asked, setAsked] = useState<RuntimeCommand | undefined>(undefined)
  const [dismissed, setDismissed] = useState('')
  const keys = useRef<PaletteKeys | undefined>(undefined)
  const typed = typedCommand(text)
  const hasPalette = typed !== undefined && dismissed !== text && asked === undefined

  // What was handed back goes before what is being written.
  useSignalEffect(() => {
    const returned = state.returned.value
    if (returned.length === 0) return
    state.returned.value = []
    putBack(threadId, returned)
  })

  const pick = (command: RuntimeCommand): void => {
    if (command.source !== 'host') {
      write(threadId, `/${command.name} `)
      focusComposer()
      return
    }
    write(threadId, '')
    if ((command.options ?? []).length > 0) setAsked(command)
    else void runCommand(threadId, command).then((problem) => (draft.problem.value = problem))
  }

  return (
    <div class="composer">
      <QueueList state={state} />
      {hasPalette && <Palette typed={typed} keys={keys} onPick={pick} onClose={() => setDismissed(text)} />}
      {asked !== undefined && (
        <CommandValue
          threadId={threadId}
          command={asked}
          onClose={() => {
            setAsked(undefined)
            focusComposer()
          }}
        />
      )}
      <div
        class="composer-box"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => attach(draft, event, event.dataTransfer)}
      >
        <AttachedImages draft={draft} />
        <ComposerText
          text={text}
          label={state.busy.value ? 'Write while enso works' : 'Ask enso'}
          expanded={hasPalette}
          onInput={(value) => write(threadId, value)}
          onPaste={(event) => attach(draft, event, event.clipboardData)}
          onKey={(event) => {
            if (hasPalette && keys.current?.(event) === true) return
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
            event.preventDefault()
            void sendDraft(state, event.ctrlKey || event.metaKey ? 'interrupt' : undefined)
          }}
        />
        <div class="composer-foot">
          <Settings state={state} />
          <SendButtons state={state} draft={draft} />
        </div>
      </div>
      <p class="problem" role="alert">
        {draft.problem.value}
      </p>
    </div>
  )
}

interface ComposerTextProps {
  readonly text: string
  readonly label: string
  readonly expanded: boolean
  readonly onInput: (text: string) => void
  readonly onPaste: (event: ClipboardEvent) => void
  readonly onKey: (event: KeyboardEvent) => void
}

/** A field that grows with its text. */
function ComposerText({ text, label, expanded, onInput, onPaste, onKey }: ComposerTextProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => {
    if (field.current === null) return
    field.current.style.height = 'auto'
    field.current.style.height = `${Math.min(field.current.scrollHeight, 320)}px`
  }, [text])
  return (
    <textarea
      id="composer-text"
      ref={field}
      rows={1}
      aria-label={label}
      aria-autocomplete="list"
      aria-controls={expanded ? 'palette' : undefined}
      aria-activedescendant={expanded ? activeOption.value : undefined}
      placeholder={`${label}… ( / for commands )`}
      value={text}
      enterkeyhint="send"
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
      onPaste={onPaste}
      onKeyDown={onKey}
    />
  )
}
