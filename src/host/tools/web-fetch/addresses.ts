import { BlockList, isIP, isIPv6 } from 'node:net'

const V4_RANGES: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

const V6_RANGES: readonly (readonly [string, number])[] = [
  ['::', 128],
  ['::1', 128],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]

let ranges: BlockList | undefined

function forbiddenRanges(): BlockList {
  if (ranges !== undefined) return ranges
  ranges = new BlockList()
  for (const [address, bits] of V4_RANGES) ranges.addSubnet(address, bits, 'ipv4')
  for (const [address, bits] of V6_RANGES) ranges.addSubnet(address, bits, 'ipv6')
  return ranges
}

/**
 * Is this an address of the machine, its network, its cloud's metadata, of a tunnel, or of nothing at all? An IPv6
 * address that carries an IPv4 one (mapped, translated, compatible, NAT64, 6to4, ISATAP) is judged by that one too.
 */
export function isForbiddenAddress(address: string): boolean {
  if (isIP(address) === 0) return true
  if (!isIPv6(address)) return forbiddenRanges().check(address, 'ipv4')
  const carried = carriedV4(address)
  if (carried !== undefined && forbiddenRanges().check(carried, 'ipv4')) return true
  return forbiddenRanges().check(address.split('%')[0] ?? address, 'ipv6')
}

function carriedV4(address: string): string | undefined {
  const words = wordsOf(address)
  if (words === undefined) return undefined
  const last = (): string => v4(words[6] ?? 0, words[7] ?? 0)
  const [, , , , fifth, sixth] = words
  const begins = words.slice(0, 4).every((word) => word === 0)
  if (begins && fifth === 0 && (sixth === 0xffff || sixth === 0)) return last()
  if (begins && fifth === 0xffff && sixth === 0) return last()
  if ((fifth === 0 || fifth === 0x200) && sixth === 0x5efe) return last()
  if (words[0] === 0x64 && words[1] === 0xff9b && words.slice(2, 6).every((word) => word === 0)) return last()
  if (words[0] === 0x2002) return v4(words[1] ?? 0, words[2] ?? 0)
  return undefined
}

const v4 = (high: number, low: number): string => [high >> 8, high & 255, low >> 8, low & 255].join('.')

/** The eight words of an IPv6 address; the URL parser brings every spelling to the shortest one. */
function wordsOf(address: string): number[] | undefined {
  let text: string
  try {
    text = new URL(`http://[${address.split('%')[0]}]/`).hostname.slice(1, -1)
  } catch {
    return undefined
  }
  const [head = '', tail] = text.split('::')
  const numbers = (part: string | undefined): number[] =>
    part ? part.split(':').map((word) => Number.parseInt(word, 16)) : []
  const before = numbers(head)
  const after = numbers(tail)
  if (tail === undefined) return before
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after]
}
