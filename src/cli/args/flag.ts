/** One flag of a command: how it is written, whether it takes a value, and what its help says. */
export interface FlagSpec {
  /** The long spelling without dashes. */
  readonly name: string
  /** One letter. */
  readonly short?: string
  /** Other long spellings that people know from elsewhere; never shown in help. */
  readonly aliases?: readonly string[]
  /** How the value is called in help; a flag without one is a switch. */
  readonly value?: string
  /** The value may be left out. */
  readonly optional?: boolean
  /** May be given several times; else the last one counts. */
  readonly many?: boolean
  /** The only values taken. */
  readonly choices?: readonly string[]
  readonly help: string
}

/** A command line taken apart: flags by their long name, words in order, and what came after `--`. */
export interface CommandLine {
  has(name: string): boolean
  /** The last value given, `''` when an optional one was left out, `undefined` when the flag was not given. */
  value(name: string): string | undefined
  /** Every value given, in order. */
  values(name: string): readonly string[]
  readonly words: readonly string[]
  /** The words after `--`, never looked at for flags or `@file`. */
  readonly literal: readonly string[]
}

/** Why a command line was refused, and what to do instead. */
export interface UsageRefusal {
  readonly reason: string
  readonly hint?: string
}

/** What reading a command line gave. */
export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: UsageRefusal }

/** A refused command line as a value. */
export function usageRefused(reason: string, hint?: string): { readonly ok: false; readonly refusal: UsageRefusal } {
  return { ok: false, refusal: hint === undefined ? { reason } : { reason, hint } }
}
