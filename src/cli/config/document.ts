import type { TObject, TSchema } from '@sinclair/typebox'
import { EnsoError, EnsoUserConfig, parseEnsoUserConfig } from '../../core/index.js'
import { writePrivateFile } from '../../system/private-files.js'
import { canonicalPath } from '../../system/project-id.js'
import type { UsageRefusal } from '../args/flag.js'
import { readUserConfig } from './config-files.js'
import { withValueAt } from './settings.js'

/** The value that words of a command line mean for a key, by the key's own schema; checked when it is written. */
export function valueOfWords(key: string, words: readonly string[]): unknown {
  const [only = ''] = words
  const schema = schemaAt(EnsoUserConfig, key.split('.'))
  if (schema?.['type'] === 'array') return words.length === 1 && only.startsWith('[') ? jsonOr(only) : [...words]
  const text = words.join(' ')
  const isText = schema?.['type'] === 'string' || schema?.['anyOf'] !== undefined
  return isText ? text : jsonOr(text)
}

function schemaAt(schema: TSchema | undefined, [name, ...rest]: readonly string[]): TSchema | undefined {
  if (name === undefined) return schema
  const { properties } = (schema ?? {}) as Partial<TObject>
  return schemaAt(properties?.[name], rest)
}

/** What is no JSON stays a text, for the schema to refuse. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/**
 * Changes one value of the person's file, `undefined` takes it away. Nothing is written unless the whole of it is a
 * configuration. A link is followed: the file it leads to is replaced.
 *
 * @returns why the value is refused
 * @throws EnsoError `bad-config` where the file is broken already, `disk` where it can't be written
 */
export function changeSetting(file: string, key: string, value: unknown): UsageRefusal | undefined {
  const changed = withValueAt(readUserConfig(file), key, value)
  const text = `${JSON.stringify(changed, null, 2)}\n`
  const parsed = parseEnsoUserConfig(text)
  if (parsed.kind === 'unreadable') return { reason: parsed.reason.replace(/^line \d+, column \d+: /, '') }
  writeConfig(file, text)
  return undefined
}

/** Replaces the person's file whole, readable by them alone. @throws EnsoError `disk` */
export function writeConfig(file: string, text: string): void {
  try {
    writePrivateFile(canonicalPath(file), text)
  } catch (cause) {
    throw new EnsoError('disk', `${file} can't be written: ${(cause as Error).message}`, { cause })
  }
}
