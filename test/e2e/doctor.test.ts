import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { EnsoDoctorReport } from '../../src/cli/doctor/check.js'
import { lazyValidator } from '../../src/core/index.js'
import { createWorld, LOCAL } from '../support/e2e.js'
import { createPlace, ensoBin, runEnso } from '../support/run-enso.js'

const checksOf = (stdout: string) => {
  const report = JSON.parse(stdout) as EnsoDoctorReport
  assert.ok(lazyValidator(EnsoDoctorReport).check(report))
  return new Map(report.checks.map((check) => [check.name, check]))
}

test('a fresh home has no model: exit 1, with what to do; an endpoint of one’s own is enough for exit 0', async (t) => {
  const fresh = await runEnso(t, await createPlace(t), ['doctor', '--json'])
  assert.equal(fresh.exitCode, 1)
  const models = checksOf(fresh.stdout).get('models')
  assert.deepEqual([models?.status, /enso login.*models\.json/.test(models?.todo ?? '')], ['fault', true])
  const { server, place } = await createWorld(t)
  const end = await runEnso(t, place, ['doctor', '--json'])
  assert.equal(end.exitCode, 0, end.stdout)
  const checks = checksOf(end.stdout)
  assert.match(checks.get('models')?.found ?? '', /local/)
  assert.match(checks.get('enso')?.found ?? '', /over @mariozechner\/pi-coding-agent 0\.73\.1$/)
  assert.doesNotMatch(end.stdout, /sk-local/)
  assert.equal(server.requests.length, 0)
})

test('what the streams are is said as they are', async (t) => {
  const place = await createPlace(t)
  const streams = (shell: string): string =>
    spawnSync('/bin/sh', ['-c', shell, 'sh', process.execPath, ensoBin], {
      cwd: place.cwd,
      env: place.env,
      encoding: 'utf8',
    }).stdout
  const piped = streams('echo x | "$1" "$2" doctor --stdio 2>/dev/null | cat')
  assert.match(piped, /^✓ stdin +a pipe: .*\n✓ stdout +a pipe: .*\n✓ stderr +nothing \(\/dev\/null\)/)
  const files = streams('"$1" "$2" doctor --stdio < /etc/passwd > out.txt; cat out.txt')
  assert.match(files, /^✓ stdin +a file: .*\n✓ stdout +a file: /)
  const none = streams('"$1" "$2" doctor --stdio </dev/null')
  assert.match(none, /^✓ stdin +nothing/)
})

test('doctor asks no model and stores no thread, and a run goes on beside it', async (t) => {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'hi' })
  const [doctor, run] = await Promise.all([runEnso(t, place, ['doctor']), runEnso(t, place, [...LOCAL, 'hello'])])
  assert.deepEqual([doctor.exitCode, run.exitCode], [0, 0], doctor.stdout + run.stderr)
  assert.equal(server.requests.length, 1)
})
