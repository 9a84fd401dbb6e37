import type { ThreadPartsFactory } from './thread-parts.js'
import { createAskUserTool } from './tools/ask-user/ask-user.js'

/** What every thread gets beside the agent library's own tools. */
export const ownParts: ThreadPartsFactory = (context) => ({
  extensions: [],
  customTools: [createAskUserTool(context)],
})
