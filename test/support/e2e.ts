import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { EnsoOutcome, EnsoResultLine } from '../../src/core/index.js'
import { type ModelServer, startModelServer } from './model-server.js'
import { inRoot } from './root.js'
import { createPlace, jsonLines, type EnsoProcess, type Place } from './run-enso.js'

/** A JSON line, read loosely: tests say what they expect of it. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read into lines of every kind
export type Line = Record<string, any>

/** A place whose provider `local` is a scripted server. */
export async function createWorld(t: TestContext): Promise<{ server: ModelServer; place: Place }> {
  const server = await startModelServer()
  t.after(() => server.close())
  return { server, place: await createPlace(t, { server }) }
}

/** An extension of `test/fixtures/extensions`, as arguments. */
export function extension(name: string): string[] {
  return ['-e', inRoot('test', 'fixtures', 'extensions', `${name}.ts`)]
}

/** Lets tools run without a question, by rules of the person's own configuration. */
export async function allowTools(place: Place, ...allow: string[]): Promise<void> {
  await place.write('home/.enso/config.json', JSON.stringify({ permissions: { allow } }))
}

/** The arguments of a run over the scripted model. */
export const LOCAL: readonly string[] = ['-m', 'local/x']

/** The lines of an output, after checking what holds for every one: hello first, one result, and it last. */
export function checkedLines(stdout: string): Line[] {
  assert.ok(stdout === '' || stdout.endsWith('\n'), 'the output ends with a line feed')
  assert.equal(/[\u2028\u2029\r]/.test(stdout), false)
  const lines = jsonLines<Line>(stdout)
  const results = lines.filter(({ type }) => type === 'result')
  assert.equal(results.length, 1, `exactly one result\n${stdout.slice(-2000)}`)
  assert.equal(lines.at(-1), results[0], 'the result is the last line')
  if (lines.length > 1) assert.equal(lines[0]!['type'], 'hello')
  return lines
}

/** The result of a JSON run; its exit code is the process's. */
export function resultOf(end: {
  readonly stdout: string
  readonly exitCode: number
  readonly stderr: string
}): EnsoResultLine {
  const result = checkedLines(end.stdout).at(-1) as unknown as EnsoResultLine
  assert.equal(result.exitCode, end.exitCode, end.stderr)
  return result
}

/** Checks how a JSON run ended. */
export function assertEnded(
  end: { readonly stdout: string; readonly exitCode: number; readonly stderr: string },
  outcome: EnsoOutcome,
  exitCode: number,
): EnsoResultLine {
  const result = resultOf(end)
  assert.deepEqual([result.outcome, result.exitCode], [outcome, exitCode], `${result.reason}\n${end.stderr}`)
  return result
}

/** The observations of an output, in order; of one kind where it is named. */
export function observationsOf(lines: readonly Line[], kind?: string): Line[] {
  return lines
    .filter(({ type }) => type === 'observation')
    .map(({ observation }) => observation as Line)
    .filter((observation) => kind === undefined || observation['kind'] === kind)
}

/** Waits for the next question of a run over JSON lines. */
export async function waitForQuestion(run: EnsoProcess, method: string): Promise<Line> {
  const line = await run.waitForJson<Line>(
    ({ observation }) =>
      observation?.kind === 'extension-ui-request' && observation.blocking === true && observation.method === method,
  )
  return line['observation'] as Line
}
