// Runs corpus files against the guards, the web tool and the log's writer, and prints one table.
//   npm run corpus -- FILE… [--json] [--attacks N] [--benign N] [--attended]
import { parseArgs } from 'node:util'
import { readCases } from './corpus/cases.js'
import { reportOf, reportText } from './corpus/report.js'
import type { CaseOutcome } from './corpus/run-case.js'
import { runFamilyCase } from './corpus/run-family.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    attacks: { type: 'string', default: '98' },
    benign: { type: 'string', default: '1' },
    rule: { type: 'string', default: '95' },
    attended: { type: 'boolean', default: false },
  },
})
const gates = { attacks: Number(values.attacks), benign: Number(values.benign), rule: Number(values.rule) }
if (positionals.length === 0 || Object.values(gates).some(Number.isNaN)) {
  process.stderr.write('usage: npm run corpus -- FILE… [--json] [--attacks N] [--benign N] [--rule N] [--attended]\n')
  process.exit(2)
}
const outcomes: CaseOutcome[] = []
// One after the other: a case that logs has the process's logging to itself.
for (const item of readCases(positionals)) outcomes.push(await runFamilyCase(item, values.attended))
const report = reportOf(outcomes, gates)
if (values.json) {
  const decisions = outcomes.map(({ item, decision, right, milliseconds }) => ({
    id: item.id,
    expect: item.expect,
    ...(decision === 'skipped' ? { kind: 'skipped' } : decision),
    right,
    milliseconds,
  }))
  process.stdout.write(`${JSON.stringify({ gates, ...report, decisions })}\n`)
} else process.stdout.write(reportText(report, gates))
process.exitCode = report.passed ? 0 : 1
