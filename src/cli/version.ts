/** The flags that ask for the version, alone on the command line. */
const VERSION_FLAGS: ReadonlySet<string> = new Set(['--version', '-V', '-v'])

/** Does this command line ask for nothing but the version? Answered before anything is loaded. */
export function asksForVersion(argv: readonly string[]): boolean {
  const first = argv[0]
  return first !== undefined && argv.length === 1 && VERSION_FLAGS.has(first)
}
