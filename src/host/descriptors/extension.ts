import type { ExtensionFactory } from '@mariozechner/pi-coding-agent'
import { ENSO_TOOL_RESULT_KEY } from '../../core/tool-result.js'
import { describeResult } from './describe-result.js'

/** Puts a descriptor beside the result of each of the agent library's own tools; one that has its own keeps it. */
export function createDescriptorExtension(): ExtensionFactory {
  return (pi) => {
    pi.on('tool_result', ({ toolName, input, content, details, isError }) => {
      const known = (details ?? {}) as Record<string, unknown>
      if (ENSO_TOOL_RESULT_KEY in known) return undefined
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      const descriptor = describeResult({ toolName, input, text, details: known, isError })
      return descriptor === undefined ? undefined : { details: { ...known, [ENSO_TOOL_RESULT_KEY]: descriptor } }
    })
  }
}
