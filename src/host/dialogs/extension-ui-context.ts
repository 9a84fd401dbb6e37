import { randomUUID } from 'node:crypto'
import type { ExtensionUIContext, ExtensionUIDialogOptions } from '@mariozechner/pi-coding-agent'
import { ensoLogger } from '../../core/index.js'
import type { EnsoNotifyType, EnsoQuestionnaireResult } from '../../core/index.js'
import { liftQuestionnaire } from './lift-questionnaire.js'
import type { ObservationHub } from '../observe/observation-hub.js'
import type { PendingDialogs } from './pending-dialogs.js'
import { plainTheme } from './plain-theme.js'

const log = ensoLogger('host', 'extension-ui')

const NOTIFY_TYPES: readonly string[] = ['info', 'warning', 'error'] satisfies EnsoNotifyType[]

function options(opts: ExtensionUIDialogOptions | undefined): { signal?: AbortSignal; timeoutMs?: number } {
  return {
    ...(opts?.signal ? { signal: opts.signal } : {}),
    ...(opts?.timeout === undefined ? {} : { timeoutMs: opts.timeout }),
  }
}

/** One line on the feed that asks nothing. */
export function notify(hub: ObservationHub, message: string, type?: string): void {
  hub.emit({
    kind: 'extension-ui-request',
    id: randomUUID(),
    method: 'notify',
    blocking: false,
    origin: hub.origin(),
    message,
    ...(type !== undefined && NOTIFY_TYPES.includes(type) ? { notifyType: type as EnsoNotifyType } : {}),
  })
}

/** Marks a decline that is none: nobody answered in time. The tool that asked words it; everybody else sees a decline. */
export const QUESTIONNAIRE_TIMED_OUT: unique symbol = Symbol('timed out')

type CustomFactory = Parameters<ExtensionUIContext['custom']>[0]

/** Builds the component without a terminal, to see whether it carries a questionnaire; it is never drawn. */
async function buildComponent(factory: CustomFactory): Promise<unknown> {
  try {
    const build = factory as (...args: unknown[]) => unknown
    return await build(undefined, plainTheme(), undefined, () => undefined)
  } catch (error) {
    log.debug('a terminal component could not be built', { error: String(error) })
    return undefined
  }
}

/**
 * What extensions get as `ctx.ui`: their four questions become dialogs, `custom` becomes one when it carries a
 * questionnaire and is `undefined` otherwise, a notice becomes a line. What only a terminal of the library's own could
 * show (status bar, widgets, titles, editors) is dropped.
 */
export function createExtensionUiContext(hub: ObservationHub, dialogs: PendingDialogs): ExtensionUIContext {
  const nothing = (): undefined => undefined
  const theme = plainTheme()
  return {
    async select(title, choices, opts) {
      if (choices.length === 0) return undefined
      const answer = await dialogs.ask({ method: 'select', title, options: [...choices] }, options(opts))
      return answer && 'value' in answer ? answer.value : undefined
    },
    async confirm(title, message, opts) {
      const answer = await dialogs.ask({ method: 'confirm', title, message }, options(opts))
      return answer !== undefined && 'confirmed' in answer && answer.confirmed
    },
    async input(title, placeholder, opts) {
      const hint = placeholder === undefined ? {} : { placeholder }
      const answer = await dialogs.ask({ method: 'input', title, ...hint }, options(opts))
      return answer && 'value' in answer ? answer.value : undefined
    },
    async editor(title, prefill) {
      const start = prefill === undefined ? {} : { prefill }
      const answer = await dialogs.ask({ method: 'editor', title, ...start })
      return answer && 'value' in answer ? answer.value : undefined
    },
    async custom<T>(factory: CustomFactory): Promise<T> {
      const component = await buildComponent(factory)
      const spec = liftQuestionnaire(component)
      let result: (EnsoQuestionnaireResult & { [QUESTIONNAIRE_TIMED_OUT]?: true }) | undefined
      if (spec) {
        let timedOut = false
        const answer = await dialogs.ask(spec, { ended: (outcome) => (timedOut = outcome === 'timeout') })
        if (answer && 'answers' in answer) result = { answers: answer.answers }
        else result = timedOut ? { cancelled: true, [QUESTIONNAIRE_TIMED_OUT]: true } : { cancelled: true }
      }
      ;(component as { dispose?: () => void } | undefined)?.dispose?.()
      return result as T
    },
    notify: (message, type) => notify(hub, message, type),
    onTerminalInput: () => nothing,
    setStatus: nothing,
    setWorkingMessage: nothing,
    setWorkingVisible: nothing,
    setWorkingIndicator: nothing,
    setHiddenThinkingLabel: nothing,
    setWidget: nothing,
    setFooter: nothing,
    setHeader: nothing,
    setTitle: nothing,
    pasteToEditor: nothing,
    setEditorText: nothing,
    getEditorText: () => '',
    addAutocompleteProvider: nothing,
    setEditorComponent: nothing,
    getEditorComponent: nothing,
    theme,
    getAllThemes: () => [],
    getTheme: nothing,
    setTheme: () => ({ success: false, error: 'this host has no themes' }),
    getToolsExpanded: () => false,
    setToolsExpanded: nothing,
  }
}
