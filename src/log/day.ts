/** `2026-09-22`: a local calendar day, as log files are named by. */
export function localDayOf(epochMs: number): string {
  const at = new Date(epochMs)
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

/** A local day and the instants it spans, epoch milliseconds. Days with a clock change are shorter or longer. */
export interface LocalDay {
  readonly day: string
  readonly from: number
  /** The first instant that is no longer in it. */
  readonly until: number
}

/** The local day an instant is in. */
export function localDaySpan(epochMs: number): LocalDay {
  const at = new Date(epochMs)
  const from = new Date(at.getFullYear(), at.getMonth(), at.getDate()).getTime()
  const until = new Date(at.getFullYear(), at.getMonth(), at.getDate() + 1).getTime()
  return { day: localDayOf(epochMs), from, until }
}

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/

/** Is this text a day that exists? `2026-02-30` is none, and neither is anything with a path in it. */
export function isLogDay(text: string): boolean {
  const parts = DAY.exec(text)
  if (parts === null) return false
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])]
  const date = new Date(Date.UTC(year, month - 1, day))
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** The name of a day's file. */
export function dayFileName(day: string): string {
  return `enso-${day}.jsonl`
}

/** The day a file's name says, or `undefined` for any other file. */
export function dayOfFileName(name: string): string | undefined {
  const day = /^enso-(.{10})\.jsonl$/.exec(name)?.[1]
  return day !== undefined && isLogDay(day) ? day : undefined
}
