import { createHash } from 'node:crypto'
import { formatSkillsForPrompt } from '@mariozechner/pi-coding-agent'
import type { BuildSystemPromptOptions, ExtensionAPI, ExtensionFactory } from '@mariozechner/pi-coding-agent'
import { ENSO_CONTEXT_SYSTEM_ENTRY, ENSO_CONTEXT_TOOLS_ENTRY } from '../../core/index.js'
import type { EnsoContextSystemRecord, EnsoContextToolsRecord } from '../../core/index.js'
import { splitSystemPrompt, type InjectedText } from './context-sections.js'
import { loose } from '../observe/message-values.js'
import type { ThreadPartsContext } from '../thread-parts.js'

/**
 * Records what the library stores nowhere: the system prompt and the tool definitions of the requests that follow, as
 * custom entries of the thread, each only when it is another one than the branch holds already. They reach no model and
 * are no observation. A tool that is withheld is in no request.
 */
export function contextRecords(
  context: Pick<ThreadPartsContext, 'lastCustomEntry' | 'appendCustomEntry' | 'parametersOf'>,
  isWithheld: (toolName: string) => boolean = () => false,
): ExtensionFactory {
  const record = (customType: string, data: EnsoContextSystemRecord | EnsoContextToolsRecord): void => {
    if (loose(context.lastCustomEntry(customType))['hash'] !== data.hash) context.appendCustomEntry(customType, data)
  }
  return (pi) => {
    let options: BuildSystemPromptOptions | undefined
    pi.on('before_agent_start', (event) => {
      options = event.systemPromptOptions
    })
    // Asked right before each request, when every extension has had its say.
    pi.on('context', (_event, { getSystemPrompt }) => {
      const prompt = getSystemPrompt()
      const sections = splitSystemPrompt(prompt, injectedTexts(options), lastLine(options))
      record(ENSO_CONTEXT_SYSTEM_ENTRY, { hash: hashOf(prompt), sections })
      const tools = activeTools(pi, context).filter(({ name }) => !isWithheld(name))
      record(ENSO_CONTEXT_TOOLS_ENTRY, { hash: hashOf(JSON.stringify(tools)), tools })
    })
  }
}

/** What the library put into the system prompt beside the agent's own instructions, by its own account. */
function injectedTexts(options: BuildSystemPromptOptions | undefined): InjectedText[] {
  if (options === undefined) return []
  const { appendSystemPrompt = '', contextFiles = [], skills = [] } = options
  return [
    { key: 'addendum', label: 'addendum', text: appendSystemPrompt },
    ...contextFiles.map(({ path, content }) => ({
      key: `file:${path}`,
      label: path,
      text: `## ${path}\n\n${content}`,
    })),
    { key: 'skills', label: 'skills', text: formatSkillsForPrompt(skills) },
  ]
}

/** The line that the library's own prompt always ends with. */
function lastLine(options: BuildSystemPromptOptions | undefined): string | undefined {
  return options === undefined ? undefined : `\nCurrent working directory: ${options.cwd.replaceAll('\\', '/')}`
}

function activeTools(
  pi: Pick<ExtensionAPI, 'getActiveTools' | 'getAllTools'>,
  context: Pick<ThreadPartsContext, 'parametersOf'>,
): EnsoContextToolsRecord['tools'] {
  const all = new Map(pi.getAllTools().map((tool) => [tool.name, tool]))
  return pi.getActiveTools().flatMap((name) => {
    const tool = all.get(name)
    if (tool === undefined) return []
    // Plain data, as it goes out: a schema carries symbols and functions that a file can't hold.
    const told: unknown = context.parametersOf?.(name) ?? tool.parameters ?? null
    const parameters = JSON.parse(JSON.stringify(told)) as unknown
    return [{ name, description: tool.description, parameters }]
  })
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
