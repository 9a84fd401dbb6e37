// Builds the program and runs it as people do: to see which chunks are loaded together, and so that what V8 made of it
// lies beside it and no start has to compile it. Without it the first starts do that, and keep it for the next ones.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEndpoint } from './bench/endpoint.js'
import { pack } from './build.js'

const BOUND_MS = 60_000
const bin = fileURLToPath(new URL('../bin/enso.js', import.meta.url))
const EXTENSION = "import { Type } from 'typebox'\nexport default (pi) => pi.on('turn_start', () => Type.String())\n"

const dir = mkdtempSync(join(tmpdir(), 'enso-warm-'))
const server = await startEndpoint(dir)
const kept = join(bin, '../../dist/code-cache')
const [home, work] = [join(dir, 'home'), join(dir, 'work')]
for (const folder of [join(home, 'agent'), work]) mkdirSync(folder, { recursive: true, mode: 0o700 })
writeFileSync(join(home, 'config.json'), JSON.stringify({ permissions: { allow: ['bash', 'write', 'edit'] } }))
writeFileSync(join(work, 'extension.ts'), EXTENSION)
writeFileSync(join(work, 'file.txt'), 'one\ntwo\n')

/** Whether a run adds to what is kept of a script: what the hot commands need of it, and no more. */
let warm = '1'

/** @param {readonly string[]} args @param {(line: string) => Promise<void>} [whenSaid] told of the first line it says */
async function run(args, whenSaid) {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: work,
    env: { PATH: process.env['PATH'], HOME: dir, TMPDIR: dir, LANG: 'C.UTF-8', ENSO_HOME: home, ENSO_WARM: warm },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: BOUND_MS,
    killSignal: 'SIGKILL',
  })
  let complaint = ''
  child.stderr.on('data', (/** @type {Buffer} */ chunk) => (complaint += String(chunk)))
  const ended = once(child, 'exit')
  if (whenSaid) {
    const [first] = await once(child.stdout, 'data')
    await whenSaid(String(first).trim())
    child.kill('SIGTERM')
  } else child.stdout.resume()
  const [code] = await ended
  if (code !== 0 && !whenSaid) throw new Error(`enso ${args.join(' ')} ended with ${code}: ${complaint.slice(-500)}`)
}

/** Reads and prompts a server as the page does. @param {string} line */
async function useServer(line) {
  const address = new URL(line.slice('listening '.length))
  const headers = {
    authorization: `Bearer ${address.hash.slice('#token='.length)}`,
    'content-type': 'application/json',
  }
  const at = (/** @type {string} */ path) => `${address.origin}${path}`
  await (await fetch(at('/'))).text()
  const follow = await fetch(at('/api/threads/warm/follow'), { headers })
  await fetch(at('/api/threads/warm/prompt'), { method: 'POST', headers, body: JSON.stringify({ message: 'hello' }) })
  let text = ''
  for await (const chunk of follow.body ?? []) {
    text += Buffer.from(chunk).toString('latin1')
    if (text.includes('"settled"')) break
  }
}

/** The chunks that any of these commands loads, in their order. @param {readonly (readonly string[])[]} lines */
async function loadedBy(lines) {
  rmSync(kept, { recursive: true, force: true })
  for (const args of lines) await run(args)
  const cache = readFileSync(join(kept, readdirSync(kept)[0] ?? ''))
  // The head of the file, as src/start/code-cache.ts has it.
  const index = cache.subarray(32, 32 + cache.readUInt32LE(24))
  return /** @type {[name: string][]} */ (JSON.parse(index.toString('utf8'))).map(([name]) => name)
}

const wordsOf = (/** @type {string} */ line) => line.split(' ')
const PLAIN = ['--help', 'threads', 'stats', 'logs', 'schema', 'completion bash'].map(wordsOf)
/** Less often used, and told apart so that none of them loads what only a run needs. */
const LOOKS = ['show', 'stats', 'context', 'events', 'timeline', 'export --md -o -'].map((word) =>
  wordsOf(`threads ${word} warm`),
)
const SETTINGS = ['config', '__complete -- config ', '__complete -- -r '].map(wordsOf)
const HELLO = [
  ['--json', '-m', 'local/x', 'hello'],
  ['-m', 'local/think', '--ephemeral', 'hello'],
]
const APIS = /** @type {const} */ (['anthropic-messages', 'openai-completions'])
const CALLS = [
  { name: 'bash', args: { command: 'cat file.txt | head -1 && ls' } },
  { name: 'read', args: { path: 'file.txt' } },
  { name: 'edit', args: { path: 'file.txt', edits: [{ oldText: 'one', newText: 'three' }] } },
  { name: 'write', args: { path: 'new.txt', content: 'new' } },
  { name: 'grep', args: { pattern: 'two' } },
]

try {
  server.otherwise({ thinking: 'hm', deltas: ['hello ', 'there'] })
  const useApi = (/** @type {typeof APIS[number]} */ api) =>
    writeFileSync(join(home, 'agent/models.json'), JSON.stringify(server.modelsJson(api)))
  useApi('openai-completions')
  await run(['-m', 'local/x', '--thread-id', 'warm', 'hello'])
  const loaded = []
  for (const lines of [...PLAIN.map((args) => [args]), LOOKS, SETTINGS]) loaded.push(await loadedBy(lines))
  for (const api of APIS) {
    useApi(api)
    for (const args of HELLO) loaded.push(await loadedBy([args]))
  }
  server.enqueue({ toolCalls: CALLS })
  loaded.push(await loadedBy(HELLO))
  await pack(loaded)
  rmSync(kept, { recursive: true, force: true })
  for (const args of PLAIN) await run(args)
  for (const api of APIS) {
    useApi(api)
    for (const args of HELLO) await run(args)
  }
  warm = 'new'
  server.enqueue({ toolCalls: CALLS })
  await run(HELLO[0] ?? [])
  await run(['-m', 'local/x', '-c', '-e', 'extension.ts', 'hello'])
  await run(['serve', '-m', 'local/x', '--port', '0'], useServer)
  for (const args of [...LOOKS, ...SETTINGS]) await run(args)
  // Whoever may run the program may read it.
  chmodSync(kept, 0o755)
  for (const name of readdirSync(kept)) chmodSync(join(kept, name), 0o644)
} finally {
  await server.close()
  rmSync(dir, { recursive: true, force: true })
}
