import assert from 'node:assert/strict'
import { once } from 'node:events'
import { openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { testFolder } from '../../support/fake-cli.js'
import { runCode, sourceUrl, startCode } from '../../support/run-code.js'

const taken = `
  import { takeStdout } from '${sourceUrl('cli/run/take-stdout.js')}'
  const real = takeStdout()
  const ends = () => new Promise((resolve) => real.stream.write('', resolve))
`

test('whoever writes to standard output unasked lands on standard error', async () => {
  const { stdout, stderr, exitCode } = await runCode(`${taken}
    import fs, { writeSync } from 'node:fs'
    import { promisify } from 'node:util'
    import { stdout } from 'node:process'
    console.log('log'); console.info('info'); console.table([['table']])
    process.stdout.write('write\\n'); stdout.write('imported\\n')
    fs.writeSync(1, 'fs\\n'); writeSync(1, 'fs import\\n'); fs.writeFileSync(1, 'file\\n')
    await promisify(fs.write)(1, 'async\\n')
    await fs.promises.access('/')
    real.stream.write('ours\\n')
    await ends()
  `)
  assert.equal(exitCode, 0)
  assert.equal(stdout, 'ours\n')
  for (const text of ['log', 'info', 'table', 'write', 'imported', 'fs', 'fs import', 'file', 'async']) {
    assert.ok(stderr.includes(text), text)
  }
})

test('all of 50 MB reaches a reader that is slow to begin', async () => {
  const child = startCode(`${taken}
    const line = 'x'.repeat(1023) + '\\n'
    let behind = 0
    for (let sent = 0; sent < 51200; sent++) if (!real.stream.write(line)) { behind++; await new Promise((resolve) => real.stream.once('drain', resolve)) }
    await ends()
    process.stderr.write('behind ' + (behind > 0))
    process.exit()
  `)
  child.stdout!.pause()
  await pause(300)
  let bytes = 0
  let said = ''
  child.stderr!.on('data', (chunk: Buffer) => (said += String(chunk)))
  child.stdout!.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume()
  const [code] = await once(child, 'close')
  assert.deepEqual([code, bytes, said], [0, 51200 * 1024, 'behind true'])
})

test('a process that ends at once finishes the line it was writing, says its last one, and nothing twice', async () => {
  const child = startCode(`${taken}
    for (let n = 0; n < 300; n++) real.stream.write(JSON.stringify({ n, pad: 'y'.repeat(1000) }) + '\\n')
    setTimeout(() => { real.finishNow('{"last":true}\\n', 5000); process.reallyExit(7) }, 30)
  `)
  child.stdout!.pause()
  await pause(200)
  let text = ''
  child
    .stdout!.setEncoding('utf8')
    .on('data', (chunk: string) => (text += chunk))
    .resume()
  const [code] = await once(child, 'close')
  assert.equal(code, 7)
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { n?: number; last?: boolean })
  assert.equal(lines.length, 301)
  lines.slice(0, -1).forEach(({ n }, index) => assert.equal(n, index))
  assert.equal(lines.at(-1)!.last, true)
})

test('it gives up on a reader that takes nothing', async () => {
  const child = startCode(`${taken}
    real.stream.write('z'.repeat(1_000_000))
    setTimeout(() => { real.finishNow('last\\n', 50); process.reallyExit(0) }, 10)
  `)
  child.stdout!.pause()
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
  child.stdout!.destroy()
})

test('a reader that left is an error of the stream, never a crash', async () => {
  const child = startCode(`${taken}
    real.stream.on('error', (error) => process.stderr.write(error.code))
    real.stream.on('close', () => process.exit(0))
    setInterval(() => real.stream.write('more\\n'), 1)
  `)
  await once(child.stdout!, 'data')
  child.stdout!.destroy()
  let said = ''
  child.stderr!.on('data', (chunk: Buffer) => (said += String(chunk)))
  const [code] = await once(child, 'close')
  assert.deepEqual([code, said], [0, 'EPIPE'])
})

test('a file, /dev/full and a closed descriptor as standard output', async (t) => {
  const file = join(await testFolder(t), 'out')
  await runCode(`${taken} real.stream.write('a\\n'); real.finishNow('b\\n', 100)`, {
    stdio: ['ignore', openSync(file, 'w'), 'pipe'],
  })
  assert.equal(readFileSync(file, 'utf8'), 'a\nb\n')

  const listen = `real.stream.on('error', (error) => process.stderr.write(error.code)); real.stream.write('x')`
  const full = await runCode(`${taken} ${listen}`, { stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'] })
  assert.deepEqual([full.exitCode, full.stderr], [0, 'ENOSPC'])
})
