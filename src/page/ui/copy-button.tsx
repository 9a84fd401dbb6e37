import { useState } from 'preact/hooks'
import { Icon } from './icon.js'

/** How long it says that it worked, in milliseconds. */
const SAID_MS = 1600

/** Copies a text and says so. */
export function CopyButton({ text, label = 'Copy' }: { readonly text: string; readonly label?: string }) {
  const [state, setState] = useState<'ready' | 'copied' | 'failed'>('ready')
  const said = { ready: label, copied: 'Copied', failed: 'Select the text to copy it' }[state]
  const copy = async (): Promise<void> => {
    const worked = await copyText(text)
    setState(worked ? 'copied' : 'failed')
    setTimeout(() => setState('ready'), SAID_MS)
  }
  return (
    <button type="button" class="copy" onClick={() => void copy()} aria-label={said} title={said}>
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span aria-live="polite">{state === 'ready' ? '' : said}</span>
    </button>
  )
}

/** The clipboard is only there over https and on this machine. */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
