import type { EnsoConfigurationRefusal } from '../../core/index.js'
import { calls } from '../api/calls.js'
import { go } from './place.js'
import { load } from './lists.js'
import { followAhead, leaveAhead } from './open-thread.js'

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
  await followAhead(threadId)
  const refusal = await begin(threadId, settings, prompt)
  if (refusal !== undefined) {
    leaveAhead()
    return refusal
  }
  go({ threadId })
  void load()
  return undefined
}

async function begin(threadId: string, settings: StartSettings, prompt: string): ReturnType<typeof startThread> {
  const given = Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== ''))
  if (Object.keys(given).length > 0) {
    const answer = await calls.configure(threadId, given)
    if (!answer.ok) return isStep(answer.body) ? answer.body : answer.reason
  }
  if (prompt.trim() === '') return undefined
  const answer = await calls.prompt(threadId, { message: prompt })
  return answer.ok ? undefined : answer.reason
}

function isStep(body: unknown): body is EnsoConfigurationRefusal {
  return typeof body === 'object' && body !== null && 'step' in body && 'reason' in body
}
