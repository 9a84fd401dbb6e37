import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Dollars and tokens of a reply, in the agent library's own form. */
export interface LineUsage {
  readonly input: number
  readonly output: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
  readonly cost: number
}

type Fields = Readonly<Record<string, unknown>>

/** Writes a session line by line, as the agent library stores it: each entry follows the one before it. */
export interface SessionLines {
  /** Any entry; answers its id. */
  add(entry: Fields): string
  prompt(text: string, images?: readonly { readonly data: string; readonly mimeType: string }[]): string
  reply(content: readonly Fields[], usage: LineUsage, more?: Fields): string
  result(toolCallId: string, toolName: string, text: string, more?: Fields): string
  custom(customType: string, data: unknown): string
  /** The next entry follows this one instead: another branch. */
  goBackTo(id: string): void
  /** A line that is no entry. */
  raw(line: string): void
  /** The id of the last entry. */
  leaf(): string
  text(): string
  /** Puts it where a store finds it; answers the file. */
  writeTo(threadsDir: string, projectId: string): string
}

export const sessionStart = Date.parse('2030-01-02T10:00:00.000Z')

/** A session of a thread, its clock one second an entry. */
export function sessionLines(threadId: string, cwd: string, header: Fields = {}): SessionLines {
  const started = new Date(sessionStart).toISOString()
  const lines: string[] = [
    JSON.stringify({ type: 'session', version: 3, id: threadId, timestamp: started, cwd, ...header }),
  ]
  let count = 0
  let parentId: string | null = null

  const add = (entry: Fields): string => {
    count++
    const id = `e${String(count).padStart(7, '0')}`
    const timestamp = new Date(sessionStart + count * 1000).toISOString()
    const { type, ...rest } = entry
    lines.push(JSON.stringify({ type, id, parentId, timestamp, ...rest }))
    parentId = id
    return id
  }
  const message = (fields: Fields): string => add({ type: 'message', message: { ...fields, timestamp: sessionStart } })

  return {
    add,
    prompt: (text, images = []) =>
      message({
        role: 'user',
        content: [{ type: 'text', text }, ...images.map((image) => ({ type: 'image', ...image }))],
      }),
    reply: (content, { input, output, cacheRead = 0, cacheWrite = 0, cost }, more = {}) =>
      message({
        role: 'assistant',
        content,
        api: 'openai-completions',
        provider: 'local',
        model: 'x',
        usage: {
          input,
          output,
          cacheRead,
          cacheWrite,
          totalTokens: input + output + cacheRead + cacheWrite,
          cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: cost },
        },
        stopReason: content.some(({ type }) => type === 'toolCall') ? 'toolUse' : 'stop',
        ...more,
      }),
    result: (toolCallId, toolName, text, more = {}) =>
      message({ role: 'toolResult', toolCallId, toolName, content: [{ type: 'text', text }], isError: false, ...more }),
    custom: (customType, data) => add({ type: 'custom', customType, data }),
    goBackTo(id) {
      parentId = id
    },
    raw: (line) => void lines.push(line),
    leaf: () => parentId ?? '',
    text: () => `${lines.join('\n')}\n`,
    writeTo(threadsDir, projectId) {
      const dir = join(threadsDir, projectId)
      mkdirSync(dir, { recursive: true })
      const file = join(dir, `${started.replace(/[:.]/g, '-')}_${threadId}.jsonl`)
      writeFileSync(file, `${lines.join('\n')}\n`)
      return file
    },
  }
}

/** A tool call as a piece of a reply. */
export const call = (id: string, name: string, args: Fields): Fields => ({
  type: 'toolCall',
  id,
  name,
  arguments: args,
})
/** Words as a piece of a reply. */
export const words = (text: string): Fields => ({ type: 'text', text })

/**
 * A thread with something of everything: a recorded context, an interjection, reads, an edit, a search, a picture, a
 * refusal of a guard and one of the provider, a compaction, another branch, and a call without its result at the end.
 */
export function workedThread(threadId = 'worked-1', cwd = '/work'): SessionLines {
  const lines = sessionLines(threadId, cwd)
  lines.add({ type: 'model_change', provider: 'local', modelId: 'x' })
  lines.add({ type: 'thinking_level_change', thinkingLevel: 'off' })
  lines.custom('enso-context-system', {
    hash: 'one',
    sections: [
      { key: 'instructions', label: 'instructions', category: 'system', text: 's'.repeat(400) },
      { key: 'file:/work/AGENTS.md', label: '/work/AGENTS.md', category: 'injected', text: 'a'.repeat(80) },
    ],
  })
  lines.custom('enso-context-tools', {
    hash: 'one',
    tools: [{ name: 'read', description: 'r'.repeat(92), parameters: {} }],
  })
  lines.prompt('fix the sum')
  lines.reply([words('Looking.'), call('c1', 'read', { path: 'sum.js' }), call('c2', 'grep', { pattern: 'sum' })], {
    input: 160,
    output: 50,
    cost: 0.01,
  })
  lines.result('c1', 'read', 'const a = 1\n'.repeat(10))
  lines.result('c2', 'grep', 'sum.js:1: sum\nsum.js:4: sum\nlib/x.js:2: sum')
  const first = lines.reply(
    [
      { type: 'thinking', thinking: 'It subtracts.' },
      call('c3', 'edit', { path: 'sum.js', edits: [{ oldText: 'a - b', newText: 'a +\n  b' }] }),
    ],
    { input: 40, output: 30, cacheRead: 170, cost: 0.005 },
  )
  lines.result('c3', 'edit', 'Edited sum.js', { details: { diff: '-1 a - b\n+1 a +\n+2   b\n 3 c' } })
  // A branch that was left: what it spent is spent all the same.
  lines.reply([words('Left behind.')], { input: 70, output: 7, cost: 0.0007 })
  lines.goBackTo(first)
  lines.result('c3', 'edit', 'Edited sum.js', { details: { diff: '-1 a - b\n+1 a +\n+2   b\n 3 c' } })
  lines.reply([words('Fixed.')], { input: 30, output: 5, cacheRead: 210, cacheWrite: 10, cost: 0.002 })
  const second = lines.prompt('now <b>read</b> the secret', [{ data: 'iVBORw0KGgo=', mimeType: 'image/png' }])
  lines.reply([call('c4', 'read', { path: '/home/ada/.ssh/id_rsa' })], { input: 1400, output: 9, cost: 0.001 })
  lines.custom('enso-guard-denial', { rule: 'secret-path', toolCallId: 'c4' })
  lines.result('c4', 'read', 'the file holds secrets', { isError: true, details: {} })
  lines.reply(
    [],
    { input: 0, output: 0, cost: 0 },
    { stopReason: 'error', errorMessage: '429 {"error":{"message":"slow down"}}' },
  )
  lines.add({
    type: 'compaction',
    summary: 'm'.repeat(40),
    firstKeptEntryId: second,
    tokensBefore: 1234,
    fromHook: false,
  })
  lines.add({ type: 'model_change', provider: 'local', modelId: 'y' })
  lines.custom('enso-permission-mode', { mode: 'plan', by: 'person', at: '2030-01-02T10:01:00.000Z' })
  lines.add({ type: 'custom_message', customType: 'reminder', content: 'be brief', display: true })
  lines.prompt('and \u001b[31mlast')
  lines.reply(
    [words('One moment.'), call('c5', 'bash', { command: 'npm test' })],
    { input: 1500, output: 6, cost: 0.003 },
    { model: 'y' },
  )
  return lines
}
