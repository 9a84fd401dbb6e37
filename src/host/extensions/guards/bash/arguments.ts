/** One option as it stands on a command line; `value` is what came with it. */
export interface Option {
  readonly name: string
  readonly value: string | undefined
}

/** A command's words sorted into options and operands. */
export interface Arguments {
  readonly options: readonly Option[]
  readonly operands: readonly string[]
}

/** Words in a text as a list. */
export const wordList = (text: string): string[] => text.trim().split(/\s+/)

const sets = new Map<string, ReadonlySet<string>>()

/** A space-separated list as a set, made once. */
export function wordSet(list: string): ReadonlySet<string> {
  let set = sets.get(list)
  if (set === undefined) sets.set(list, (set = new Set(list.split(/\s+/).filter(Boolean))))
  return set
}

/**
 * Sorts words the way most programs do: `--name=value`, `--name value` and `-n value` for the names in `valued` (a
 * space-separated list), `-abc` as single letters, `--` ends options. A letter in `valued` takes the rest of its
 * cluster. A long name with one dash (`-name`) is kept whole where `valued` lists it.
 */
export function sortArguments(args: readonly string[], valued = ''): Arguments {
  const takesValue = wordSet(valued)
  const options: Option[] = []
  const operands: string[] = []
  for (let at = 0; at < args.length; at++) {
    const word = args[at] as string
    if (word === '--') {
      operands.push(...args.slice(at + 1))
      break
    }
    if (!word.startsWith('-') || word === '-') {
      operands.push(word)
      continue
    }
    const equals = word.indexOf('=')
    if (word.startsWith('--') && equals > 0)
      options.push({ name: word.slice(0, equals), value: word.slice(equals + 1) })
    else if (takesValue.has(word)) options.push({ name: word, value: args[++at] })
    else if (word.startsWith('--')) options.push({ name: word, value: undefined })
    else at += addCluster(options, word, args[at + 1], takesValue)
  }
  return { options, operands }
}

/** Adds `-abc`; how many following words it took. */
function addCluster(
  options: Option[],
  word: string,
  next: string | undefined,
  takesValue: ReadonlySet<string>,
): number {
  for (let at = 1; at < word.length; at++) {
    const name = `-${word[at]}`
    if (!takesValue.has(name)) {
      options.push({ name, value: undefined })
      continue
    }
    const rest = word.slice(at + 1)
    options.push({ name, value: rest === '' ? next : rest })
    return rest === '' ? 1 : 0
  }
  return 0
}

/** Is one of these options there? `names` is a space-separated list. */
export function hasOption({ options }: Arguments, names: string): boolean {
  const wanted = wordSet(names)
  return options.some(({ name }) => wanted.has(name))
}

/** The values of these options. */
export function optionValues({ options }: Arguments, names: string): string[] {
  const wanted = wordSet(names)
  return options.flatMap(({ name, value }) => (wanted.has(name) && value !== undefined ? [value] : []))
}
