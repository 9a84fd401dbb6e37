/** How a run speaks: streamed text, JSON lines, or one JSON result object at the end. */
export type RunOutput = 'text' | 'json-lines' | 'json-result'

/** Which thread a run is about. */
export type ThreadChoice =
  | { readonly kind: 'new'; readonly threadId?: string }
  | { readonly kind: 'latest' }
  | { readonly kind: 'resume'; readonly threadId: string }
  | { readonly kind: 'pick' }

/** How far a run's tools may go, as the person set it for this start. */
export interface GuardingOptions {
  /** Confine shell commands; `undefined` takes the person's configuration. */
  readonly sandbox?: 'off' | 'auto' | 'require' | undefined
  /** Offer the mode that asks nothing. */
  readonly allowBypass?: boolean
  /** Further folders that may be written; in run options as typed, in a host request absolute. */
  readonly addDirs?: readonly string[]
  /** Permission rules over those of the configuration: `tool` or `tool(pattern)`. */
  readonly allowTools?: readonly string[]
  readonly denyTools?: readonly string[]
}

/** The options of `enso [prompt…]`, parsed and checked for shape; nothing of the file system is read yet. */
export interface RunOptions extends GuardingOptions {
  readonly output: RunOutput
  /** The words of the command line, joined; `undefined` when there were none. */
  readonly prompt: string | undefined
  /** `-` stood for the prompt or beside it: standard input is read to its end. */
  readonly promptFromStdin: boolean
  /** `@file` words and `--image` paths, as typed, in order. */
  readonly attachments: readonly { readonly kind: 'file' | 'image'; readonly path: string }[]
  readonly cwd: string
  readonly thread: ThreadChoice
  readonly fork: boolean
  readonly ephemeral: boolean
  readonly takeOver: boolean
  readonly model: string | undefined
  readonly thinking: string | undefined
  readonly permissionMode: string | undefined
  readonly appendSystemPrompt: string | undefined
  readonly extensions: readonly string[]
  readonly trustProject: boolean
  /** A file of scripted turns that stands in for the model. */
  readonly script: string | undefined
  /** A file the model's replies are written to, as a script that `script` plays again. */
  readonly record?: string | undefined
  readonly autoCancelDialogs: boolean
  /** Milliseconds; 0 waits for ever; `undefined` takes the surface's own default. */
  readonly dialogTimeoutMs: number | undefined
  readonly answersFile: string | undefined
  readonly stopOnEof: boolean
  readonly maxTurns: number | undefined
  /** US dollars a run may cost. */
  readonly maxCost?: number | undefined
  /** Tokens a run may use: in, out and cached. */
  readonly maxTokens?: number | undefined
  /** Milliseconds for the whole run; `undefined` is no bound. */
  readonly timeoutMs: number | undefined
  /** Milliseconds without any observation while nothing waits on a person; `undefined` is no bound. */
  readonly idleTimeoutMs: number | undefined
  /** A file with the JSON Schema that the final answer must fit. */
  readonly outputSchema?: string | undefined
  /** A file the final answer is written to. */
  readonly outputFile?: string | undefined
  readonly quiet: boolean
  readonly color: 'auto' | 'always' | 'never'
  readonly logLevel: string | undefined
}
