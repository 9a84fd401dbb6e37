import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { RESPONSE_HEADERS } from '../../src/server/guards/response-headers.js'
import { readPageFiles } from '../../src/server/page-files.js'
import type { EnsoFollowFrame, EnsoFollowSnapshot, EnsoObservation, EnsoUiMessage } from '../../src/core/index.js'

/** The built page over a feed that the caller writes, with nothing behind it. */
export interface PageFeed {
  readonly url: string
  /** An address of a page with nothing on it, under the same headers. */
  readonly emptyUrl: string
  /** Sends observations; resolves when they have left. */
  observe(observations: readonly EnsoObservation[]): Promise<void>
  /** Resolves when a page follows. */
  readonly followed: Promise<void>
  close(): Promise<void>
}

/** Serves the page and one thread, `t1`, with these messages. */
export async function startPageFeed(messages: readonly EnsoUiMessage[]): Promise<PageFeed> {
  const files = await readPageFiles()
  let follower: ServerResponse | undefined
  let arrived: () => void = () => undefined
  const followed = new Promise<void>((resolve) => void (arrived = resolve))
  let seq = 0

  const write = (frame: EnsoFollowFrame): boolean =>
    follower?.write(`id: ${seq}\ndata: ${JSON.stringify(frame)}\n\n`) ?? true

  function follow(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    follower = response
    write(snapshotOf(messages))
    arrived()
  }

  function answer({ url = '/' }: IncomingMessage, response: ServerResponse): void {
    for (const [name, value] of Object.entries(RESPONSE_HEADERS)) response.setHeader(name, value)
    if (url.endsWith('/follow')) return follow(response)
    const json = JSON_ANSWERS.find(([end]) => url.endsWith(end))?.[1]
    if (json !== undefined) return void response.setHeader('content-type', 'application/json').end(JSON.stringify(json))
    if (url === '/empty')
      return void response.setHeader('content-type', 'text/html').end('<!doctype html><p class="reply">x</p>')
    const file = files.get(url === '/' ? 'index.html' : url.replace('/page/', ''))
    if (file === undefined) return void response.writeHead(url.startsWith('/api/') ? 204 : 404).end()
    response.setHeader('content-type', file.contentType).end(file.bytes)
  }

  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `${origin}/#token=x`,
    emptyUrl: `${origin}/empty`,
    followed,
    observe: async (observations) => {
      for (const observation of observations) {
        if (write({ type: 'observation', seq: ++seq, observation })) continue
        await new Promise((resolve) => follower?.once('drain', resolve))
      }
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const JSON_ANSWERS: readonly (readonly [string, unknown])[] = [
  ['/api/threads', { live: [], stored: [] }],
  ['/api/projects', []],
  ['/commands', { threadId: 't1', source: 'none', commands: [] }],
]

function snapshotOf(messages: readonly EnsoUiMessage[]): EnsoFollowSnapshot {
  return {
    type: 'snapshot',
    threadId: 't1',
    cwd: '/work',
    asOfSeq: 0,
    generation: 1,
    busy: true,
    live: true,
    messages: [...messages],
    openDialogs: [],
    permissionMode: { mode: 'default', available: ['default'] },
    model: null,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, context: null },
  }
}

/** A thread of so many messages, with Markdown, code and tools. */
export function longThread(count: number): EnsoUiMessage[] {
  return Array.from({ length: count }, (_none, index): EnsoUiMessage => {
    const id = `m${index}`
    if (index % 2 === 0) return { id, role: 'user', parts: [{ type: 'text', content: `Question ${index}` }] }
    const content = `## Answer ${index}\n\nSome **words** and \`code\`:\n\n- one\n- two\n\n\`\`\`ts\nexport const a${index} = ${index}\n\`\`\`\n`
    return {
      id,
      role: 'assistant',
      parts: [
        { type: 'text', content },
        { type: 'tool-call', id: `c${index}`, name: 'bash', arguments: '{"command":"ls"}', state: 'complete' },
        { type: 'tool-result', toolCallId: `c${index}`, name: 'bash', content: 'a\nb\n'.repeat(40), state: 'complete' },
      ],
    }
  })
}

/** One reply in so many pieces, with paragraphs, lists and code. */
export function replyOf(deltas: number): EnsoObservation[] {
  const pieces = Array.from({ length: deltas }, (_none, index): EnsoObservation => {
    const delta =
      index % 400 === 399 ? '\n\n```ts\nconst a = 1\n```\n\n' : index % 60 === 59 ? '\n\n- an item ' : `word${index} `
    return { kind: 'text-delta', contentIndex: 0, delta }
  })
  return [{ kind: 'message-start', role: 'assistant' }, ...pieces]
}
