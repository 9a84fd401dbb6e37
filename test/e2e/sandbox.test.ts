import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createPlace, jsonLines, runEnso } from '../support/run-enso.js'

const script = (command: string): string =>
  JSON.stringify({
    version: 1,
    turns: [{ text: 'trying', toolCalls: [{ name: 'bash', args: { command } }] }, { text: 'done' }],
  })

test('a command in the sandbox writes in the workspace alone, and reaches neither secrets nor the network', async (t) => {
  const place = await createPlace(t)
  await place.write('work/.env', 'API_KEY=SECRET-MARK')
  await place.write('work/try.py', "import urllib.request\nprint(open(chr(46)+'env').read())\n")
  await place.write('work/write.py', "open('/usr/enso','w')\n")
  const file = await place.write('script.json', script('python3 try.py; python3 write.py; echo made > made.txt'))
  const run = await runEnso(t, place, [
    '--json',
    '--sandbox',
    'require',
    '--permission-mode',
    'bypassPermissions',
    '--allow-bypass',
    '--script',
    file,
    'go',
  ])
  assert.equal(run.exitCode, 0, run.stderr)
  assert.doesNotMatch(run.stdout, /SECRET-MARK/)
  assert.equal(existsSync(join(place.cwd, 'made.txt')), true)
  assert.equal(existsSync('/usr/enso'), false)
  const result = jsonLines(run.stdout).at(-1) as { outcome: string }
  assert.equal(result.outcome, 'done')
})

test('the person’s configuration can require the sandbox, and a flag can switch it off for one start', async (t) => {
  const place = await createPlace(t)
  await place.write('home/.enso/config.json', '{"sandbox":"require"}')
  const file = await place.write('script.json', script('readlink /proc/self/ns/net'))
  const insideOf = async (...flags: string[]): Promise<string> => {
    const run = await runEnso(t, place, [...flags, '--script', file, 'go'])
    return /net:\[\d+\]/.exec(run.stderr)?.[0] ?? assert.fail(run.stderr)
  }
  const own = await insideOf('--sandbox', 'off')
  assert.notEqual(await insideOf(), own)
})
