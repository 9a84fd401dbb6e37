import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer as createHttpServer } from 'node:http'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { test, type TestContext } from 'node:test'
import { EnsoError, type AgentHost, type FoundLocalServer, type OpenThreadRequest } from '../../../src/core/index.js'
import { findLocalServers, localPlaces, LOOK_MS, modelsIn } from '../../../src/host/models/find-local-servers.js'
import { withLocalModels } from '../../../src/host/models/local-models.js'
import { portOwner } from '../../../src/system/port-owner.js'

async function listening(t: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** A server that answers every path with this, as JSON unless it is text. */
function answering(t: TestContext, body: unknown, status = 200): Promise<number> {
  const server = createHttpServer((request, response) => {
    response.writeHead(request.url === '/v1/models' ? status : 404, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  return listening(t, server)
}

const list = (...models: object[]): object => ({ object: 'list', data: models })
const look = { portOwner: () => undefined, uid: 1000 }

test('a server that lists models is found, with the window where it says it; one that only embeds is none', async (t) => {
  const ollama = await answering(t, list({ id: 'qwen3:8b' }, { id: 'nomic-embed-text' }))
  const vllm = await answering(t, list({ id: 'org/model', max_model_len: 16_384 }))
  const places = [
    { kind: 'ollama', port: ollama },
    { kind: 'vllm', port: vllm },
  ] as const
  assert.deepEqual(await findLocalServers(places, look), [
    { kind: 'ollama', label: 'Ollama', url: `http://127.0.0.1:${ollama}/v1`, models: [{ id: 'qwen3:8b' }] },
    {
      kind: 'vllm',
      label: 'vLLM',
      url: `http://127.0.0.1:${vllm}/v1`,
      models: [{ id: 'org/model', contextWindow: 16_384 }],
    },
  ])
})

test('what is no such server is none: nothing there, an error, a page, a list of something else', async (t) => {
  const closed = createServer()
  const free = await listening(t, closed)
  closed.close()
  const ports = [
    free,
    await answering(t, list({ id: 'x' }), 401),
    await answering(t, '<html>hello</html>'),
    await answering(t, { data: [{ name: 'no id' }, { id: 3 }, { id: 'bad id\u001b[31m' }] }),
    await answering(t, list()),
    await answering(t, `{"data":[${'{"id":"a"},'.repeat(60_000)}{"id":"b"}]}`),
  ]
  const places = ports.map((port) => ({ kind: 'ollama', port }) as const)
  assert.deepEqual(await findLocalServers(places, look), [])
})

test('looking ends soon though a server says nothing', async (t) => {
  const silent = await listening(
    t,
    createServer((socket) => t.after(() => socket.destroy())),
  )
  const fine = await answering(t, list({ id: 'x' }))
  const from = performance.now()
  const found = await findLocalServers(
    [
      { kind: 'ollama', port: silent },
      { kind: 'lmstudio', port: fine },
    ],
    look,
  )
  // Without its bound it would never end; how late a busy machine is, is not its doing.
  assert.ok(performance.now() - from < LOOK_MS + 3000)
  assert.deepEqual(
    found.map(({ kind }) => kind),
    ['lmstudio'],
  )
})

test('who listens is known where the kernel tells it, and a stranger is named', async (t) => {
  const port = await answering(t, list({ id: 'x' }))
  assert.equal(portOwner(port), process.getuid?.())
  const places = [{ kind: 'ollama', port }] as const
  const stranger = async (owner: number | undefined, uid: number | undefined): Promise<number | undefined> =>
    (await findLocalServers(places, { portOwner: () => owner, uid }))[0]?.strangerUid
  assert.equal(await stranger(1001, 1000), 1001)
  assert.equal(await stranger(1000, 1000), undefined)
  assert.equal(await stranger(0, 1000), undefined)
  assert.equal(await stranger(undefined, 1000), undefined)
})

test('the places are the usual ports unless the environment names others', () => {
  assert.deepEqual(
    localPlaces({}).map(({ port }) => port),
    [11434, 1234, 8080, 8000],
  )
  assert.deepEqual(localPlaces({ ENSO_LOCAL_SERVERS: 'off' }), [])
  assert.deepEqual(localPlaces({ ENSO_LOCAL_SERVERS: 'ollama=5, vllm=6,what=7,ollama=x' }), [
    { kind: 'ollama', port: 5 },
    { kind: 'vllm', port: 6 },
  ])
})

test('a list of models is read loosely', () => {
  assert.deepEqual(modelsIn('no json'), [])
  assert.deepEqual(modelsIn('null'), [])
  assert.deepEqual(modelsIn(JSON.stringify(list({ id: 'm.gguf', meta: { n_ctx_train: 4096 } }))), [
    { id: 'm.gguf', contextWindow: 4096 },
  ])
})

const SERVER: FoundLocalServer = {
  kind: 'ollama',
  label: 'Ollama',
  url: 'http://127.0.0.1:11434/v1',
  models: [{ id: 'qwen3:8b' }],
}
const CHOICE = { kind: 'ollama', url: SERVER.url, model: 'qwen3:8b' } as const
const request = { threadId: 'a', cwd: '/', session: { kind: 'ephemeral' } } as OpenThreadRequest

/** A host that has no model of its own, and what became of its requests. */
function modelless(error: Error = new EnsoError('no-model', 'there is no model', { hint: 'set a key' })) {
  const opened: (string | undefined)[] = []
  let looked = 0
  let offered = 0
  const agreed: unknown[] = []
  const host = {
    openThread: async ({ model }: OpenThreadRequest) => {
      opened.push(model)
      if (model !== 'ollama/qwen3:8b') throw error
      return { threadId: 'a' }
    },
  } as unknown as AgentHost
  const make = (servers: readonly FoundLocalServer[], answer: typeof CHOICE | undefined, canAsk = true): AgentHost =>
    withLocalModels(host, {
      find: async () => {
        looked++
        return servers
      },
      offer: canAsk
        ? async () => {
            offered++
            return answer
          }
        : undefined,
      agreed: (server) => void agreed.push(server),
    })
  return { make, opened, agreed, looked: () => looked, offered: () => offered }
}

test('a person who agrees gets the model, and that is remembered', async () => {
  const { make, opened, agreed } = modelless()
  await make([SERVER], CHOICE).openThread(request)
  assert.deepEqual([opened, agreed], [[undefined, 'ollama/qwen3:8b'], [CHOICE]])
})

test('nobody to ask, or a no, is the fault it was, with what could be done', async () => {
  const { make, agreed, opened } = modelless()
  for (const host of [make([SERVER], CHOICE, false), make([SERVER], undefined)]) {
    await assert.rejects(host.openThread(request), (error: EnsoError) => {
      assert.deepEqual([error.code, error.message], ['no-model', 'there is no model'])
      assert.match(error.hint ?? '', /Ollama at 127\.0\.0\.1:11434 answers.*enso models --local --use/)
      return true
    })
  }
  assert.deepEqual([agreed, opened], [[], [undefined, undefined]])
  await assert.rejects(make([], CHOICE).openThread(request), { hint: 'set a key' })
})

test('a thread that may open without a model gets the agreed one; without a yes it stays as it is', async () => {
  const ran: unknown[] = []
  const hosted = (model: unknown) => ({
    runtime: { modelState: () => ({ model }), runHostCommand: async (run: unknown) => void ran.push(run) },
  })
  const agreed: unknown[] = []
  let looked = 0
  const make = (model: unknown, answer: typeof CHOICE | undefined, canAsk = true): AgentHost =>
    withLocalModels({ openThread: async () => hosted(model) } as unknown as AgentHost, {
      find: async () => {
        looked++
        return [SERVER]
      },
      offer: canAsk ? async () => answer : undefined,
      agreed: (server) => void agreed.push(server),
    })
  const may = { ...request, allowNoModel: true }
  await make({ provider: 'a', id: 'b' }, CHOICE).openThread(may)
  await make(null, CHOICE, false).openThread(may)
  assert.deepEqual([looked, ran], [0, []])
  await make(null, undefined).openThread(may)
  assert.deepEqual([looked, ran, agreed], [1, [], []])
  await make(null, CHOICE).openThread(may)
  assert.deepEqual([ran, agreed], [[{ name: 'model', value: 'ollama/qwen3:8b' }], [CHOICE]])
})

test('nothing is looked for where a model was chosen, or where the fault is another', async () => {
  const chosen = modelless()
  await assert.rejects(chosen.make([SERVER], CHOICE).openThread({ ...request, model: 'anthropic/x' }))
  const other = modelless(new EnsoError('disk', 'full'))
  await assert.rejects(other.make([SERVER], CHOICE).openThread(request), { code: 'disk' })
  assert.deepEqual([chosen.looked(), other.looked(), chosen.offered()], [0, 0, 0])
})
