import { closeSync, fstatSync, openSync, readSync } from 'node:fs'

/** What V8 made of scripts when they last ran, by the script's name; a script that has one is not compiled again. */
export interface CodeCache {
  get(name: string): Buffer | undefined
  names(): Iterable<string>
}

const MAGIC = 'enso code cache 2'
/** Bytes of the magic text and of the two numbers behind it: the length of the index, and of the whole file. */
const HEAD_BYTES = 32
/** V8 wants its data at an address that eight divides, and copies what is elsewhere. */
const ALIGNMENT = 8

/** A script's name, and where in the file its data is. */
type Entry = readonly [name: string, at: number, bytes: number]

const padding = (bytes: number): number => (ALIGNMENT - (bytes % ALIGNMENT)) % ALIGNMENT

/** All of a cache as one file: a head, an index, the data of each script. */
export function packCodeCache(cache: CodeCache): Buffer {
  const entries: Entry[] = []
  const parts: Buffer[] = []
  let at = 0
  for (const name of cache.names()) {
    const data = cache.get(name)
    if (data === undefined) continue
    entries.push([name, at, data.length])
    parts.push(data, Buffer.alloc(padding(data.length)))
    at += data.length + padding(data.length)
  }
  const index = Buffer.from(JSON.stringify(entries))
  const head = Buffer.alloc(HEAD_BYTES)
  head.write(MAGIC, 'latin1')
  head.writeUInt32LE(index.length, HEAD_BYTES - 8)
  head.writeUInt32LE(HEAD_BYTES + index.length + at, HEAD_BYTES - 4)
  return Buffer.concat([head, index, ...parts])
}

/** A cache of these scripts. */
export function codeCacheOf(data: ReadonlyMap<string, Buffer>): CodeCache {
  return { get: (name) => data.get(name), names: () => data.keys() }
}

/**
 * The cache in the first of these files that holds all of one; an empty one when none does. A script's data is read
 * when it is asked for.
 *
 * V8 takes what it is given on trust, so the files lie where only those write who may change the program itself.
 */
export function readCodeCache(files: readonly string[]): CodeCache {
  for (const file of files) {
    const cache = open(file)
    if (cache !== undefined) return cache
  }
  return codeCacheOf(new Map())
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
  const index = bytesAt(HEAD_BYTES, indexBytes)
  if (index === undefined) return undefined
  const entries = JSON.parse(index.toString('utf8')) as Entry[]
  const places = new Map(entries.map(([name, at, bytes]) => [name, { at: HEAD_BYTES + indexBytes + at, bytes }]))
  return {
    get(name) {
      const place = places.get(name)
      return place && bytesAt(place.at, place.bytes)
    },
    names: () => places.keys(),
  }
}
