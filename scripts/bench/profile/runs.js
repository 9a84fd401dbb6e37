// Runs enso under V8's profiler: a command, a prompt, a long reply, or a served reply with a hundred followers.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DELTA } from '../rounds.js'
import { root } from '../world.js'

/** Microseconds between two samples. */
const INTERVAL = 100
const FOLLOWERS = 100
const enso = join(root, 'bin/enso.js')
const reply = (/** @type {number} */ count) => ({ deltas: Array.from({ length: count }, () => DELTA) })
const prompt = ['-m', 'local/x', '--ephemeral', 'hello']

/** @typedef {Awaited<ReturnType<typeof import('../world.js').createWorld>>} World */

/** @type {Readonly<Record<string, (world: World) => Promise<import('./areas.js').CpuProfile>>>} */
export const RUNS = {
  help: (world) => command(world, ['--help']),
  threads: (world) => command(world, ['threads', 'list']),
  hello: (world) => command(world, prompt, 1),
  stream: (world) => command(world, ['--json', ...prompt], 20_000),
  followers: served,
}

/** @param {World} world @param {readonly string[]} args */
function profiled(world, args) {
  const dir = mkdtempSync(join(world.scratch.dir, 'profile-'))
  const flags = ['--cpu-prof', `--cpu-prof-dir=${dir}`, `--cpu-prof-interval=${INTERVAL}`]
  const child = spawn(process.execPath, [...flags, enso, ...args], {
    cwd: world.cwd,
    env: world.env,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  const letGo = world.scratch.holds(child.pid)
  const ended = once(child, 'exit').then(([code]) => {
    letGo()
    const [file] = readdirSync(dir)
    if (file === undefined) throw new Error(`enso ${args.join(' ')} left no profile, exit ${code}`)
    return JSON.parse(readFileSync(join(dir, file), 'utf8'))
  })
  return { child, ended }
}

/** @param {World} world @param {readonly string[]} args @param {number} [deltas] */
function command(world, args, deltas = 0) {
  world.server.otherwise(reply(deltas))
  const { child, ended } = profiled(world, args)
  child.stdout.resume()
  return ended
}

/** A reply of 20,000 pieces to a hundred followers, the server's start included. @param {World} world */
async function served(world) {
  const { child, ended } = profiled(world, ['serve', '-m', 'local/x'])
  const [line = ''] = await once(createInterface({ input: child.stdout }), 'line')
  const { origin, port, hash } = new URL(line.slice('listening '.length))
  const token = hash.slice('#token='.length)
  const thread = '/api/threads/profiled'
  const ask = (/** @type {string} */ message) =>
    fetch(`${origin}${thread}/prompt`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message }),
    })
  world.server.otherwise(reply(20_000))
  const args = [port, `${thread}/follow`, token, String(FOLLOWERS), '0', '"kind":"settled"']
  const readers = spawn(process.execPath, [join(root, 'scripts/bench/programs/sse-readers.js'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  })
  const letGo = world.scratch.holds(readers.pid)
  const said = createInterface({ input: readers.stdout })
  await once(said, 'line')
  const done = once(said, 'line')
  await ask('hello')
  await done
  readers.kill()
  letGo()
  child.kill('SIGTERM')
  return ended
}
