import type { EnsoTruncation } from '../../core/index.js'

/** A count in few characters: `999`, `1.2k`, `34k`, `1.5M`. */
export function shortCount(count: number): string {
  if (count < 1000) return String(Math.round(count))
  for (const [unit, size] of [
    ['k', 1000],
    ['M', 1_000_000],
  ] as const) {
    const scaled = count / size
    if (scaled < 9.95) return `${scaled.toFixed(1)}${unit}`
    if (scaled < 999.5) return `${Math.round(scaled)}${unit}`
  }
  return `${(count / 1_000_000_000).toFixed(1)}G`
}

/** Dollars; more digits where there is little. */
export function dollars(cost: number): string {
  if (cost === 0) return '$0'
  if (cost < 0.0001) return '<$0.0001'
  return `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`
}

/** A duration: `340 ms`, `2.4 s`, `3 min 5 s`, `2 h 1 min`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = ms / 1000
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  const minutes = Math.floor(whole / 60)
  return minutes < 60 ? `${minutes} min ${whole % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** How long ago, in one or two words; a date beyond a week. */
export function ago(iso: string, now: number): string {
  const at = Date.parse(iso)
  if (Number.isNaN(at)) return ''
  const minutes = Math.floor((now - at) / 60_000)
  if (minutes < 1) return 'now'
  if (minutes < 60) return `${minutes} min`
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)} h`
  if (minutes < 7 * 24 * 60) return `${Math.floor(minutes / (24 * 60))} d`
  return iso.slice(0, 10)
}

/** Bytes: `900 B`, `1.2 kB`, `3.4 MB`. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)} kB` : `${(count / 1_000_000).toFixed(1)} MB`
}

/** `1 line`, `3 lines`. */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

/** How much of a result is there: `2,000 of 8,123 lines`. */
export function truncationText({ shown, total, unit }: EnsoTruncation): string {
  if (unit === 'bytes') return `${bytes(shown)} of ${bytes(total)}`
  return `${shown.toLocaleString('en')} of ${total.toLocaleString('en')} ${unit}`
}

/** The first line of a text, at most `length` characters. */
export function firstLine(text: string, length: number): string {
  const line = text.trimStart().split('\n', 1)[0]!.trim()
  return line.length > length ? `${line.slice(0, length - 1).trimEnd()}…` : line
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.split('/').findLast((part) => part !== '') ?? path
}
