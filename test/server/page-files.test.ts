import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { readPageFiles } from '../../src/server/page-files.js'
import { servedApp } from '../support/served-app.js'

test('the page is served packed to whoever unpacks it, and kept only under a name of its content', async (t) => {
  const { ask } = servedApp(t)
  const index = await ask('/')
  assert.equal(index.headers.get('cache-control'), 'no-store')
  const script = /src="([^"]+)"/.exec(await index.text())?.[1] ?? ''
  const bare = await ask(script)
  const packed = await ask(script, { headers: { 'accept-encoding': 'gzip, br' } })
  assert.equal(bare.headers.get('content-encoding'), null)
  assert.equal(packed.headers.get('content-encoding'), 'gzip')
  assert.equal(packed.headers.get('vary'), 'accept-encoding')
  const unpacked = gunzipSync(Buffer.from(await packed.arrayBuffer())).toString()
  assert.equal(unpacked, await bare.text())
  assert.match(packed.headers.get('cache-control') ?? '', /immutable/)
})

test('only the built page’s own files are served', async (t) => {
  const { ask } = servedApp(t)
  const files = await readPageFiles()
  assert.ok(files.size > 5)
  for (const name of ['main.tsx', 'constructor', '__proto__', 'tsconfig.json']) {
    const { status } = await ask(`/page/${name}`)
    assert.ok(status === 404 || status === 400, `${name}: ${status}`)
  }
})
