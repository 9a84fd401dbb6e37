import { useState } from 'preact/hooks'
import { browserSection } from '../../core/index.js'
import { calls } from '../api/calls.js'
import { keptRecords } from '../api/page-log.js'
import { Icon } from '../ui/icon.js'

/** Saves a thread's records, and this page's own, as one file to read and to send. */
export function BundleButton({ threadId }: { readonly threadId: string }) {
  const [problem, setProblem] = useState<string | undefined>()
  async function save(): Promise<void> {
    setProblem(undefined)
    try {
      const response = await calls.bundle(threadId)
      if (!response.ok) throw new Error(`the server answered ${response.status}`)
      const text = (await response.text()) + browserSection(keptRecords(), location.origin)
      offer(new Blob([text], { type: 'text/markdown' }), `enso-${threadId}.md`)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <p class="bundle">
      <button type="button" class="button" onClick={() => void save()}>
        <Icon name="download" /> Download a bundle
      </button>
      <span class="quiet">Records of this thread, without secrets. Read it before you send it.</span>
      <span class="problem" role="alert">
        {problem}
      </span>
    </p>
  )
}

function offer(blob: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
