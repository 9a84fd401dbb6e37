import { computed, signal } from '@preact/signals'
import type { EnsoProject } from '../../core/index.js'
import { calls } from '../api/calls.js'
import { token } from '../api/token.js'
import { threadGroups, type ThreadLists, type ThreadRow } from '../model/thread-groups.js'

const POLL_MS = 10_000
/** Several reasons to look again within this time are one, in milliseconds. */
const GATHER_MS = 400

/** What the rail shows; undefined until the server has said it. */
export const lists = signal<ThreadLists | undefined>(undefined)
export const projects = signal<readonly EnsoProject[]>([])

/** The threads by project. */
export const groups = computed(() => threadGroups(projects.value, lists.value ?? { live: [], stored: [] }))

/** A thread's row, if it is in the lists. */
export function rowOf(threadId: string): ThreadRow | undefined {
  for (const { rows } of groups.value) {
    const found = rows.find((row) => row.threadId === threadId)
    if (found !== undefined) return found
  }
  return undefined
}

let timer: ReturnType<typeof setTimeout> | undefined

/** Looks again soon. */
export function refreshLists(): void {
  timer ??= setTimeout(() => {
    timer = undefined
    void load()
  }, GATHER_MS)
}

/** Reads both lists. */
export async function load(): Promise<void> {
  if (token.peek() === undefined) return
  const [threads, known] = await Promise.all([calls.threads(), calls.projects()])
  if (known.ok && !isEqual(known.value, projects.peek())) projects.value = known.value
  if (threads.ok && !isEqual(threads.value, lists.peek())) lists.value = threads.value
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Reads the lists now and then as long as somebody looks. */
export function pollLists(): void {
  void load()
  setInterval(() => {
    if (!document.hidden) void load()
  }, POLL_MS)
  addEventListener('visibilitychange', () => {
    if (!document.hidden) refreshLists()
  })
}
