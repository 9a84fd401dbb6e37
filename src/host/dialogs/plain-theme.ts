import type { Theme } from '@mariozechner/pi-coding-agent'

/**
 * A theme that styles nothing: each of its methods gives back the text it was handed. Extensions style what they say
 * for the library's own terminal; here the surfaces decide.
 */
export function plainTheme(): Theme {
  const unstyled = (...args: readonly string[]): string => args.at(-1) ?? ''
  return new Proxy({} as Theme, { get: () => unstyled })
}
