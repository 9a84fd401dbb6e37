import { join } from 'node:path'
import { readOrdinaryFile } from '../../../system/read-ordinary.js'

/** Where `cc-safety-net` looks for a policy that a repository brings along; it reads this one folder only. */
export const REPOSITORY_POLICY = '.cc-safety-net/policy.json'

/** No policy is larger. */
const POLICY_MAX_BYTES = 1024 * 1024

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * What a repository's policy file would loosen, or `undefined` where it is absent or only tightens.
 *
 * The checker lets this file switch its rules off, whatever the person's own policy says. So only settings known to
 * tighten pass; one that is not known, or a file that can't be read, counts as loosening.
 */
export function repositoryLoosening(cwd: string): string | undefined {
  let text: string
  try {
    text = readOrdinaryFile(join(cwd, REPOSITORY_POLICY), POLICY_MAX_BYTES)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' || code === 'ENOTDIR' ? undefined : 'it can not be read'
  }
  let policy: unknown
  try {
    policy = JSON.parse(text)
  } catch {
    return 'it is not JSON'
  }
  if (!isFields(policy)) return 'it is not an object'
  for (const [key, value] of Object.entries(policy)) {
    const loosening = key === 'version' || key === '$schema' ? undefined : sectionLoosening(key, value)
    if (loosening !== undefined) return loosening
  }
  return undefined
}

function sectionLoosening(key: string, value: unknown): string | undefined {
  if (!isFields(value) || !/^(?:safety|destructive_command_protection|secret_protection)$/.test(key))
    return `"${key}" is not a known section`
  for (const [name, setting] of Object.entries(value)) {
    if (!tightens(key, name, setting)) return `it sets ${key}.${name}`
  }
  return undefined
}

function tightens(section: string, name: string, setting: unknown): boolean {
  if (section === 'safety') return name === 'level' && (setting === 'strict' || setting === 'paranoid')
  if (section !== 'destructive_command_protection' && section !== 'secret_protection') return false
  if (name === 'enabled') return setting === true
  if (name === 'deny_paths') return Array.isArray(setting)
  return name === 'overrides' && isFields(setting) && Object.values(setting).every((value) => value === 'on')
}
