import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** What V8 made of scripts when they last ran, by the script's name; a script that has one is not compiled again. */
export interface CodeCache {
  get(name: string): Buffer | undefined
  names(): Iterable<string>
}

const MAGIC = 'enso code cache 3'
/** Bytes of the magic text and of the three numbers behind it: the index's checksum and length, the file's length. */
const HEAD_BYTES = 32
/** V8 wants its data at an address that eight divides, and copies what is elsewhere. */
const ALIGNMENT = 8

/** A script's name, where in the file its data is, and the checksum of that. */
type Entry = readonly [name: string, at: number, bytes: number, checksum: number]

const padding = (bytes: number): number => (ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT

/** All of a cache as one file: a head, an index, the data of each script. */
export function packCodeCache(cache: CodeCache): Buffer {
  const entries: Entry[] = []
  const parts: Buffer[] = []
  let at = 0
  for (const name of cache.names()) {
    const data = cache.get(name)
    if (data === undefined) continue
    entries.push([name, at, data.length, crc32(data)])
    parts.push(data, Buffer.alloc(padding(data.length)))
    at += data.length + padding(data.length)
  }
  const index = Buffer.from(JSON.stringify(entries))
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(MAGIC, 'latin1')
  head.writeUInt32LE(crc32(index), HEAD_BYTES - 12)
  head.writeUInt32LE(index.length, HEAD_BYTES - 8)
  head.writeUInt32LE(HEAD_BYTES + index.length + at, HEAD_BYTES - 4)
  return Buffer.concat([head, index, ...parts])
}

/** A cache of these scripts. */
export function codeCacheOf(data: ReadonlyMap<string, Buffer>): CodeCache {
  return { get: (name) => data.get(name), names: () => data.keys() }
}

/**
 * What these files hold of a cache, the first one first; nothing where none holds all of one. A file after the
 * first is opened when those before it lack something, a script's data read when it is asked for.
 *
 * V8 takes what it is given on trust, and a wrong byte can end the process: data that is not as it was written is none.
 * The checksum is for accidents. The files lie where only those write who may change the program itself.
 */
export function readCodeCache(files: readonly string[]): CodeCache {
  const opened = new Map<string, CodeCache | undefined>()
  const cacheAt = (file: string): CodeCache | undefined => {
    if (!opened.has(file)) opened.set(file, open(file))
    return opened.get(file)
  }
  if (files[0] !== undefined) cacheAt(files[0])
  return {
    get(name) {
      for (const file of files) {
        const data = cacheAt(file)?.get(name)
        if (data !== undefined) return data
      }
      return undefined
    },
    names: () => new Set(files.flatMap((file) => [...(cacheAt(file)?.names() ?? [])])),
  }
}

function open(file: string): CodeCache | undefined {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    const cache = cacheIn(descriptor)
    if (cache === undefined) closeSync(descriptor)
    return cache
  } catch {
    // Not made yet, or not ours to read: the scripts are compiled.
    if (descriptor !== undefined) closeSync(descriptor)
    return undefined
  }
}

function cacheIn(descriptor: number): CodeCache | undefined {
  const bytesAt = (at: number, bytes: number): Buffer | undefined => {
    const buffer = Buffer.allocUnsafeSlow(bytes)
    return readSync(descriptor, buffer, 0, bytes, at) === bytes ? buffer : undefined
  }
  const head = bytesAt(0, HEAD_BYTES)
  if (head?.toString('latin1', 0, MAGIC.length) !== MAGIC) return undefined
  // One that is not whole was never finished.
  if (head.readUInt32LE(HEAD_BYTES - 4) !== fstatSync(descriptor).size) return undefined
  const indexBytes = head.readUInt32LE(HEAD_BYTES - 8)
  if (HEAD_BYTES + indexBytes > head.readUInt32LE(HEAD_BYTES - 4)) return undefined
  const index = bytesAt(HEAD_BYTES, indexBytes)
  if (index === undefined || crc32(index) !== head.readUInt32LE(HEAD_BYTES - 12)) return undefined
  const entries = new Map((JSON.parse(index.toString('utf8')) as Entry[]).map((entry) => [entry[0], entry]))
  return {
    get(name) {
      const [, at = 0, bytes = 0, checksum] = entries.get(name) ?? []
      const data = checksum === undefined ? undefined : bytesAt(HEAD_BYTES + indexBytes + at, bytes)
      return data !== undefined && crc32(data) === checksum ? data : undefined
    },
    names: () => entries.keys(),
  }
}
