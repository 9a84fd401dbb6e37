import {
  createBashToolDefinition,
  createLocalBashOperations,
  type BashOperations,
  type ToolDefinition,
} from '@mariozechner/pi-coding-agent'
import type { Sandbox } from '../sandbox/sandbox.js'

export interface BashToolDeps {
  readonly cwd: string
  readonly sandbox: Sandbox
  /** What of the environment a command may see: never a key. */
  readonly scrub: (env: Readonly<Record<string, string | undefined>>) => Record<string, string>
  /** Told how each command ended, before its result is there. */
  readonly ended: (toolCallId: string, ending: CommandEnding) => void
}

/**
 * How a command ended. The library's own result says it only in words, and keeps neither where the whole output is nor
 * how much of it is shown when the command failed.
 */
export interface CommandEnding {
  /** `null` for a shell that a signal ended; left out where none ran to its end. */
  readonly exitCode?: number | null
  /** What the library said beside the output it had last: its truncation and where the whole of it is. */
  readonly details?: unknown
}

/**
 * The agent library's own shell tool with our changes: commands see a scrubbed environment, where the sandbox is on they
 * run in it, and how they ended is told as data.
 */
export function createBashTool({ cwd, sandbox, scrub, ended }: BashToolDeps): ToolDefinition {
  const operations = sandbox.state.kind === 'on' ? confined(sandbox, scrub) : createLocalBashOperations()
  const define = (exited: (exitCode: number | null) => void) =>
    createBashToolDefinition(cwd, {
      spawnHook: (context) => ({ ...context, env: scrub(context.env) }),
      operations: {
        exec: async (...run) => {
          const result = await operations.exec(...run)
          exited(result.exitCode)
          return result
        },
      },
    })
  const { execute: _, ...definition } = define(() => undefined)
  const tool: typeof definition & Pick<ReturnType<typeof define>, 'execute'> = {
    ...definition,
    execute: async (toolCallId, params, signal, onUpdate, context) => {
      let exitCode: number | null | undefined
      let details: unknown
      const watched = define((code) => (exitCode = code))
      try {
        return await watched.execute(
          toolCallId,
          params,
          signal,
          (partial) => {
            details = partial.details
            onUpdate?.(partial)
          },
          context,
        )
      } finally {
        ended(toolCallId, { ...(exitCode === undefined ? {} : { exitCode }), details })
      }
    },
  }
  return tool as unknown as ToolDefinition
}

function confined(sandbox: Sandbox, scrub: BashToolDeps['scrub']): BashOperations {
  return {
    exec: (command, folder, options) =>
      sandbox.run({
        command,
        cwd: folder,
        env: options.env ?? scrub(process.env),
        onData: options.onData,
        signal: options.signal,
        timeout: options.timeout,
      }),
  }
}
