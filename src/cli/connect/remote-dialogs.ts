import {
  type DialogEndedBy,
  type DialogPolicy,
  type EnsoDialogSpec,
  ensoLogger,
  type EnsoFollowFrame,
  type EnsoObservation,
} from '../../core/index.js'

const log = ensoLogger('host', 'remote-dialogs')

export interface RemoteDialogsOptions {
  readonly policy: DialogPolicy
  /** Questions are cancelled at once where no rule answers them: `--auto-cancel-dialogs`. */
  readonly cancels: boolean
  readonly answer: (body: object) => Promise<unknown>
}

/** A served thread's questions as far as this end has a part in them. */
export interface RemoteDialogs {
  frame(frame: EnsoFollowFrame): void
}

interface Asked {
  readonly dialog: EnsoDialogSpec
  by: DialogEndedBy | undefined
}

/**
 * Does at this end what a host does for its own process: a question that nobody here can answer is answered by a
 * standing rule. Without one it stays open, for whoever else follows the thread, unless it is to be cancelled.
 */
export function createRemoteDialogs({ policy, cancels, answer }: RemoteDialogsOptions): RemoteDialogs {
  const open = new Map<string, Asked>()
  const toolCalls = new Map<string, string>()

  function asked(id: string, dialog: EnsoDialogSpec): void {
    if (open.has(id)) return
    const question: Asked = { dialog, by: undefined }
    open.set(id, question)
    if (policy.canAsk()) return
    const isSecret = dialog.method === 'input' && dialog.secret === true
    const toolName = [...toolCalls.values()].at(-1)
    const given = isSecret ? undefined : policy.ruleFor(dialog, { toolName })
    if (given === undefined && !cancels) return
    question.by = given === undefined ? 'policy' : 'rule'
    answer(given === undefined ? { id, cancelled: true } : { id, ...given }).catch((error: unknown) => {
      log.warn('a question could not be answered: {error}', { error: String(error) })
    })
  }

  function observe(observation: EnsoObservation): void {
    switch (observation.kind) {
      case 'tool-call':
        toolCalls.set(observation.toolCallId, observation.toolName)
        return
      case 'tool-result':
        if (observation.complete) toolCalls.delete(observation.toolCallId)
        return
      case 'extension-ui-request':
        if (observation.blocking && observation.dialog !== undefined) asked(observation.id, observation.dialog)
        return
      case 'dialog-settled': {
        const { id, outcome } = observation
        const question = open.get(id)
        if (question === undefined) return
        open.delete(id)
        const by = outcome === 'timeout' ? 'timeout' : outcome === 'aborted' ? 'stop' : (question.by ?? 'answer')
        policy.ended({ id, method: question.dialog.method, title: question.dialog.title, outcome, by })
        return
      }
      case 'settled':
        toolCalls.clear()
    }
  }

  return {
    frame: (frame) => {
      if (frame.type === 'observation') return observe(frame.observation)
      if (frame.type !== 'snapshot') return
      const there = new Set(frame.openDialogs.map(({ id }) => id))
      for (const id of open.keys()) if (!there.has(id)) open.delete(id)
      for (const { id, dialog } of frame.openDialogs) asked(id, dialog)
    },
  }
}
