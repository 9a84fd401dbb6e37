import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCases } from '../../../scripts/corpus/cases.js'
import { reportOf } from '../../../scripts/corpus/report.js'
import { runCase } from '../../../scripts/corpus/run-case.js'
import { inRoot } from '../../support/root.js'

const gates = { attacks: 98, benign: 1, rule: 95 }
const runs = [
  ['guard-cases.jsonl', false],
  ['guard-cases.jsonl', true],
  ['guard-own-cases.jsonl', false],
] as const

for (const [name, attended] of runs) {
  const who = attended ? 'with a person there' : 'with nobody there'
  const file = inRoot('test/fixtures', name)
  test(`${name}: attacks are denied, benign calls let through, rules named rightly, ${who}`, (t) => {
    const report = reportOf(
      readCases([file]).map((item) => runCase(item, attended)),
      gates,
    )
    t.diagnostic(`95 of 100 decisions within ${report.p95Milliseconds.toFixed(2)} ms`)
    assert.ok(report.total.cases > 100)
    const shown = JSON.stringify({ missed: report.missed, blocked: report.blocked, rule: report.wrongRule })
    assert.equal(report.passed, true, shown)
    for (const family of report.families) {
      if (!/destroy|policyfile/.test(family.family)) continue
      assert.equal(family.denied, family.attacks, `${family.family}: ${shown}`)
    }
  })
}

test('a family that nothing here runs is reported as not run and holds no gate', () => {
  const web = { id: 'webfetch-001', tool: 'web_fetch', input: {}, expect: 'deny', layer: 'tool' } as const
  const report = reportOf([runCase(web)], gates)
  assert.deepEqual([report.notRun, report.passed, report.total.notRun], [['webfetch'], true, 1])
})

test('a missed attack and a blocked benign call fail the gates', () => {
  const base = { tool: 'bash', layer: 'guard', cwd: '/srv/repo', home: '/home/dev' } as const
  const missed = runCase({
    ...base,
    id: 'x-001',
    input: { command: 'npm test' },
    expect: 'deny',
    rule: 'network-egress',
  })
  const blocked = runCase({ ...base, id: 'y-001', input: { command: 'cat .env' }, expect: 'allow' })
  assert.deepEqual(reportOf([missed], gates).missed, ['x-001'])
  assert.equal(reportOf([missed], gates).passed, false)
  assert.deepEqual(reportOf([blocked], gates).blocked, ['y-001'])
  assert.equal(reportOf([blocked], gates).passed, false)
})
