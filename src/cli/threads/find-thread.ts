import { EnsoError, type StoredThreadRef, type ThreadStore } from '../../core/index.js'

/** What an id, or the beginning of one, is made of. */
const ID_BEGINNING = /^[A-Za-z0-9][A-Za-z0-9-]{0,63}$/
/** Ids that are named where a beginning fits several. */
const NAMED_MAX = 5

/**
 * The stored thread of an id, or of the beginning of one that no other thread has.
 * @throws EnsoError `bad-input` for a text that can be no id or that fits several, `thread-unknown`
 */
export async function findThread(store: ThreadStore, wished: string): Promise<StoredThreadRef> {
  if (!ID_BEGINNING.test(wished)) throw new EnsoError('bad-input', `'${wished}' is no thread id`)
  const exact = wished.endsWith('-') ? undefined : await store.find(wished)
  const found = exact ?? (await store.find(onlyOne(wished, await store.idsLike(wished))))
  if (found !== undefined) return found
  throw unknown(wished)
}

/** The one id that a beginning fits. @throws EnsoError `bad-input` where there are several, `thread-unknown` */
export function onlyOne(wished: string, ids: readonly string[]): string {
  const [only, ...others] = ids
  if (only === undefined) throw unknown(wished)
  if (others.length === 0) return only
  const more = ids.length > NAMED_MAX ? `, and ${ids.length - NAMED_MAX} more` : ''
  throw new EnsoError('bad-input', `${wished} fits several threads`, {
    hint: `${ids.slice(0, NAMED_MAX).join(', ')}${more}`,
  })
}

function unknown(wished: string): EnsoError {
  return new EnsoError('thread-unknown', `there is no thread ${wished}`, {
    hint: 'enso threads --all lists what there is',
  })
}
