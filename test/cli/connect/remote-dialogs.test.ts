import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRemoteDialogs } from '../../../src/cli/connect/remote-dialogs.js'
import type { DialogEnd, EnsoDialogSpec, EnsoFollowFrame, EnsoObservation } from '../../../src/core/index.js'

interface Given {
  readonly canAsk?: boolean
  readonly cancels?: boolean
  readonly rule?: boolean
}

function dialogs({ canAsk = false, cancels = false, rule = false }: Given) {
  const answers: object[] = []
  const ends: DialogEnd[] = []
  const tools: (string | undefined)[] = []
  const remote = createRemoteDialogs({
    policy: {
      canAsk: () => canAsk,
      ruleFor: (_dialog, { toolName }) => {
        tools.push(toolName)
        return rule ? { confirmed: true } : undefined
      },
      timeoutMs: () => undefined,
      ended: (end) => ends.push(end),
    },
    cancels,
    answer: async (body) => void answers.push(body),
  })
  let seq = 0
  const see = (observation: EnsoObservation): void => remote.frame({ type: 'observation', seq: ++seq, observation })
  const ask = (id: string, dialog: EnsoDialogSpec): void =>
    see({ kind: 'extension-ui-request', id, method: dialog.method, blocking: true, origin: 'run', dialog })
  return { remote, answers, ends, tools, see, ask }
}

const CONFIRM: EnsoDialogSpec = { method: 'confirm', title: 'Go on?', message: '' }

test('a question that somebody here can answer is left to them', () => {
  const { ask, answers, see, ends } = dialogs({ canAsk: true, rule: true, cancels: true })
  ask('a', CONFIRM)
  assert.deepEqual(answers, [])
  see({ kind: 'dialog-settled', id: 'a', outcome: 'answered' })
  assert.deepEqual(ends, [{ id: 'a', method: 'confirm', title: 'Go on?', outcome: 'answered', by: 'answer' }])
})

test('where nobody can, a rule answers, told which tool asks', () => {
  const { ask, answers, see, ends, tools } = dialogs({ rule: true })
  see({ kind: 'tool-call', toolCallId: 'c', toolName: 'bash', args: {} })
  ask('a', CONFIRM)
  assert.deepEqual([answers, tools], [[{ id: 'a', confirmed: true }], ['bash']])
  see({ kind: 'dialog-settled', id: 'a', outcome: 'answered' })
  assert.equal(ends[0]?.by, 'rule')
})

test('without a rule a question stays open for others, unless it is to be cancelled', () => {
  const left = dialogs({})
  left.ask('a', CONFIRM)
  assert.deepEqual(left.answers, [])
  const cancelled = dialogs({ cancels: true })
  cancelled.ask('a', CONFIRM)
  assert.deepEqual(cancelled.answers, [{ id: 'a', cancelled: true }])
  cancelled.see({ kind: 'dialog-settled', id: 'a', outcome: 'cancelled' })
  assert.equal(cancelled.ends[0]?.by, 'policy')
})

test('a secret is never answered by a rule', () => {
  const { ask, answers, tools } = dialogs({ rule: true })
  ask('a', { method: 'input', title: 'Key', secret: true })
  assert.deepEqual([answers, tools], [[], []])
})

test('a question of a snapshot counts once, and one that is gone is forgotten', () => {
  const { remote, answers, ends, see } = dialogs({ cancels: true })
  const snapshot = (ids: readonly string[]): EnsoFollowFrame => ({
    type: 'snapshot',
    threadId: 't',
    cwd: '/',
    asOfSeq: 0,
    generation: 0,
    busy: true,
    live: true,
    messages: [],
    openDialogs: ids.map((id) => ({ id, dialog: CONFIRM })),
    permissionMode: { mode: 'default', available: [] },
    model: null,
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, context: null },
  })
  remote.frame(snapshot(['a']))
  remote.frame(snapshot(['a']))
  assert.equal(answers.length, 1)
  remote.frame(snapshot([]))
  see({ kind: 'dialog-settled', id: 'a', outcome: 'timeout' })
  assert.deepEqual(ends, [])
})
