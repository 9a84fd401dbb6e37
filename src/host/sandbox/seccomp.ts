/** One classic BPF instruction: code, jump if true, jump if false, operand. */
type Instruction = readonly [code: number, yes: number, no: number, operand: number]

const LOAD_WORD = 0x20
const JUMP_EQUAL = 0x15
const JUMP_AT_LEAST = 0x35
const RETURN = 0x06

const OFFSET_NUMBER = 0
const OFFSET_ARCHITECTURE = 4
const OFFSET_FIRST_ARGUMENT = 16

const ALLOW = 0x7fff0000
const KILL_PROCESS = 0x80000000
const NOT_PERMITTED = 0x00050001

const AF_UNIX = 1
const IO_URING_SETUP = 425
const X32_CALLS = 0x40000000

/** The kernel's number of an architecture, its `socket` call, and whether a second ABI hides in high call numbers. */
const ARCHITECTURES: Readonly<Record<string, { audit: number; socket: number; hasX32: boolean }>> = {
  x64: { audit: 0xc000003e, socket: 41, hasX32: true },
  arm64: { audit: 0xc00000b7, socket: 198, hasX32: false },
}

/**
 * The filter a sandboxed command runs under, in the form `bwrap --seccomp` reads: no new Unix-domain sockets and no
 * io_uring (which could make them behind the filter's back), and a foreign ABI ends the process. `socketpair` stays, so
 * that programs can talk to their own children.
 *
 * @returns `undefined` for an architecture it has no table for: a sandbox without the filter is not offered there
 */
export function unixSocketFilter(architecture: string = process.arch): Buffer | undefined {
  const known = ARCHITECTURES[architecture]
  if (known === undefined) return undefined
  const foreign: Instruction[] = known.hasX32
    ? [
        [JUMP_AT_LEAST, 0, 1, X32_CALLS],
        [RETURN, 0, 0, KILL_PROCESS],
      ]
    : []
  return encode([
    [LOAD_WORD, 0, 0, OFFSET_ARCHITECTURE],
    [JUMP_EQUAL, 1, 0, known.audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD_WORD, 0, 0, OFFSET_NUMBER],
    ...foreign,
    [JUMP_EQUAL, 0, 1, IO_URING_SETUP],
    [RETURN, 0, 0, NOT_PERMITTED],
    [JUMP_EQUAL, 1, 0, known.socket],
    [RETURN, 0, 0, ALLOW],
    [LOAD_WORD, 0, 0, OFFSET_FIRST_ARGUMENT],
    [JUMP_EQUAL, 0, 1, AF_UNIX],
    [RETURN, 0, 0, NOT_PERMITTED],
    [RETURN, 0, 0, ALLOW],
  ])
}

function encode(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8)
  program.forEach(([code, yes, no, operand], index) => {
    bytes.writeUInt16LE(code, index * 8)
    bytes.writeUInt8(yes, index * 8 + 2)
    bytes.writeUInt8(no, index * 8 + 3)
    bytes.writeUInt32LE(operand, index * 8 + 4)
  })
  return bytes
}
