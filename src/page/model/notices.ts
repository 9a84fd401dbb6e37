import type { PageNotice, ThreadState } from './thread-state.js'

/** Most notices that are kept. */
const KEPT = 200

/** Puts a notice behind what is shown now. */
export function addNotice(
  state: ThreadState,
  key: string,
  notice: Pick<PageNotice, 'level' | 'text'> & Partial<Pick<PageNotice, 'atStart' | 'from'>>,
): void {
  const before = state.notices.peek()
  if (before.some((one) => one.key === key)) return
  const after = notice.atStart === true ? undefined : lastKey(state)
  state.notices.value = [...before.slice(-(KEPT - 1)), { atStart: false, ...notice, key, after }]
}

function lastKey(state: ThreadState): string | undefined {
  return state.current.peek()?.key ?? state.messages.peek().at(-1)?.key
}

/** The notices behind each message; those at the start, and those whose message is gone, are apart. */
export interface PlacedNotices {
  readonly atStart: readonly PageNotice[]
  readonly behind: ReadonlyMap<string, readonly PageNotice[]>
  readonly first: readonly PageNotice[]
}

/** Sorts notices to the messages they stand behind. */
export function placeNotices(notices: readonly PageNotice[], keys: ReadonlySet<string>): PlacedNotices {
  const behind = new Map<string, PageNotice[]>()
  const first: PageNotice[] = []
  for (const notice of notices) {
    if (notice.atStart) continue
    const { after } = notice
    if (after === undefined || !keys.has(after)) first.push(notice)
    else behind.set(after, [...(behind.get(after) ?? []), notice])
  }
  return { atStart: notices.filter((notice) => notice.atStart), behind, first }
}
