import { readFileSync } from 'node:fs'

/** What V8 made of scripts when they last ran, by the script's name; a script that has one is not compiled again. */
export type CodeCache = ReadonlyMap<string, Buffer>

const MAGIC = 'enso code cache 1'
/** Bytes of the magic text and of the two numbers behind it: the length of the index, and of the whole file. */
const HEAD_BYTES = 32
/** V8 wants its data at an address that eight divides. */
const ALIGNMENT = 8

interface Entry {
  readonly name: string
  readonly bytes: number
}

const padding = (bytes: number): number => (ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT

/** All of a cache as one file: a head, an index, the data of each script. */
export function packCodeCache(cache: CodeCache): Buffer {
  const entries: Entry[] = [...cache].map(([name, data]) => ({ name, bytes: data.length }))
  const index = Buffer.from(JSON.stringify(entries))
  const parts = [index, ...cache.values()].flatMap((part) => [part, Buffer.alloc(padding(part.length))])
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(MAGIC, 'latin1')
  head.writeUInt32LE(index.length, HEAD_BYTES - 8)
  head.writeUInt32LE(
    parts.reduce((sum, part) => sum + part.length, HEAD_BYTES),
    HEAD_BYTES - 4,
  )
  return Buffer.concat([head, ...parts])
}

/** The cache in a file's bytes; `undefined` when they are something else, or not all of it. */
export function unpackCodeCache(file: Buffer): CodeCache | undefined {
  if (file.length < HEAD_BYTES || file.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined
  const indexBytes = file.readUInt32LE(HEAD_BYTES - 8)
  if (file.readUInt32LE(HEAD_BYTES - 4) !== file.length) return undefined
  const entries = JSON.parse(file.toString('utf8', HEAD_BYTES, HEAD_BYTES + indexBytes)) as Entry[]
  const cache = new Map<string, Buffer>()
  let at = HEAD_BYTES + indexBytes + padding(indexBytes)
  for (const { name, bytes } of entries) {
    cache.set(name, file.subarray(at, at + bytes))
    at += bytes + padding(bytes)
  }
  return cache
}

/**
 * The cache of the first of these files that holds one; an empty one when none does.
 *
 * V8 takes what it is given on trust, so the files lie where only those write who may change the program itself.
 */
export function readCodeCache(files: readonly string[]): CodeCache {
  for (const file of files) {
    const cache = unpackCodeCache(bytesOf(file))
    if (cache !== undefined) return cache
  }
  return new Map()
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    // Not made yet, or not ours to read: the scripts are compiled.
    return Buffer.alloc(0)
  }
}
