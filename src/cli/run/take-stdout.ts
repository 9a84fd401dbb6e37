import { syncBuiltinESMExports } from 'node:module'
import fs from 'node:fs'
import { createRealStdout, rawStdout, type RealStdout } from './real-stdout.js'

/** The calls of node:fs that take a descriptor first and write to it. */
const FS_WRITES = [
  'write',
  'writev',
  'writeSync',
  'writevSync',
  'writeFile',
  'writeFileSync',
  'appendFileSync',
  'appendFile',
] as const

/**
 * Takes standard output for whoever speaks the protocol: from now on `process.stdout`, `console.log` and writes to
 * descriptor 1 land on standard error. Called once, before anything else is loaded.
 */
export function takeStdout(): RealStdout {
  const original = process.stdout
  const real = createRealStdout(rawStdout(original), 1)
  const { stderr } = process
  original.write = stderr.write.bind(stderr)
  Object.defineProperty(process, 'stdout', { configurable: true, enumerable: true, get: () => stderr })
  for (const name of FS_WRITES) {
    const call = fs[name] as (fd: unknown, ...rest: unknown[]) => unknown
    const moved = (fd: unknown, ...rest: unknown[]): unknown => call(fd === 1 ? 2 : fd, ...rest)
    // promisify finds the shape of the answer on the function itself.
    for (const key of Object.getOwnPropertySymbols(call)) {
      Object.defineProperty(moved, key, Object.getOwnPropertyDescriptor(call, key)!)
    }
    Object.assign(fs, { [name]: moved })
  }
  syncBuiltinESMExports()
  return real
}
