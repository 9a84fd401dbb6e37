import { useState } from 'preact/hooks'
import { firstLine } from '../model/words.js'
import { plain } from '../model/plain.js'
import { ShownText } from '../ui/shown-text.js'

/** What the model thought, folded; while it thinks, its last words. */
export function Thinking({ text, growing }: { readonly text: string; readonly growing: boolean }) {
  const [open, setOpen] = useState(false)
  const hint = growing ? plain(text.slice(-120)).split('\n').at(-1) : firstLine(plain(text.slice(0, 400)), 90)
  return (
    <details class="thinking" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span class={growing ? 'pulse' : ''}>{growing ? 'Thinking' : 'Thought'}</span>
        {!open && <span class="quiet ellipsis">{hint}</span>}
      </summary>
      {open && (
        <ShownText text={plain(text)} lines={120}>
          {(shown) => <div class="thinking-text">{shown}</div>}
        </ShownText>
      )}
    </details>
  )
}
