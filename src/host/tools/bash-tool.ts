import { createBashToolDefinition, type ToolDefinition } from '@mariozechner/pi-coding-agent'
import type { Sandbox } from '../sandbox/sandbox.js'

export interface BashToolDeps {
  readonly cwd: string
  readonly sandbox: Sandbox
  /** What of the environment a command may see: never a key. */
  readonly scrub: (env: Readonly<Record<string, string | undefined>>) => Record<string, string>
}

/**
 * The agent library's own shell tool with our two changes: commands see a scrubbed environment, and where the sandbox
 * is on they run in it.
 */
export function createBashTool({ cwd, sandbox, scrub }: BashToolDeps): ToolDefinition {
  const definition = createBashToolDefinition(cwd, {
    spawnHook: (context) => ({ ...context, env: scrub(context.env) }),
    ...(sandbox.state.kind === 'on'
      ? {
          operations: {
            exec: (command, folder, options) =>
              sandbox.run({
                command,
                cwd: folder,
                env: options.env ?? scrub(process.env),
                onData: options.onData,
                signal: options.signal,
                timeout: options.timeout,
              }),
          },
        }
      : {}),
  })
  return definition as unknown as ToolDefinition
}
