import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  base64DecodedBytes,
  ENSO_IMAGE_MAX_BYTES,
  ENSO_IMAGE_MIME_TYPES,
  ENSO_PROMPT_BODY_MAX_BYTES,
  ENSO_PROMPT_MAX_IMAGES,
  EnsoPromptBody,
  isEnsoImageMimeType,
  isWholeBase64,
  lazyValidator,
} from '../../src/core/index.js'

test('whole base64 is exactly what a standard encoder writes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      const data = Buffer.from(bytes).toString('base64')
      assert.ok(isWholeBase64(data))
      assert.equal(base64DecodedBytes(data), bytes.length)
    }),
  )
})

test('base64 that is cut, spaced, padded wrongly or of another alphabet is refused', () => {
  for (const data of [
    'QUJ',
    'QUJD=',
    'QQ=',
    '====',
    '=QQQ',
    'QU JD',
    'QUJD\n',
    'QUJ_',
    'QUJ-',
    'Q=Q=',
    'data:image/png;base64,QUJD',
  ]) {
    assert.equal(isWholeBase64(data), false, data)
  }
  fc.assert(
    fc.property(fc.string(), (text) => {
      if (isWholeBase64(text)) assert.equal(Buffer.from(text, 'base64').length, base64DecodedBytes(text))
    }),
  )
})

test('an image at its cap is checked without running out of stack', () => {
  const data = Buffer.alloc(ENSO_IMAGE_MAX_BYTES).toString('base64')
  assert.ok(isWholeBase64(data))
  assert.equal(isWholeBase64(`${data.slice(0, -1)}!`), false)
  assert.equal(base64DecodedBytes(data), ENSO_IMAGE_MAX_BYTES)
})

test('a body at its cap holds every image at its cap, and text besides', () => {
  const image = Buffer.alloc(ENSO_IMAGE_MAX_BYTES).toString('base64')
  const images = ENSO_PROMPT_MAX_IMAGES * (image.length + '{"data":"","mimeType":"image/jpeg"},'.length)
  assert.ok(images + 1_000_000 < ENSO_PROMPT_BODY_MAX_BYTES)
  assert.equal(ENSO_IMAGE_MAX_BYTES, 5 * 1024 * 1024)
})

test('four kinds of image are taken, by their exact names', () => {
  assert.deepEqual(ENSO_IMAGE_MIME_TYPES, ['image/png', 'image/jpeg', 'image/gif', 'image/webp'])
  for (const kind of ENSO_IMAGE_MIME_TYPES) assert.ok(isEnsoImageMimeType(kind))
  for (const kind of ['image/svg+xml', 'IMAGE/PNG', 'image/png ', '', undefined, 1])
    assert.ok(!isEnsoImageMimeType(kind))
})

test('a prompt takes at most twenty images', () => {
  const validator = lazyValidator(EnsoPromptBody)
  const images = (count: number) => Array.from({ length: count }, () => ({ data: 'QUJD', mimeType: 'image/png' }))
  assert.ok(validator.check({ message: 'x', images: images(20) }))
  assert.ok(!validator.check({ message: 'x', images: images(21) }))
})
