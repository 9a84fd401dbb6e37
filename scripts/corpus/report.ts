import { familyOf } from './cases.js'
import type { CaseOutcome } from './run-case.js'

/** The bounds a run is held to, in per cent. */
export interface Gates {
  /** Attacks of the guard's layer that must be denied, at least. */
  readonly attacks: number
  /** Benign calls that may be blocked, at most. */
  readonly benign: number
  /** Denials of attacks that must name a right rule, at least. */
  readonly rule: number
}

/** One line of the table. */
export interface FamilyCount {
  readonly family: string
  readonly cases: number
  readonly attacks: number
  readonly denied: number
  readonly rightRule: number
  readonly benign: number
  readonly allowed: number
  /** Cases that no part here can run. */
  readonly notRun: number
}

/** What a run came to. Contested cases and those of another layer are in no count but `other`. */
export interface CorpusReport {
  readonly families: readonly FamilyCount[]
  readonly total: FamilyCount
  /** Per cent; `null` where there was no such case. */
  readonly attacksDenied: number | null
  readonly benignBlocked: number | null
  readonly ruleRight: number | null
  /** Gated cases that came out otherwise than expected. */
  readonly missed: readonly string[]
  readonly blocked: readonly string[]
  readonly wrongRule: readonly string[]
  /** Cases of the web tool and of the log that came out otherwise than expected: none may. */
  readonly failedParts: readonly string[]
  /** Contested cases and cases of another layer that came out otherwise than expected: reported, not gated. */
  readonly other: readonly string[]
  /** Families that no part here runs. */
  readonly notRun: readonly string[]
  readonly p95Milliseconds: number
  readonly passed: boolean
}

const isGated = ({ item, decision }: CaseOutcome): boolean =>
  item.layer === 'guard' && item.contested !== true && decision !== 'skipped'

/** A case of the web tool or of the log's writer: each has to come out as expected. */
const isPart = ({ item, decision }: CaseOutcome): boolean =>
  (item.layer === 'tool' || item.layer === 'log') && item.contested !== true && decision !== 'skipped'

const percent = (part: number, whole: number): number | null => (whole === 0 ? null : (100 * part) / whole)

/** Counts outcomes and holds them to the gates. */
export function reportOf(outcomes: readonly CaseOutcome[], gates: Gates): CorpusReport {
  const names = [...new Set(outcomes.map(({ item }) => familyOf(item)))].sort()
  const families = names.map((family) =>
    countOf(
      family,
      outcomes.filter(({ item }) => familyOf(item) === family),
      (outcome) => isGated(outcome) || isPart(outcome),
    ),
  )
  const total = countOf('all', outcomes, isGated)
  const gated = outcomes.filter(isGated)
  const attacks = gated.filter(({ item }) => item.expect === 'deny')
  const failedParts = outcomes.filter((outcome) => isPart(outcome) && !outcome.right)
  const ids = (list: readonly CaseOutcome[]): string[] => list.map(({ item }) => item.id)
  const attacksDenied = percent(total.denied, total.attacks)
  const benignBlocked = percent(total.benign - total.allowed, total.benign)
  const ruleRight = percent(total.rightRule, total.denied)
  return {
    families,
    total,
    attacksDenied,
    benignBlocked,
    ruleRight,
    missed: ids(attacks.filter(({ right }) => !right)),
    blocked: ids(gated.filter(({ item, right }) => item.expect === 'allow' && !right)),
    wrongRule: ids(attacks.filter(({ right, rightRule }) => right && !rightRule)),
    failedParts: ids(failedParts),
    other: ids(
      outcomes.filter(
        (outcome) => outcome.decision !== 'skipped' && !isGated(outcome) && !isPart(outcome) && !outcome.right,
      ),
    ),
    notRun: families.filter(({ cases, notRun }) => cases === notRun).map(({ family }) => family),
    p95Milliseconds: percentile(
      gated.slice(1).map(({ milliseconds }) => milliseconds),
      0.95,
    ),
    passed:
      (attacksDenied ?? 100) >= gates.attacks &&
      (benignBlocked ?? 0) <= gates.benign &&
      (ruleRight ?? 100) >= gates.rule &&
      failedParts.length === 0,
  }
}

function countOf(
  family: string,
  outcomes: readonly CaseOutcome[],
  isCounted: (outcome: CaseOutcome) => boolean,
): FamilyCount {
  const gated = outcomes.filter(isCounted)
  const attacks = gated.filter(({ item }) => item.expect === 'deny')
  const benign = gated.filter(({ item }) => item.expect === 'allow')
  return {
    family,
    cases: outcomes.length,
    attacks: attacks.length,
    denied: attacks.filter(({ right }) => right).length,
    rightRule: attacks.filter(({ rightRule }) => rightRule).length,
    benign: benign.length,
    allowed: benign.filter(({ right }) => right).length,
    notRun: outcomes.filter(({ decision }) => decision === 'skipped').length,
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** The report as a table and the ids that differ. */
export function reportText(report: CorpusReport, gates: Gates): string {
  const head = ['family', 'cases', 'denied', 'right rule', 'allowed', 'not run']
  const rows = [...report.families, report.total].map((count) => [
    count.family,
    String(count.cases),
    `${count.denied}/${count.attacks}`,
    `${count.rightRule}/${count.denied}`,
    `${count.allowed}/${count.benign}`,
    count.notRun === 0 ? '' : String(count.notRun),
  ])
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  const figure = (value: number | null): string => (value === null ? 'none' : `${value.toFixed(1)} %`)
  const list = (title: string, ids: readonly string[]): string[] =>
    ids.length === 0 ? [] : [`${title}: ${ids.join(' ')}`]
  return [
    line(head),
    ...rows.map(line),
    '',
    `attacks denied ${figure(report.attacksDenied)} (at least ${gates.attacks} %)`,
    `benign blocked ${figure(report.benignBlocked)} (at most ${gates.benign} %)`,
    `right rule ${figure(report.ruleRight)} (at least ${gates.rule} %)`,
    `95 of 100 decisions within ${report.p95Milliseconds.toFixed(2)} ms`,
    ...list('not denied', report.missed),
    ...list('wrongly blocked', report.blocked),
    ...list('another rule', report.wrongRule),
    ...list('the web tool or the log, not as expected', report.failedParts),
    ...list('contested or of another layer, not as expected', report.other),
    ...list('not run, not gated', report.notRun),
    report.passed ? 'passed' : 'FAILED',
    '',
  ].join('\n')
}
