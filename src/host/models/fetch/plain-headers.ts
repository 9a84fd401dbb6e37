const MADE_HERE = Symbol('plain headers')
const NAME = /^[\w!#$%&'*+.^`|~-]+$/
const EDGES = /^[\t\n\r ]+|[\t\n\r ]+$/g
// A header's value is bytes, of any kind but those that would end it.
const VALUE = /^[^\0\r\n\u0100-\uffff]*$/

/** What the model providers' own libraries use of `Headers`, without what makes that one take long to load. */
export interface PlainHeaders extends Iterable<[string, string]> {
  readonly [MADE_HERE]: true
  append(name: string, value: string): void
  set(name: string, value: string): void
  delete(name: string): void
  get(name: string): string | null
  has(name: string): boolean
  getSetCookie(): string[]
  forEach(callback: (value: string, name: string, headers: PlainHeaders) => void): void
  /** Names in lower case and in order; the values of one name joined, cookies apart. */
  entries(): IterableIterator<[string, string]>
  keys(): IterableIterator<string>
  values(): IterableIterator<string>
}

function key(name: string): string {
  if (!NAME.test(name)) throw new TypeError(`${JSON.stringify(name)} is not the name of a header`)
  return name.toLowerCase()
}

function cleaned(name: string, value: unknown): string {
  const text = String(value).replace(EDGES, '')
  // The value may be a key: it isn't repeated.
  if (!VALUE.test(text)) throw new TypeError(`the header ${name} can't have this value`)
  return text
}

/** Headers with nothing in them, or with these. @throws TypeError for a name or a value that no header can have */
export function createPlainHeaders(from: Iterable<readonly [string, string]> = []): PlainHeaders {
  const lists = new Map<string, string[]>()
  function* entries(): IterableIterator<[string, string]> {
    for (const name of [...lists.keys()].sort()) {
      const list = lists.get(name) ?? []
      if (name === 'set-cookie') for (const cookie of list) yield [name, cookie]
      else yield [name, list.join(', ')]
    }
  }
  const headers: PlainHeaders = {
    [MADE_HERE]: true,
    append(name, value) {
      const list = lists.get(key(name))
      if (list === undefined) headers.set(name, value)
      else list.push(cleaned(name, value))
    },
    set: (name, value) => void lists.set(key(name), [cleaned(name, value)]),
    delete: (name) => void lists.delete(key(name)),
    get: (name) => lists.get(key(name))?.join(', ') ?? null,
    has: (name) => lists.has(key(name)),
    getSetCookie: () => [...(lists.get('set-cookie') ?? [])],
    forEach(callback) {
      for (const [name, value] of entries()) callback(value, name, headers)
    },
    entries,
    *keys() {
      for (const [name] of entries()) yield name
    },
    *values() {
      for (const [, value] of entries()) yield value
    },
    [Symbol.iterator]: entries,
  }
  for (const [name, value] of from) headers.append(name, value)
  return headers
}

export function isPlainHeaders(value: unknown): value is PlainHeaders {
  return typeof value === 'object' && value !== null && MADE_HERE in value
}
