import { ENSO_REDACT_FIELDS } from '../../core/log.js'
import { isSecretVariable } from '../../core/secret-variables.js'
import { createNeedleSearch, MIN_NEEDLE_LENGTH } from './needle-search.js'
import type { NeedleSearch } from './needle-search.js'
import { jsonEscaped, secretForms } from './secret-forms.js'

/** The secrets this process knows of, in every form that is searched for. It only grows. */
export interface KnownSecrets {
  /** A credential typed by a person or read from somewhere. Too short or too common a value is not taken. */
  add(value: string): void
  /** Values of variables whose names say that they are secret, and passwords inside URLs. */
  addEnvironment(env: Readonly<Record<string, string | undefined>>): void
  /** The credentials in a JSON file's text (an auth store, a models file). Anything else is passed over. */
  addCredentialFile(text: string): void
  /** Search over all of them; made when first asked for and again after an addition. */
  search(): NeedleSearch
}

const CREDENTIAL_FIELD = /^(?:key|access|refresh)$/i
const URL_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^/\s:@]*:([^/\s@]+)@/i
const PLACE = /^(?:~|\.{0,2})\/|^[A-Z]:\\|^[a-z][a-z0-9+.-]*:\/\//i
/** A credential file may name a variable or a command instead of holding the value. */
const INDIRECT = /^!|^\$?\{?[A-Z][A-Z0-9_]*\}?$/

/** Values that settings with secret-sounding names often have, and that ordinary text is full of. */
const COMMON_VALUES = new Set(
  (
    'changeme disabled undefined localhost password password1 passw0rd required optional external internal ' +
    'development production testing1 example1 anonymous default1 username unlimited automatic placeholder ' +
    'not-needed notneeded no-key-needed your-api-key your_api_key secret123 12345678 123456789 1234567890'
  ).split(' '),
)

function isSearchable(value: string): boolean {
  return value.length >= MIN_NEEDLE_LENGTH && new Set(value).size > 2 && !COMMON_VALUES.has(value.toLowerCase())
}

/** An empty set of secrets. Nothing is compiled until something is searched. */
export function createKnownSecrets(): KnownSecrets {
  const values = new Set<string>()
  let compiled: NeedleSearch | undefined

  const add = (value: string): void => {
    const trimmed = value.trim()
    for (const candidate of [trimmed, ...splitLines(trimmed)]) {
      if (values.has(candidate) || !isSearchable(candidate)) continue
      values.add(candidate)
      compiled = undefined
    }
  }

  return {
    add,
    addEnvironment(env) {
      for (const [name, value] of Object.entries(env)) {
        if (value === undefined || value.length < MIN_NEEDLE_LENGTH) continue
        // A path to a secret and an address with one in it are none by themselves.
        if (isSecretVariable(name) && !PLACE.test(value)) add(value)
        const password = value.includes('@') ? URL_PASSWORD.exec(value)?.[1] : undefined
        if (password !== undefined) addEscaped(password, add)
      }
    },
    addCredentialFile(text) {
      for (const value of credentialsIn(text)) add(value)
    },
    search() {
      // A serialised line is searched as a whole: each form stands in it as JSON escapes it once more.
      compiled ??= createNeedleSearch([...values].flatMap(secretForms).flatMap((form) => [form, jsonEscaped(form)]))
      return compiled
    },
  }
}

/** A key block of many lines is often quoted line by line. */
function splitLines(value: string): string[] {
  return value.includes('\n') ? value.split('\n').filter((line) => line.length >= 24 && !line.startsWith('-----')) : []
}

function addEscaped(password: string, add: (value: string) => void): void {
  add(password)
  try {
    add(decodeURIComponent(password))
  } catch {
    // Not percent-encoded after all: the text as it stands is the password.
  }
}

function credentialsIn(text: string): string[] {
  const found: string[] = []
  const visit = (name: string, value: unknown): void => {
    if (typeof value === 'string') {
      if (!INDIRECT.test(value) && isCredentialField(name)) found.push(value)
      return
    }
    if (typeof value !== 'object' || value === null) return
    for (const [key, item] of Object.entries(value)) visit(Array.isArray(value) ? name : key, item)
  }
  try {
    visit('', JSON.parse(text))
  } catch {
    // Half-written or foreign: it is read again when it changes, and its text must not be quoted anywhere.
  }
  return found
}

function isCredentialField(name: string): boolean {
  return CREDENTIAL_FIELD.test(name) || ENSO_REDACT_FIELDS.some((pattern) => pattern.test(name))
}
