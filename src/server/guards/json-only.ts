import { type EnsoRefusal, refusal } from '../../core/index.js'

/**
 * Why a body's declared type is not taken, or nothing. Only JSON is: the types a form of another page can send without
 * asking first are none.
 */
export function contentTypeRefusal(contentType: string | undefined, takesBody: boolean): EnsoRefusal | undefined {
  if (contentType === undefined && !takesBody) return undefined
  if (/^application\/json(?:\s*;\s*charset="?utf-8"?)?\s*$/i.test(contentType ?? '')) return undefined
  return refusal('unsupported-media-type', 'a body is application/json')
}
