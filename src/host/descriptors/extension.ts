import type { ExtensionFactory } from '@mariozechner/pi-coding-agent'
import { ENSO_TOOL_RESULT_KEY } from '../../core/tool-result.js'
import type { CommandEndings } from './command-endings.js'
import { describeResult } from './describe-result.js'

/**
 * Puts a descriptor beside each result of the tools it knows; one that has its own keeps it. A call that failed is
 * described too; one that was refused before it ran comes by no hook and has its text only.
 *
 * Belongs behind everything that changes a result: it describes what is read.
 */
export function createDescriptorExtension(endings: Pick<CommandEndings, 'take'>): ExtensionFactory {
  return (pi) => {
    pi.on('tool_result', ({ toolCallId, toolName, input, content, details, isError }) => {
      const ending = endings.take(toolCallId)
      const known = (details ?? {}) as Record<string, unknown>
      if (ENSO_TOOL_RESULT_KEY in known) return undefined
      const text = content.map((part) => (part.type === 'text' ? part.text : '')).join('')
      const hasImage = content.some((part) => part.type === 'image')
      const descriptor = describeResult({ toolName, input, text, hasImage, details: known, isError, ending })
      return descriptor === undefined ? undefined : { details: { ...known, [ENSO_TOOL_RESULT_KEY]: descriptor } }
    })
  }
}
