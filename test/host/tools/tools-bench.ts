import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'
import type { EnsoConfig, EnsoTranscriptEntry } from '../../../src/core/index.js'
import { createOwnParts } from '../../../src/host/own-parts.js'
import type { WebDoors } from '../../../src/host/own-tools.js'
import type { ModelApi, ModelRequest } from '../../support/model-server.js'
import { bench, type Bench, type BenchOpen, type BenchThread } from '../host-bench.js'

export interface ToolsBenchOptions {
  /** Files of the workspace by their paths. */
  readonly files?: Readonly<Record<string, string>>
  readonly config?: EnsoConfig
  readonly web?: Partial<WebDoors>
  /** Beside HOME and PATH. */
  readonly env?: Readonly<Record<string, string>>
  readonly api?: ModelApi
  readonly models?: object
}

/** A host whose threads have everything that enso gives them. */
export interface ToolsBench extends Bench {
  /** Opens a thread in which everything may be done but what the guards refuse. */
  openFree(options?: BenchOpen): Promise<BenchThread>
}

/** What came of one tool call: as it went over the feed, and as it is stored. */
export interface CalledTool {
  readonly observed: Extract<BenchThread['seen'][number], { kind: 'tool-result' }>
  readonly stored: Extract<EnsoTranscriptEntry, { kind: 'tool-result' }>
}

const nowhere: WebDoors = {
  resolve: () => Promise.reject(new Error('no look-up in this test')),
  transport: () => Promise.reject(new Error('no web in this test')),
  search: { deepseek: 'http://127.0.0.1:1', tavily: 'http://127.0.0.1:1' },
}

/** Makes one; nothing reaches the web but by the doors it is given. */
export async function toolsBench(t: TestContext, options: ToolsBenchOptions = {}): Promise<ToolsBench> {
  const made = await bench(t, {
    ...(options.api === undefined ? {} : { api: options.api }),
    ...(options.models === undefined ? {} : { models: options.models }),
    parts: (thread) => parts(thread),
  })
  for (const [path, text] of Object.entries(options.files ?? {})) {
    const file = join(made.cwd, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  const parts = createOwnParts({
    env: { PATH: process.env['PATH'], HOME: join(made.root, 'home'), ...options.env },
    ensoRoot: join(made.root, 'enso'),
    agentDir: made.agentDir,
    user: {},
    workspaceConfig: () => Promise.resolve(options.config),
    sandbox: 'off',
    allowBypass: true,
    addedRoots: [],
    allowTools: [],
    denyTools: [],
    secretFiles: [],
    now: () => new Date(),
    web: { ...nowhere, ...options.web },
  })
  return { ...made, openFree: (open = {}) => made.open({ permissionMode: 'bypassPermissions', ...open }) }
}

/** Has the model call a tool and waits until the run has settled. */
export async function callTool(
  { server }: Pick<Bench, 'server'>,
  thread: BenchThread,
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<CalledTool> {
  server.enqueue({ toolCalls: [{ name, args }] }, { text: 'seen' })
  await thread.run(`use ${name}`)
  return lastCall(thread)
}

/** The last tool call that is over. */
export function lastCall(thread: BenchThread): CalledTool {
  const observed = thread.all('tool-result').findLast(({ complete }) => complete)
  const stored = thread.hosted.entries().findLast((entry) => entry.kind === 'tool-result')
  if (observed === undefined || stored?.kind !== 'tool-result') throw new Error('no tool was called')
  return { observed, stored }
}

/** The names of the tools that a request offers, on either wire. */
export function offeredTools({ body }: ModelRequest): string[] {
  const { tools = [] } = body as { tools?: { name?: string; function?: { name: string } }[] }
  return tools.map((tool) => tool.function?.name ?? tool.name ?? '').toSorted()
}
