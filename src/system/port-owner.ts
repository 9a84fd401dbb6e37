import { readFileSync } from 'node:fs'

/** The state of a socket that listens, and the addresses that 127.0.0.1 reaches, as the kernel's table writes them. */
const LISTENS = '0A'
const REACHED = new Set(['0100007F', '00000000', '0'.repeat(32), '0000000000000000FFFF00000100007F'])

/** The user that listens on a port of this machine, where the kernel's tables tell it; nowhere else than on Linux. */
export function portOwner(port: number): number | undefined {
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    let lines: readonly string[]
    try {
      lines = readFileSync(table, 'utf8').split('\n').slice(1)
    } catch {
      // No such table here: another system, or a container without it.
      continue
    }
    for (const line of lines) {
      const [, local = '', , state, , , , uid] = line.trim().split(/\s+/)
      const [address = '', hexPort = ''] = local.split(':')
      if (state === LISTENS && REACHED.has(address) && Number.parseInt(hexPort, 16) === port) return Number(uid)
    }
  }
  return undefined
}
