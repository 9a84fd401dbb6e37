import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { secretKindOf } from './secrets.js'
import type { GuardWorld } from './world.js'

/**
 * A `grep` result without the lines of secret files: the agent library searches hidden files too, so that a search for
 * `API_KEY` would print the key from `.env`. `undefined` where nothing has to go.
 *
 * `place` is the absolute folder or file searched. A line may be read as several names (`a-1-b-2- x`); it goes when any
 * of them is a secret file.
 */
export function withoutSecretLines(text: string, place: string, world: GuardWorld): string | undefined {
  const folder = isFolder(place) ? place : dirname(place)
  const known = new Map<string, boolean>()
  const isSecret = (name: string): boolean => {
    let secret = known.get(name)
    if (secret === undefined) known.set(name, (secret = secretKindOf(`${folder}/${name}`, world) !== undefined))
    return secret
  }
  const lines = text.split('\n')
  const kept = lines.filter((line) => !namesOf(line).some(isSecret))
  const left = lines.length - kept.length
  if (left === 0) return undefined
  return [...kept, `[${left} ${left === 1 ? 'line' : 'lines'} of files that hold credentials left out]`].join('\n')
}

/** The file names a result line can begin with: `name:12: text` for a match, `name-12- text` beside one. */
function namesOf(line: string): string[] {
  return [...line.matchAll(/[:-]\d+[:-] /g)].slice(0, 16).map((match) => line.slice(0, match.index))
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}
