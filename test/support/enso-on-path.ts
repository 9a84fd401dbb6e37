import { chmodSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { ensoBin, type EnsoEnd, type Place, startProcess, type StartOptions } from './run-enso.js'

/** The place with `enso` on its path, as a link of npm's would have it. */
export async function withEnsoOnPath(place: Place): Promise<Place> {
  const enso = await place.write('bin/enso', `#!/bin/sh\nexec ${process.execPath} ${ensoBin} "$@"\n`)
  chmodSync(enso, 0o755)
  return { ...place, env: { ...place.env, PATH: `${place.root}/bin:${place.env['PATH']}` } }
}

/** Runs a script as a person's shell would. */
export function runShell(
  t: TestContext,
  place: Place,
  script: string,
  options: Omit<StartOptions, 'env'> & { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<EnsoEnd> {
  return startProcess(t, '/bin/bash', ['-e', '-o', 'pipefail', '-c', script], {
    cwd: place.cwd,
    ...options,
    env: { ...place.env, ...options.env },
  }).ended
}
