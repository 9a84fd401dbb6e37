import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { ATTACHED_TEXT_MAX_BYTES, imageTypeOf, readAttachments } from '../../../src/cli/run/attachments.js'
import { ENSO_IMAGE_MAX_BYTES } from '../../../src/core/index.js'
import { testFolder } from '../../support/fake-cli.js'

const HEADS = {
  'image/png': '89504e470d0a1a0a0000000d',
  'image/jpeg': 'ffd8ffe000104a4649460001',
  'image/gif': '474946383961010001008000',
  'image/webp': '524946461a00000057454250',
}
const file = (path: string) => [{ kind: 'file' as const, path }]

test('an image is told by its first bytes, whatever its name', async (t) => {
  const dir = await testFolder(t)
  for (const [mimeType, head] of Object.entries(HEADS)) {
    assert.equal(imageTypeOf(Buffer.from(head, 'hex')), mimeType)
    await writeFile(join(dir, 'thing.txt'), Buffer.from(head, 'hex'))
    const { images, blocks } = await readAttachments(file('thing.txt'), dir, {})
    assert.deepEqual(images, [{ data: Buffer.from(head, 'hex').toString('base64'), mimeType }])
    assert.deepEqual(blocks, [])
  }
  assert.equal(imageTypeOf(Buffer.from('RIFF1234WAVE')), undefined)
  assert.equal(imageTypeOf(Buffer.from('')), undefined)
})

test('a text file becomes a fenced block that its own fences can’t close', async (t) => {
  const dir = await testFolder(t)
  await writeFile(join(dir, 'a.md'), '`````\nx')
  const { blocks } = await readAttachments(file('a.md'), dir, {})
  assert.deepEqual(blocks, ['a.md:\n``````\n`````\nx\n``````'])
})

test('what can’t be taken is refused by name: missing, a folder, binary, too large, not an image', async (t) => {
  const dir = await testFolder(t)
  await mkdir(join(dir, 'sub'))
  await writeFile(join(dir, 'bin'), Buffer.from([1, 2, 0, 3]))
  await writeFile(join(dir, 'latin1.txt'), Buffer.from('gr\xfc\xdfe', 'latin1'))
  await writeFile(join(dir, 'long.txt'), 'x'.repeat(ATTACHED_TEXT_MAX_BYTES + 1))
  await writeFile(
    join(dir, 'huge.png'),
    Buffer.concat([Buffer.from(HEADS['image/png'], 'hex'), Buffer.alloc(ENSO_IMAGE_MAX_BYTES)]),
  )
  await writeFile(join(dir, 'a.txt'), 'text')
  const refused = (attachments: Parameters<typeof readAttachments>[0], reason: RegExp) =>
    assert.rejects(readAttachments(attachments, dir, {}), { name: 'EnsoError', code: 'bad-input', message: reason })
  await refused(file('gone.txt'), /^gone\.txt does not exist$/)
  await refused(file('sub'), /^sub is a folder/)
  await refused(file('bin'), /^bin is neither text nor an image$/)
  await refused(file('latin1.txt'), /^latin1\.txt is neither/)
  await refused(file('long.txt'), /^long\.txt is too large/)
  await refused(file('huge.png'), /^huge\.png is too large/)
  await refused([{ kind: 'image', path: 'a.txt' }], /^a\.txt is not an image$/)
})

test('a full text file, an empty one and one under ~ are taken', async (t) => {
  const dir = await testFolder(t)
  await writeFile(join(dir, 'full.txt'), 'x'.repeat(ATTACHED_TEXT_MAX_BYTES))
  await writeFile(join(dir, 'empty.txt'), '')
  const { blocks } = await readAttachments([...file('full.txt'), ...file('~/empty.txt')], dir, { HOME: dir })
  assert.equal(blocks.length, 2)
  assert.equal(blocks[1], '~/empty.txt:\n```\n```')
})
