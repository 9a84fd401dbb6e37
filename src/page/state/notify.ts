import { effect, signal, untracked } from '@preact/signals'
import { plain } from '../model/plain.js'
import { openThread } from './open-thread.js'
import { titleOf } from './title.js'

const isThere = (): boolean => 'Notification' in globalThis

/** True while nobody has said yet whether this page may notify. */
export const mayAskToNotify = signal(isThere() && Notification.permission === 'default')

/** Asks the person, through the browser. */
export async function askToNotify(): Promise<void> {
  await Notification.requestPermission()
  mayAskToNotify.value = Notification.permission === 'default'
}

/** Notifies of a question that nobody sees, where that is allowed. */
export function notifyOfQuestions(): void {
  const known = new Set<string>()
  effect(() => {
    const state = openThread.value?.state
    for (const { id, dialog } of state?.dialogs.value ?? []) {
      if (known.has(id)) continue
      known.add(id)
      if (!document.hidden || !isThere() || Notification.permission !== 'granted') continue
      const shown = new Notification(plain(dialog.title), { body: 'enso waits for your answer.', tag: id })
      shown.addEventListener('click', () => {
        window.focus()
        shown.close()
      })
    }
  })
}

/** The tab's title says what is open and how many questions wait. */
export function keepTitle(): void {
  effect(() => {
    const state = openThread.value?.state
    const waiting = state?.dialogs.value.length ?? 0
    const title = state === undefined ? undefined : titleOf(state)
    untracked(() => {
      document.title = `${waiting > 0 ? `(${waiting}) ` : ''}${title === undefined ? 'enso' : `${plain(title)} – enso`}`
    })
  })
}
