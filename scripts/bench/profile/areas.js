// Sums a CPU profile's self time by area: a folder of ours, a package, a module of Node, or what V8 does by itself.

/**
 * @typedef {object} CpuProfile
 * @property {readonly { id: number, callFrame: import('./origins.js').Place & { functionName: string } }[]} nodes
 * @property {readonly number[]} samples
 * @property {readonly number[]} timeDeltas microseconds
 *
 * @typedef {Readonly<Record<string, number>>} Areas milliseconds by area
 */

/** @type {Readonly<Record<string, string | undefined>>} */
const OF_V8 = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'V8 and Node in C++, outside of JavaScript',
  '(idle)': 'waiting',
}

/**
 * @param {CpuProfile} profile
 * @param {import('./origins.js').Origins} originOf
 * @returns {Areas}
 */
export function areasOf({ nodes, samples, timeDeltas }, originOf) {
  const areas = new Map(nodes.map(({ id, callFrame }) => [id, areaOf(callFrame, originOf)]))
  /** @type {Record<string, number>} */
  const sums = {}
  for (const [index, id] of samples.entries()) {
    const area = areas.get(id) ?? 'unknown'
    sums[area] = (sums[area] ?? 0) + (timeDeltas[index] ?? 0) / 1000
  }
  return sums
}

/** @param {CpuProfile['nodes'][number]['callFrame']} frame @param {import('./origins.js').Origins} originOf */
function areaOf(frame, originOf) {
  const { url, functionName } = frame
  if (url === '') return OF_V8[functionName] ?? 'V8 and Node in C++: functions called from JavaScript'
  if (url.startsWith('node:')) return nodeArea(url)
  if (url.endsWith('/dist/start.cjs')) return 'src/start'
  if (!url.includes('/dist/')) return /\/(bin\/\w+\.js|scripts\/.*)$/.exec(url)?.[1] ?? packageOf(url) ?? 'elsewhere'
  const origin = originOf(frame)
  if (origin === undefined) return 'evaluating chunks of the bundle'
  return packageOf(origin) ?? folderOf(origin)
}

/** @param {string} url */
function nodeArea(url) {
  const [first = '', second = ''] = url.slice('node:'.length).replace('internal/', '').split('/')
  if (first === 'vm') return 'taking compiled scripts from the cache (node:vm)'
  if (first === 'modules') return 'Node: modules'
  if (/^(?:bootstrap|main|process|per_context|options)$/.test(first)) return 'Node: its own start'
  return `Node: ${first === 'deps' ? second : first}`
}

/** @param {string} path */
function packageOf(path) {
  return /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1]
}

/** @param {string} path of ours */
function folderOf(path) {
  return (
    /(?:^|\/)(src\/(?:host\/|server\/|cli\/)?[\w-]+)\//.exec(path)?.[1] ?? /(?:^|\/)(src\/.*)$/.exec(path)?.[1] ?? path
  )
}

/**
 * The largest areas of several runs, in milliseconds a run; the small ones are summed.
 * @param {readonly Areas[]} runs @param {number} [most]
 * @returns {{ readonly area: string, readonly ms: number, readonly share: number }[]}
 */
export function largest(runs, most = 14) {
  /** @type {Map<string, number>} */
  const sums = new Map()
  for (const run of runs) for (const [area, ms] of Object.entries(run)) sums.set(area, (sums.get(area) ?? 0) + ms)
  sums.delete('waiting')
  const total = [...sums.values()].reduce((sum, ms) => sum + ms, 0)
  const sorted = [...sums].map(([area, ms]) => ({ area, ms: ms / runs.length, share: ms / total }))
  sorted.sort((a, b) => b.ms - a.ms)
  const rest = sorted.slice(most)
  if (rest.length === 0) return sorted
  const sum = (/** @type {'ms' | 'share'} */ figure) => rest.reduce((all, one) => all + one[figure], 0)
  return [...sorted.slice(0, most), { area: `${rest.length} more`, ms: sum('ms'), share: sum('share') }]
}
