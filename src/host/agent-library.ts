/** The name of the agent library's package, for saying which version this is; the library itself is not loaded. */
export const AGENT_LIBRARY = '@mariozechner/pi-coding-agent'
