import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { EnsoDryRun } from '../../src/core/index.js'
import { assertEnded, createWorld, LOCAL, resultOf } from '../support/e2e.js'
import { jsonLines, type Place, runEnso } from '../support/run-enso.js'

const DRY = ['--dry-run', ...LOCAL]

function filesOf(place: Place): string[] {
  const threads = join(place.ensoHome, 'threads')
  return existsSync(threads) ? readdirSync(threads, { recursive: true }).map(String).sort() : []
}

test('a dry run says model, mode, sandbox, tools and context, and asks no model', async (t) => {
  const { server, place } = await createWorld(t)
  const end = await runEnso(t, place, [...DRY, '--thread-id', 'dry', '--add-dir', '/more', 'hello'])
  assert.deepEqual([end.exitCode, end.stderr], [0, ''])
  const rows = new Map(end.stdout.split('\n').map((line) => [line.slice(0, 10).trim(), line.slice(11)]))
  assert.equal(rows.get('thread'), 'dry')
  assert.equal(rows.get('folder'), place.cwd)
  assert.equal(rows.get('model'), 'local/x')
  assert.equal(rows.get('mode'), 'dontAsk; nobody can be asked')
  assert.equal(rows.get('sandbox'), 'off: it is switched off')
  assert.ok(rows.get('may write')?.split(', ').includes(place.cwd), rows.get('may write'))
  assert.ok(rows.get('may write')?.split(', ').includes('/more'), rows.get('may write'))
  assert.match(rows.get('tools') ?? '', /\bread\b.*\bbash\b.*\bedit\b.*\bwrite\b/)
  assert.match(rows.get('context') ?? '', /^about \S+ tokens of 32(\.0)?k \(\d+ %\): instructions \S+, tools \S+/)
  assert.match(end.stdout, /no model was asked, nothing was stored\n$/)
  assert.equal(server.requests.length, 0)
  assert.deepEqual(filesOf(place), [])
  assert.deepEqual(
    readdirSync(place.tmp).filter((name) => name.startsWith('enso-dry-run')),
    [],
  )
})

async function dryRunOf(t: Parameters<typeof runEnso>[0], place: Place, args: readonly string[]): Promise<EnsoDryRun> {
  const end = await runEnso(t, place, ['--output-format', 'json', ...DRY, ...args])
  const result = resultOf(end)
  assert.deepEqual([result.outcome, result.turns], ['done', 0], end.stderr)
  assert.ok(result.dryRun)
  return result.dryRun
}

test('a dry run in JSON is a result; over lines it stands behind hello', async (t) => {
  const { place } = await createWorld(t)
  const dry = await dryRunOf(t, place, ['--permission-mode', 'plan', '--sandbox', 'auto', 'hello'])
  assert.deepEqual([dry.model, dry.permissionMode, dry.canAsk, dry.window], ['local/x', 'plan', false, 32_000])
  const lines = jsonLines((await runEnso(t, place, ['--json', ...DRY, 'hello'])).stdout)
  assert.deepEqual(
    lines.map(({ type }) => type),
    ['hello', 'result'],
  )
})

test('a dry run says the mode and who can be asked as the run would have it, whatever standard input is', async (t) => {
  const { place } = await createWorld(t)
  for (const [args, stdin, canAsk, mode] of [
    [['--json'], 'null', false, 'dontAsk'],
    [['--json'], 'open', true, 'default'],
    [['--json', '--auto-cancel-dialogs'], 'open', false, 'dontAsk'],
    [['--output-format', 'json'], 'null', false, 'dontAsk'],
  ] as const) {
    const dry = resultOf(await runEnso(t, place, [...args, ...DRY, 'hello'], { stdin })).dryRun
    assert.deepEqual([dry?.canAsk, dry?.permissionMode], [canAsk, mode], `${args.join(' ')}, ${stdin}`)
  }
})

test('what is added to the system prompt, a prompt and an attachment is counted', async (t) => {
  const { place } = await createWorld(t)
  const plain = await dryRunOf(t, place, ['hello'])
  const more = await dryRunOf(t, place, ['--append-system-prompt', 'x'.repeat(4000), 'hello'])
  assert.ok(more.context.system - plain.context.system >= 1000)
  await place.write('work/notes.txt', 'y'.repeat(8000))
  const attached = await dryRunOf(t, place, ['@notes.txt', 'hello'])
  assert.ok(attached.context.user - plain.context.user >= 2000)
  await place.write('work/AGENTS.md', 'z'.repeat(4000))
  const guided = await dryRunOf(t, place, ['hello'])
  assert.ok(guided.context.system - plain.context.system >= 1000, 'AGENTS.md is part of it')
})

test('the estimate is near what is really sent', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'hi' })
  const dry = await dryRunOf(t, place, ['hello there'])
  await runEnso(t, place, [...LOCAL, 'hello there'])
  const { messages, tools } = server.requests[0]!.body as {
    messages: readonly { role: string; content: unknown }[]
    tools: readonly { function: { name: string } }[]
  }
  const system = messages.find(({ role }) => role === 'system' || role === 'developer')
  assert.equal(dry.context.system, Math.ceil(textOf(system?.content).length / 4))
  const names = tools.map((tool) => tool.function.name)
  assert.deepEqual(
    dry.tools.map(({ name }) => name),
    names,
  )
  assert.equal(new Set(names).size, names.length, `a tool is named twice: ${names.join(' ')}`)
})

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return (content as readonly { text?: string }[]).map(({ text }) => text ?? '').join('')
}

test('a stored thread is looked at in a copy: its conversation counts, its file stays as it is', async (t) => {
  const { server, place } = await createWorld(t)
  server.enqueue({ text: 'w'.repeat(4000) })
  await runEnso(t, place, ['--thread-id', 'kept', ...LOCAL, 'remember'])
  const before = filesOf(place)
  const file = join(
    place.ensoHome,
    'threads',
    before.find((name) => name.endsWith('kept.jsonl'))!,
  )
  const bytes = readFileSync(file)
  const end = await runEnso(t, place, ['--output-format', 'json', '--dry-run', '-r', 'kept', 'go on'])
  const { dryRun, threadId } = assertEnded(end, 'done', 0)
  assert.equal(threadId, 'kept')
  assert.ok(dryRun && dryRun.context.assistant >= 1000)
  assert.deepEqual(readFileSync(file), bytes)
  assert.deepEqual(filesOf(place), before)
  assert.equal(server.requests.length, 1)
})

test('what would keep the run from starting keeps the dry run too', async (t) => {
  const { place } = await createWorld(t)
  const unknown = await runEnso(t, place, ['--dry-run', '-m', 'local/nothing', 'hello'])
  assert.equal(unknown.exitCode, 2)
  assert.match(unknown.stderr, /no model called local\/nothing/)
  assertEnded(await runEnso(t, place, ['--json', '--dry-run', '-r', 'missing', ...LOCAL, 'x']), 'not-found', 6)
  const remote = await runEnso(t, place, ['--dry-run', '--connect', 'http://127.0.0.1:1/#token=x', 'hello'])
  assert.equal(remote.exitCode, 2)
})
