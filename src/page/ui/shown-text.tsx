import type { ComponentChild } from 'preact'
import { useState } from 'preact/hooks'
import { clip } from '../model/clip.js'
import { shortCount } from '../model/words.js'

/** How much more each step shows, as a factor. */
const STEP = 8

/** Characters of a line that count as one line: a text without line ends is as tall as it is long. */
const LINE_CHARACTERS = 160

/** As much of a text as can be looked at, and the buttons that show the rest in steps. */
export function useShownText(text: string, lines: number): { readonly text: string; readonly more: ComponentChild } {
  const [factor, setFactor] = useState(1)
  const shown = clip(text, lines * factor, lines * factor * LINE_CHARACTERS)
  if (shown.hidden === 0 && factor === 1) return { text: shown.text, more: null }
  const more = (
    <p class="more">
      {shown.hidden > 0 && (
        <button type="button" class="link-button" onClick={() => setFactor(factor * STEP)}>
          Show more ({shortCount(shown.hidden)} characters)
        </button>
      )}
      {factor > 1 && (
        <button type="button" class="link-button" onClick={() => setFactor(1)}>
          Show less
        </button>
      )}
    </p>
  )
  return { text: shown.text, more }
}

interface ShownTextProps {
  readonly text: string
  readonly lines: number
  /** Draws the part of the text that is shown. */
  readonly children: (text: string) => ComponentChild
}

/** The same around whatever draws the text. */
export function ShownText({ text, lines, children }: ShownTextProps) {
  const shown = useShownText(text, lines)
  return (
    <>
      {children(shown.text)}
      {shown.more}
    </>
  )
}
