import type { PageMessage, PagePart, PageTool, UnkeyedMessage } from './messages.js'

/**
 * What is shown after a snapshot, given what was shown before: a message that says the same stays the very same object,
 * and one that goes on where another stood keeps its key. So a reconnect moves nothing that did not change.
 */
export function reconcile(
  before: readonly PageMessage[],
  after: readonly UnkeyedMessage[],
  newKey: () => string,
): PageMessage[] {
  return after.map((message, index) => {
    const shown = before[index]
    if (shown === undefined || shown.role !== message.role) return { ...message, key: newKey() }
    if (isSame(shown, message)) return shown
    const { key, isSeen } = shown
    return { ...message, key, isSeen, parts: message.parts.map((part, at) => keptPart(shown.parts[at], part)) }
  })
}

function isSame(shown: PageMessage, message: UnkeyedMessage): boolean {
  return (
    shown.parts.length === message.parts.length &&
    shown.refusal?.message === message.refusal?.message &&
    shown.parts.every((part, index) => isSamePart(part, message.parts[index]!))
  )
}

/** The part as it was where it says the same, and what only this page knows of a tool. */
function keptPart(shown: PagePart | undefined, part: PagePart): PagePart {
  if (shown === undefined) return part
  if (isSamePart(shown, part)) return shown
  if (shown.type !== 'tool' || part.type !== 'tool' || shown.tool.id !== part.tool.id) return part
  const { startedAt, ms } = shown.tool
  return { type: 'tool', tool: { ...part.tool, startedAt, ms } }
}

function isSamePart(one: PagePart, other: PagePart): boolean {
  switch (one.type) {
    case 'text':
    case 'thinking':
      return other.type === one.type && other.text === one.text
    case 'image':
      return other.type === 'image' && other.data === one.data
    case 'tool':
      return other.type === 'tool' && isSameTool(one.tool, other.tool)
  }
}

function isSameTool(one: PageTool, other: PageTool): boolean {
  return (
    one.id === other.id &&
    one.state === other.state &&
    one.text === other.text &&
    one.rule === other.rule &&
    one.deniedBy === other.deniedBy &&
    one.descriptor?.kind === other.descriptor?.kind
  )
}
