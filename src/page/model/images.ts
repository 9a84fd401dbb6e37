import {
  base64DecodedBytes,
  ENSO_IMAGE_MAX_BYTES,
  ENSO_PROMPT_MAX_IMAGES,
  type EnsoImageMimeType,
  type EnsoPromptImage,
} from '../../core/index.js'
import { bytes } from './words.js'

/** The kinds of image a prompt takes; the core's own list comes with its schemas, which stay out of the page. */
export const IMAGE_TYPES: readonly EnsoImageMimeType[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp']

/** True for one of them. */
export function isImageType(type: unknown): type is EnsoImageMimeType {
  return (IMAGE_TYPES as readonly unknown[]).includes(type)
}

/** Why an image can't go with a prompt, or nothing. `size` is in bytes, `count` what is attached already. */
export function imageRefusal(name: string, type: string, size: number, count: number): string | undefined {
  if (!isImageType(type)) return `${name} is no PNG, JPEG, GIF or WebP image`
  if (size > ENSO_IMAGE_MAX_BYTES) return `${name} is ${bytes(size)}; an image may be ${bytes(ENSO_IMAGE_MAX_BYTES)}`
  if (count >= ENSO_PROMPT_MAX_IMAGES) return `a prompt takes ${ENSO_PROMPT_MAX_IMAGES} images`
  return undefined
}

/** The image of a `data:` address, or nothing where it holds none that a prompt takes. */
export function imageOfDataUrl(url: string): EnsoPromptImage | undefined {
  const [, mimeType, data = ''] = /^data:([^;,]+);base64,(.+)$/.exec(url) ?? []
  return isImageType(mimeType) && base64DecodedBytes(data) <= ENSO_IMAGE_MAX_BYTES ? { data, mimeType } : undefined
}
