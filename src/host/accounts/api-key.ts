/** The most characters a key may have; longer is a pasted file. */
const KEY_MAX = 8192

/**
 * Why a text can't be stored as an API key, or `undefined` when it can.
 *
 * The library runs a stored key that begins with `!` as a shell command, and replaces one that is the name of an
 * environment variable by that variable's value; neither may come in through a login. A reason never repeats the key.
 */
export function apiKeyRefusal(key: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  if (key === '') return 'the key is empty'
  if (key.length > KEY_MAX) return `the key is longer than ${KEY_MAX} characters`
  if (key.startsWith('!')) return 'a key that begins with ! would be run as a command'
  if (/[^\x21-\x7e]/.test(key)) return 'the key has white space or characters that no key has'
  if (Object.hasOwn(env, key)) return "the key is an environment variable's name and would be replaced by its value"
  return undefined
}
