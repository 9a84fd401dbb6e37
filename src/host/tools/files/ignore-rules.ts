import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ignore, { type Ignore } from 'ignore'
import { readOrdinaryFile } from '../../../system/read-ordinary.js'

/** No rules that are looked at are longer. */
const RULES_MAX_BYTES = 1024 * 1024

/** One folder's own ignore rules. `base` is that folder, absolute. */
export interface IgnoreRules {
  readonly base: string
  readonly ignore: Ignore
}

/** The rules of a folder's own `.gitignore`; `undefined` where it has none that can be read. */
export function rulesIn(folder: string): IgnoreRules | undefined {
  try {
    return { base: folder, ignore: ignore().add(readOrdinaryFile(join(folder, '.gitignore'), RULES_MAX_BYTES)) }
  } catch {
    return undefined
  }
}

/**
 * The rules of the folders above one, up to its repository's root, outermost first. None where the folder itself is
 * ignored by them: who names it means what is in it.
 */
export function rulesAbove(folder: string): readonly IgnoreRules[] {
  const rules: IgnoreRules[] = []
  let at = folder
  while (!existsSync(join(at, '.git'))) {
    const above = dirname(at)
    if (above === at) return []
    at = above
    const own = rulesIn(at)
    if (own !== undefined) rules.unshift(own)
  }
  return isIgnored(`${folder}/`, rules) ? [] : rules
}

/** Is this absolute path (a folder's ends with `/`) ignored? The deepest rules that say something decide. */
export function isIgnored(path: string, rules: readonly IgnoreRules[]): boolean {
  for (let at = rules.length - 1; at >= 0; at--) {
    const { base, ignore } = rules[at]!
    const verdict = ignore.test(path.slice(base === '/' ? 1 : base.length + 1))
    if (verdict.ignored) return true
    if (verdict.unignored) return false
  }
  return false
}
