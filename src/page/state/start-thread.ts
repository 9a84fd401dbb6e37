import type { EnsoConfigurationRefusal } from '../../core/index.js'
import { calls } from '../api/calls.js'
import { go } from './place.js'
import { load } from './lists.js'

/** Settings of a thread that is to begin; an empty one is the server's default. */
export interface StartSettings {
  readonly model: string
  readonly thinking: string
  readonly mode: string
}

/**
 * Begins a thread: settings first, together, then its first prompt, then the page goes there.
 * @returns which setting was refused, or why nothing began
 */
export async function startThread(
  threadId: string,
  settings: StartSettings,
  prompt: string,
): Promise<EnsoConfigurationRefusal | string | undefined> {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''))
  if (Object.keys(given).length > 0) {
    const answer = await calls.configure(threadId, given)
    if (!answer.ok) return isStep(answer.body) ? answer.body : answer.reason
  }
  if (prompt.trim() !== '') {
    const answer = await calls.prompt(threadId, { message: prompt })
    if (!answer.ok) return answer.reason
  }
  go({ threadId })
  void load()
  return undefined
}

function isStep(body: unknown): body is EnsoConfigurationRefusal {
  return typeof body === 'object' && body !== null && 'step' in body && 'reason' in body
}
