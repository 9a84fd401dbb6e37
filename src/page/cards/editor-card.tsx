import { useState } from 'preact/hooks'
import { CardButtons } from './card-buttons.js'
import type { CardProps } from './card-props.js'

/** A text to write or change. */
export function EditorCard({ dialog, busy, answer }: CardProps<'editor'>) {
  const [value, setValue] = useState(dialog.prefill ?? '')
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        answer({ value })
      }}
    >
      <textarea
        class="field is-tall"
        aria-label="Text"
        rows={Math.min(16, Math.max(5, value.split('\n').length + 1))}
        value={value}
        spellcheck={false}
        onInput={({ currentTarget }) => setValue(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          answer({ value })
        }}
      />
      <CardButtons busy={busy} onCancel={() => answer({ cancelled: true })}>
        <button type="submit" class="button is-main" aria-disabled={busy}>
          Save
        </button>
      </CardButtons>
    </form>
  )
}
