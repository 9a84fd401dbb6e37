import type { AgentSession } from '@mariozechner/pi-coding-agent'
import type { RuntimeCommand } from '../../core/index.js'

interface Source {
  readonly scope: string
  readonly path: string
}

function row(
  source: 'extension' | 'prompt' | 'skill',
  name: string,
  description: string | undefined,
  from: Source,
): RuntimeCommand {
  return { name, source, ...(description ? { description } : {}), location: from.scope, path: from.path }
}

/** What a `/word` of a prompt may name in this session: extension commands, prompt templates, skills. */
export function promptCommands(session: AgentSession): RuntimeCommand[] {
  return [
    ...session.extensionRunner
      .getRegisteredCommands()
      .map((command) => row('extension', command.invocationName, command.description, command.sourceInfo)),
    ...session.promptTemplates.map((template) =>
      row('prompt', template.name, template.description, template.sourceInfo),
    ),
    ...session.resourceLoader
      .getSkills()
      .skills.map((skill) => row('skill', `skill:${skill.name}`, skill.description, skill.sourceInfo)),
  ]
}

/** The word after the slash, when the text begins with a command's shape: `/word`, not `/a/path`. */
export function commandWord(text: string): string | undefined {
  const word = /^\/(\S+)/.exec(text)?.[1]
  return word === undefined || word.includes('/') ? undefined : word
}

/** Does this prompt run an extension's command? */
export function isExtensionCommand(session: AgentSession, text: string): boolean {
  const word = commandWord(text)
  return word !== undefined && session.extensionRunner.getCommand(word) !== undefined
}

/** Why a prompt that begins with a slash can't be taken: its word is no command, and as prose it would only confuse. */
export function commandRefusal(session: AgentSession, hostNames: readonly string[], text: string): string | undefined {
  const word = commandWord(text)
  if (word === undefined) return undefined
  if (promptCommands(session).some((command) => command.name === word)) return undefined
  if (hostNames.includes(word)) return `/${word} is a command of the thread, not a prompt: run it as a command`
  return `/${word} is no command of this thread; put a space before it to send it as text`
}
