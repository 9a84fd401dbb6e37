import { join } from 'node:path'

/** The checkout's root folder: tests run from a transpiled copy, so they never derive it from their own path. */
export const root = process.env['ENSO_TEST_ROOT'] ?? process.cwd()

/** A path inside the checkout. */
export function inRoot(...parts: string[]): string {
  return join(root, ...parts)
}
