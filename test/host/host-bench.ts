import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type {
  CredentialHost,
  DialogEnd,
  DialogPolicy,
  EnsoObservation,
  HostedThread,
  LimitHit,
  OpenThreadRequest,
  PromptRequest,
} from '../../src/core/index.js'
import { createAgentHost } from '../../src/host/agent-host.js'
import type { AgentHostOptions } from '../../src/host/agent-host.js'
import type { ThreadParts, ThreadPartsFactory } from '../../src/host/thread-parts.js'
import { startModelServer } from '../support/model-server.js'
import type { ModelApi, ModelServer } from '../support/model-server.js'

type Kind = EnsoObservation['kind']
type Of<K extends Kind> = Extract<EnsoObservation, { kind: K }>

/** What became of a prompt at its admission. */
export type Admission = { readonly accepted: true } | { readonly accepted: false; readonly reason: string }

/** A live thread and everything it has said. */
export interface BenchThread {
  readonly hosted: HostedThread
  readonly seen: EnsoObservation[]
  readonly ended: DialogEnd[]
  readonly limits: LimitHit[]
  all<K extends Kind>(kind: K): Of<K>[]
  /** The first observation, already seen or still to come, that passes. */
  when<K extends Kind>(kind: K, passes?: (observation: Of<K>) => boolean): Promise<Of<K>>
  /** The nth (from 1) of a kind. */
  nth<K extends Kind>(kind: K, n: number): Promise<Of<K>>
  prompt(request: string | PromptRequest): Promise<Admission>
  /** Prompts and waits until the thread has settled once more. */
  run(request: string | PromptRequest): Promise<void>
  /** The text of the replies, in order. */
  replies(): string[]
}

export interface BenchOpen extends Partial<Omit<OpenThreadRequest, 'dialogs'>> {
  readonly dialogs?: Partial<DialogPolicy>
  /** Leave the held observations where they are. */
  readonly unsubscribed?: boolean
}

export interface Bench {
  readonly server: ModelServer
  readonly host: CredentialHost
  readonly root: string
  readonly agentDir: string
  readonly cwd: string
  readonly threadsDir: string
  open(options?: BenchOpen): Promise<BenchThread>
}

export interface BenchOptions {
  readonly api?: ModelApi
  readonly settings?: object
  readonly parts?: ThreadPartsFactory | ThreadParts
  readonly registerProviders?: AgentHostOptions['registerProviders']
  readonly recorder?: AgentHostOptions['recorder']
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Written to models.json instead of the server's own. */
  readonly models?: object | string | null
}

const FAST_RETRIES = { retry: { baseDelayMs: 20, maxRetries: 2 } }

function watch(hosted: HostedThread, ended: DialogEnd[], limits: LimitHit[], subscribe: boolean): BenchThread {
  const seen: EnsoObservation[] = []
  const waiting = new Set<() => void>()
  if (subscribe) {
    hosted.runtime.subscribe((observation) => {
      seen.push(observation)
      for (const look of waiting) look()
    })
  }
  const all = <K extends Kind>(kind: K): Of<K>[] => seen.filter((one): one is Of<K> => one.kind === kind)
  function until<T>(find: () => T | undefined): Promise<T> {
    return new Promise((resolve) => {
      const look = (): void => {
        const found = find()
        if (found === undefined) return
        waiting.delete(look)
        resolve(found)
      }
      waiting.add(look)
      look()
    })
  }
  const when: BenchThread['when'] = (kind, passes = () => true) => until(() => all(kind).find(passes))
  const nth: BenchThread['nth'] = (kind, n) => until(() => all(kind)[n - 1])
  const prompt: BenchThread['prompt'] = (request) =>
    new Promise((resolve) => {
      hosted.runtime.prompt(typeof request === 'string' ? { message: request } : request, {
        onAccepted: () => resolve({ accepted: true }),
        onRejected: (reason) => resolve({ accepted: false, reason }),
      })
    })
  return {
    hosted,
    seen,
    ended,
    limits,
    all,
    when,
    nth,
    prompt,
    async run(request) {
      const before = all('settled').length
      const admission = await prompt(request)
      if (!admission.accepted) throw new Error(`refused: ${admission.reason}`)
      await nth('settled', before + 1)
    },
    replies() {
      const texts: string[] = []
      for (const one of seen) {
        if (one.kind === 'message-start' && one.role === 'assistant') texts.push('')
        if (one.kind === 'text-delta') texts[texts.length - 1] += one.delta
      }
      return texts
    },
  }
}

let threads = 0

/** A real host over a scripted endpoint, in folders of its own; everything is closed when the test ends. */
export async function bench(t: TestContext, options: BenchOptions = {}): Promise<Bench> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'enso-host-')))
  const [agentDir, cwd, threadsDir] = ['agent', 'work', 'threads'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ]
  for (const dir of [agentDir, cwd]) mkdirSync(dir)
  const server = await startModelServer()
  const models = options.models === undefined ? server.modelsJson(options.api) : options.models
  if (models !== null) {
    writeFileSync(join(agentDir, 'models.json'), typeof models === 'string' ? models : JSON.stringify(models))
  }
  writeFileSync(join(agentDir, 'settings.json'), JSON.stringify(options.settings ?? FAST_RETRIES))
  const { parts } = options
  const host = createAgentHost({
    agentDir,
    env: options.env ?? {},
    bounds: { grace: 150, stop: 600, shutdown: 150 },
    ...(parts ? { parts: typeof parts === 'function' ? parts : () => parts } : {}),
    ...(options.registerProviders ? { registerProviders: options.registerProviders } : {}),
    ...(options.recorder ? { recorder: options.recorder } : {}),
  })
  t.after(async () => {
    await host.dispose()
    await server.close()
    rmSync(root, { recursive: true, force: true })
  })
  return {
    server,
    host,
    root,
    agentDir,
    cwd,
    threadsDir,
    async open({ dialogs, unsubscribed, ...request } = {}) {
      const ended: DialogEnd[] = []
      const limits: LimitHit[] = []
      const hosted = await host.openThread({
        threadId: `thread-${++threads}`,
        cwd,
        session: { kind: 'new', dir: join(threadsDir, 'project') },
        ...(models !== null && options.models === undefined ? { model: 'local/x' } : {}),
        onLimit: (hit) => limits.push(hit),
        ...request,
        dialogs: {
          canAsk: () => true,
          ruleFor: () => undefined,
          timeoutMs: () => undefined,
          ended: (end) => void ended.push(end),
          ...dialogs,
        },
      })
      return watch(hosted, ended, limits, unsubscribed !== true)
    },
  }
}

/** A promise and what settles it. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}
