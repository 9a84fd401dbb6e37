import type { AgentSession } from '@mariozechner/pi-coding-agent'

/**
 * Keeps tools out of the requests to the model for as long as they are withheld. They stay tools of the thread: a model
 * that calls one from what it read before is answered by it, not told that it doesn't exist.
 */
export function withholdTools({ agent }: Pick<AgentSession, 'agent'>, isWithheld: (toolName: string) => boolean): void {
  const { streamFn } = agent
  agent.streamFn = (model, context, options) => {
    const offered = context.tools?.filter(({ name }) => !isWithheld(name))
    if (offered === undefined || offered.length === context.tools?.length) return streamFn(model, context, options)
    return streamFn(model, { ...context, tools: offered }, options)
  }
}
