import type { EnsoPromptAdmission, RuntimeCommand } from '../../core/index.js'
import { calls } from '../api/calls.js'
import type { Answer } from '../api/http.js'
import type { SentPrompt, ThreadState } from '../model/thread-state.js'
import { commands } from './commands.js'
import { draftOf, putBack, write } from './drafts.js'
import { refreshLists } from './lists.js'
import { go, route } from './place.js'

/** Sends what is written: a host command as one, everything else as a prompt. */
export async function sendDraft(state: ThreadState, admission?: EnsoPromptAdmission): Promise<void> {
  const { threadId } = state
  const draft = draftOf(threadId)
  const [text, images] = [draft.text.peek(), draft.images.peek()]
  if (draft.isSending.peek() || (text.trim() === '' && images.length === 0)) return
  const command = hostCommandIn(text)
  draft.isSending.value = true
  try {
    const problem =
      command === undefined
        ? await prompt(state, text, admission)
        : await runCommand(threadId, command.row, command.value)
    draft.problem.value = problem
    if (problem !== undefined) return
    write(threadId, '')
    draft.images.value = []
  } finally {
    draft.isSending.value = false
  }
}

async function prompt(
  state: ThreadState,
  message: string,
  admission: EnsoPromptAdmission | undefined,
): Promise<string | undefined> {
  const images = draftOf(state.threadId).images.peek()
  // Shown before it is taken: the follow may bring it earlier than the receipt.
  const shown: SentPrompt = { messageId: newId(), text: message, images, queued: state.busy.peek() }
  state.sent.value = [...state.sent.peek(), shown]
  const answer = await calls.prompt(state.threadId, {
    message,
    ...(images.length === 0 ? {} : { images: [...images] }),
    ...(admission === undefined ? {} : { admission }),
  })
  const { messageId = '', queued = false, generation } = answer.ok ? answer.value : {}
  const isOver = !answer.ok || state.rejected.delete(messageId)
  state.sent.value = state.sent
    .peek()
    .flatMap((one) => (one !== shown ? [one] : isOver ? [] : [{ ...shown, messageId, queued, generation }]))
  if (!answer.ok) return answer.reason
  refreshLists()
  return isOver ? 'the prompt was not taken' : undefined
}

let ids = 0
const newId = (): string => `unsent-${++ids}`

/** The host command that a text is, with what stands behind it. */
function hostCommandIn(text: string): { readonly row: RuntimeCommand; readonly value: string | undefined } | undefined {
  const [, name, rest = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(text.trim()) ?? []
  const row = commands.peek()?.commands.find((one) => one.source === 'host' && one.name === name)
  return row === undefined ? undefined : { row, value: rest.trim() === '' ? undefined : rest.trim() }
}

/** Runs a host command, or opens what it shows. @returns why it was refused */
export async function runCommand(
  threadId: string,
  { name, kind }: RuntimeCommand,
  value?: string,
): Promise<string | undefined> {
  if (kind === 'view') {
    go({ threadId: route.peek().threadId, panel: 'context' })
    return undefined
  }
  return reasonOf(await calls.command(threadId, value === undefined ? { name } : { name, value }))
}

/** Switches the permission mode; the change itself comes with the follow. */
export async function setMode(threadId: string, mode: string): Promise<void> {
  draftOf(threadId).problem.value = reasonOf(await calls.mode(threadId, mode))
}

/** Applies a setting that has a row among the commands. */
export async function setSetting(threadId: string, row: RuntimeCommand, value: string): Promise<void> {
  draftOf(threadId).problem.value = await runCommand(threadId, row, value)
}

/** Stops what goes on; prompts that waited go back to the composer. */
export async function stop(threadId: string): Promise<void> {
  const answer = await calls.abort(threadId)
  if (answer.ok) putBack(threadId, answer.value.restored)
  else draftOf(threadId).problem.value = answer.reason
}

function reasonOf(answer: Answer<unknown>): string | undefined {
  return answer.ok ? undefined : answer.reason
}
