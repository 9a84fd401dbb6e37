import { ENSO_REDACT_FIELDS, ENSO_REDACTED } from '../../core/log.js'

/** Deeper values are cut off: nothing enso logs is that deep, and a hostile payload must not exhaust the stack. */
const MAX_DEPTH = 64
const TOO_DEEP = '[too deep]'
const CIRCULAR = '[Circular]'

const knownNames = new Map<string, boolean>()

/** Does a property of this name hold a secret, whatever its value? */
export function isSecretName(name: string): boolean {
  const known = knownNames.get(name)
  if (known !== undefined) return known
  const secret = ENSO_REDACT_FIELDS.some((pattern) => pattern.test(name))
  // Names come from our own code and from payloads; the second kind has no bound.
  if (knownNames.size < 4096 && name.length <= 64) knownNames.set(name, secret)
  return secret
}

/**
 * The value as plain JSON data in which each field with a secret's name holds the marker.
 *
 * What is already plain and hides nothing comes back as it is, uncopied. Errors become objects with name, message, stack
 * and cause; maps, sets and byte arrays what a reader can use; cycles and excessive depth a word.
 */
export function redactFields(value: unknown): unknown {
  return visit(value, [])
}

function visit(value: unknown, path: object[]): unknown {
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'object' || value === null) return value
  if (path.includes(value)) return CIRCULAR
  if (path.length >= MAX_DEPTH) return TOO_DEEP
  path.push(value)
  const kept = Array.isArray(value) ? visitList(value, path) : visitFields(plainFields(value), path)
  path.pop()
  return kept
}

function plainFields(value: object): unknown {
  if (value instanceof Error) return errorFields(value)
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, item]) => [String(key), item as unknown]))
  if (value instanceof Set) return [...value]
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`
  if ('toJSON' in value && typeof value.toJSON === 'function') return (value.toJSON as () => unknown)()
  return value
}

function errorFields(error: Error): object {
  const fields: Record<string, unknown> = { name: error.name, message: error.message, stack: error.stack }
  if (error.cause !== undefined) fields['cause'] = error.cause
  if (error instanceof AggregateError) fields['errors'] = error.errors
  for (const [key, item] of Object.entries(error)) fields[key] ??= item
  return fields
}

function visitFields(source: unknown, path: object[]): unknown {
  if (typeof source !== 'object' || source === null) return source
  if (Array.isArray(source)) return visitList(source, path)
  const named = namedPairValue(source)
  let copy: Record<string, unknown> | undefined
  for (const key of Object.keys(source)) {
    const item: unknown = source[key as keyof typeof source]
    const hidden = item !== undefined && (isSecretName(key) || (named && key === 'value'))
    // Most fields are texts and numbers: those need no visit.
    const kept = hidden
      ? ENSO_REDACTED
      : typeof item === 'string' || typeof item === 'number'
        ? item
        : visit(item, path)
    if (kept === item) continue
    copy ??= { ...source }
    copy[key] = kept
  }
  return copy ?? source
}

/** `{ name: 'Authorization', value: … }`, as headers and environments are often listed. */
function namedPairValue(source: object): boolean {
  if (!('value' in source)) return false
  const name = 'name' in source ? source.name : 'key' in source ? source.key : undefined
  return typeof name === 'string' && isSecretName(name)
}

function visitList(list: readonly unknown[], path: object[]): unknown {
  let copy: unknown[] | undefined
  for (const [index, item] of list.entries()) {
    const kept = isHiddenBy(list, index)
      ? ENSO_REDACTED
      : typeof item === 'string'
        ? withoutFlagValue(item)
        : visit(item, path)
    if (kept === item) continue
    copy ??= [...list]
    copy[index] = kept
  }
  return copy ?? list
}

/** `['--api-key', value]`, and the pair `['api-key', value]` as header lists have it. */
function isHiddenBy(list: readonly unknown[], index: number): boolean {
  const before = list[index - 1]
  const item = list[index]
  if (typeof before !== 'string' || typeof item !== 'string' || before.length > 64) return false
  if (before.startsWith('-')) return !before.includes('=') && !item.startsWith('-') && isSecretName(before)
  return index === 1 && list.length === 2 && /^[\w-]+$/.test(before) && isSecretName(before)
}

const FLAG_WITH_VALUE = /^(-{1,2}[\w-]{1,64}|[A-Za-z_]\w{0,63})=(?=.)/s

/** `--api-key=value` and `API_KEY=value` in a list of arguments. */
function withoutFlagValue(item: string): string {
  const name = FLAG_WITH_VALUE.exec(item)?.[1]
  return name !== undefined && isSecretName(name) ? `${name}=${ENSO_REDACTED}` : item
}
