import { WEB_SEARCH_TIMEOUT_MS } from '../../../core/web-search.js'
import type { SearchAnswer, SearchBackend } from './backend.js'

/** A search that got through: by whom, and who failed before. */
export interface SearchResult {
  readonly backend: string
  readonly answer: SearchAnswer
  /** Backends that were asked first and failed, each with its reason. */
  readonly failed: readonly string[]
}

/**
 * Asks the backends in order until one answers. They share one deadline: the next gets what the last one left of it.
 *
 * @throws Error naming every backend and why it failed; what aborted it, when it was aborted
 */
export async function search(
  query: string,
  backends: readonly SearchBackend[],
  after: (ms: number, callback: () => void) => () => void,
  signal?: AbortSignal,
): Promise<SearchResult> {
  const deadline = new AbortController()
  const cancel = after(WEB_SEARCH_TIMEOUT_MS, () => deadline.abort())
  const stopped = signal === undefined ? deadline.signal : AbortSignal.any([signal, deadline.signal])
  const failed: string[] = []
  try {
    for (const backend of backends) {
      try {
        const answer = await backend.search(query, stopped)
        if (answer.text.trim() !== '' || answer.sources.length > 0) return { backend: backend.name, answer, failed }
        failed.push(`${backend.name}: it found nothing`)
      } catch (error) {
        if (signal?.aborted) throw error
        if (deadline.signal.aborted) {
          failed.push(`${backend.name}: no answer within ${WEB_SEARCH_TIMEOUT_MS / 1000} seconds`)
          break
        }
        failed.push(`${backend.name}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    throw new Error(`the web could not be searched. ${failed.join('. ')}`)
  } finally {
    cancel()
  }
}
