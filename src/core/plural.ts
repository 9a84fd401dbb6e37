/** `1 prompt`, `2 prompts`; a noun that takes no s says what it takes: `1 match`, `2 matches`. */
export function plural(amount: number, one: string, many = `${one}s`): string {
  return `${amount} ${amount === 1 ? one : many}`
}
