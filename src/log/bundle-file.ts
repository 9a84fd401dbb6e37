import { buildLogBundle, type EnsoBundleAbout } from '../core/log-bundle.js'
import type { EnsoLogLine } from '../core/log.js'
import type { LogQuestion } from './line-filter.js'
import { createNewest, eachLogLine } from './read-log.js'
import type { Redactor } from './redact/redactor.js'

/** The most records a bundle holds, the newest: it is read once, in an editor. */
export const BUNDLE_MAX_RECORDS = 5000

/** What a bundle is made of. */
export interface BundleRequest {
  /** Files of records, oldest first. */
  readonly files: readonly string[]
  readonly question: LogQuestion
  readonly about: EnsoBundleAbout
  /** Inspections of the live threads that the selection covers. */
  readonly threads: readonly object[]
  /** Goes over everything once more: a secret may have become known after its record was written. */
  readonly redactor: Redactor
}

/** A bundle, and how much is in it. */
export interface MadeBundle {
  readonly text: string
  readonly records: number
  readonly matched: number
  readonly malformed: number
}

/**
 * Makes the one file a person sends.
 * @throws what the file system throws
 */
export async function makeLogBundle({ files, question, about, threads, redactor }: BundleRequest): Promise<MadeBundle> {
  const newest = createNewest<EnsoLogLine>(BUNDLE_MAX_RECORDS)
  let matched = 0
  let malformed = 0
  for (const file of files) {
    const counts = await eachLogLine(file, question, { line: newest.add })
    matched += counts.matched
    malformed += counts.malformed
  }
  const lines = newest.items().map((line) => redactor.value(line) as object)
  const text = buildLogBundle({
    about,
    threads: threads.map((thread) => redactor.value(thread) as object),
    lines,
    matched,
  })
  return { text, records: lines.length, matched, malformed }
}
