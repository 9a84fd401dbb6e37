import { computed, effect, signal, untracked } from '@preact/signals'
import type { EnsoThreadCommands, RuntimeCommand } from '../../core/index.js'
import { calls } from '../api/calls.js'
import { openThread } from './open-thread.js'

/** What the open thread can run, and whether it says so itself. */
export const commands = signal<EnsoThreadCommands | undefined>(undefined)

/** A host command's row, with its options. */
export function hostCommand(name: string): RuntimeCommand | undefined {
  return commands.value?.commands.find((command) => command.source === 'host' && command.name === name)
}

/** The models that may be chosen. */
export const modelRow = computed(() => hostCommand('model'))

/** Asks again. */
export async function refreshCommands(): Promise<void> {
  const threadId = openThread.peek()?.state.threadId
  if (threadId === undefined) return
  const answer = await calls.commands(threadId)
  if (answer.ok && openThread.peek()?.state.threadId === threadId) commands.value = answer.value
}

/** Asks again whenever the thread, its being live, or its model changes. */
export function keepCommands(): void {
  effect(() => {
    const state = openThread.value?.state
    const isLoaded = state?.loaded.value === true
    void state?.live.value
    void state?.model.value
    untracked(() => {
      if (commands.peek()?.threadId !== state?.threadId) commands.value = undefined
      if (isLoaded) void refreshCommands()
    })
  })
}
