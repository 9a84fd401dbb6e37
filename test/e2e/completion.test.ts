import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync } from 'node:fs'
import { test, type TestContext } from 'node:test'
import { createWorld, LOCAL } from '../support/e2e.js'
import { ensoBin, type Place, runEnso } from '../support/run-enso.js'

/** A place with `enso` on its path, one stored thread and one endpoint. */
async function shellPlace(t: TestContext): Promise<Place> {
  const { server, place } = await createWorld(t)
  server.otherwise({ text: 'hi' })
  assert.equal((await runEnso(t, place, ['--thread-id', 'stored-1', ...LOCAL, 'remember me'])).exitCode, 0)
  const enso = await place.write('bin/enso', `#!/bin/sh\nexec ${process.execPath} ${ensoBin} "$@"\n`)
  chmodSync(enso, 0o755)
  return { ...place, env: { ...place.env, PATH: `${place.root}/bin:${place.env['PATH']}` } }
}

function shell(place: Place, command: string, args: readonly string[]): string[] {
  const end = spawnSync(command, args, { cwd: place.cwd, env: place.env, encoding: 'utf8' })
  assert.deepEqual([end.status, end.stderr], [0, ''], end.stdout)
  return end.stdout.split('\n').filter((line) => line !== '')
}

test('bash completes by its script: commands, values, models with a colon or behind =', async (t) => {
  const place = await shellPlace(t)
  const at = (line: string): string[] =>
    shell(place, 'bash', [
      '-c',
      `eval "$(enso completion bash)"; COMP_LINE=$1; COMP_POINT=\${#1}; _enso enso; printf '%s\\n' "\${COMPREPLY[@]}"`,
      'bash',
      line,
    ])
  assert.deepEqual(at('enso demo'), ['demo'])
  assert.deepEqual(at('enso --permission-mode pl'), ['plan'])
  assert.deepEqual(at('enso -m local/t'), ['local/think'])
  assert.deepEqual(at('enso --model=local/t'), ['local/think'], 'only what is behind the equal sign is put in')
  assert.deepEqual(at('enso threads show st'), ['stored-1'])
  await place.write('work/notes.txt', '')
  assert.deepEqual(at('enso --script no'), ['notes.txt'])
  assert.deepEqual(at('enso config set color '), [])
})

/** Shells that a machine may lack; where they are, their script is run. */
const isHere = (command: string): boolean => spawnSync(command, ['-c', 'true']).error === undefined

test('zsh completes by its script, with what each thing means', async (t) => {
  const place = await shellPlace(t)
  if (!isHere('zsh')) return t.diagnostic('zsh is not installed here')
  const at = (...words: string[]): string[] =>
    shell(place, 'zsh', [
      '-f',
      '-c',
      `compdef() { true }; _describe() { print -l -- "\${(@P)3}" }; _files() { print -- files "$@" }
       eval "$(enso completion zsh)"; words=(enso "$@"); CURRENT=$#words; _enso`,
      'zsh',
      ...words,
    ])
  assert.deepEqual(at('demo'), ['demo:watch a scripted thread repair a small project; no model needed'])
  assert.deepEqual(at('-m', 'local/t'), ['local/think'])
  assert.deepEqual(at('threads', 'show', 'st'), ['stored-1:remember me'])
  assert.deepEqual(at('-C', ''), ['files -/'])
})

test('fish completes by its script, with what each thing means', async (t) => {
  const place = await shellPlace(t)
  if (!isHere('fish')) return t.diagnostic('fish is not installed here')
  const at = (line: string): string[] =>
    shell(place, 'fish', ['--no-config', '-c', 'enso completion fish | source; complete -C $argv[1]', line])
  assert.deepEqual(at('enso demo'), ['demo\twatch a scripted thread repair a small project; no model needed'])
  assert.deepEqual(at('enso --permission-mode pl'), ['plan'])
  assert.deepEqual(at('enso threads show st'), ['stored-1\tremember me'])
})
