import { confirm, multiline, password, select, text } from '@clack/prompts'
import type { EnsoDialogSpec } from '../../core/index.js'
import { sanitize, sanitizeLine } from '../print/sanitize.js'
import { type AnswerBody, type AskContext, mapAsked } from './ask-context.js'
import type { Asked } from './asking.js'
import { askQuestionnaire } from './ask-questionnaire.js'
import { detailText, titleText } from './question-text.js'

type Spec<Method extends EnsoDialogSpec['method']> = Extract<EnsoDialogSpec, { method: Method }>

async function askSelect(
  spec: Spec<'select'>,
  { asking, closed, left, palette }: AskContext,
): Promise<Asked<AnswerBody>> {
  if (spec.message) asking.write(detailText(spec.message, palette))
  const options = spec.options.map((option, index) => ({ value: index, label: sanitizeLine(option) || '(empty)' }))
  const asked = await asking.ask(
    (streams) =>
      select({
        ...streams,
        get message() {
          return titleText(spec.title, left())
        },
        options,
      }),
    closed,
  )
  return mapAsked(asked, (index) => ({ value: spec.options[index] ?? '' }))
}

async function askConfirm(
  spec: Spec<'confirm'>,
  { asking, closed, left, palette }: AskContext,
): Promise<Asked<AnswerBody>> {
  if (spec.message !== '') asking.write(detailText(spec.message, palette))
  const asked = await asking.ask(
    (streams) =>
      confirm({
        ...streams,
        get message() {
          return titleText(spec.title, left())
        },
        // A stray Enter never approves.
        initialValue: false,
      }),
    closed,
  )
  return mapAsked(asked, (confirmed) => ({ confirmed }))
}

async function askInput(
  spec: Spec<'input'>,
  { asking, closed, left, palette }: AskContext,
): Promise<Asked<AnswerBody>> {
  if (spec.message) asking.write(sanitize(spec.message).trimEnd())
  if (spec.link) asking.write(`${sanitizeLine(spec.link.label)}: ${palette.cyan(sanitizeLine(spec.link.url))}`)
  const asked = await asking.ask((streams) => {
    const given = {
      ...streams,
      get message() {
        return titleText(spec.title, left())
      },
    }
    if (spec.secret === true) return password(given)
    return spec.placeholder === undefined ? text(given) : text(withPlaceholder(given, sanitizeLine(spec.placeholder)))
  }, closed)
  return mapAsked(asked, (value) => ({ value }))
}

/** A spread would read the message once and stop its countdown. */
function withPlaceholder<T extends object>(given: T, placeholder: string): T & { placeholder: string } {
  return Object.defineProperty(given, 'placeholder', { value: placeholder, enumerable: true }) as T & {
    placeholder: string
  }
}

async function askEditor(spec: Spec<'editor'>, { asking, closed, editor }: AskContext): Promise<Asked<AnswerBody>> {
  const prefill = spec.prefill ?? ''
  if (editor === undefined) {
    const message = `${titleText(spec.title, undefined)} (Tab, then Enter, sends)`
    // The control characters of a prefill would be drawn as they are.
    const initialValue = sanitize(prefill)
    const asked = await asking.ask(
      (streams) => multiline({ ...streams, message, initialValue, showSubmit: true }),
      closed,
    )
    return mapAsked(asked, (value) => ({ value }))
  }
  const open = await asking.ask(
    (streams) =>
      confirm({
        ...streams,
        message: titleText(spec.title, undefined),
        active: `Open ${sanitizeLine(editor.name)}`,
        inactive: 'Cancel',
      }),
    closed,
  )
  if (open.kind !== 'value') return open
  if (!open.value) return { kind: 'cancelled' }
  const value = await editor.edit(prefill, closed)
  if (closed.aborted) return { kind: 'closed' }
  return value === undefined ? { kind: 'cancelled' } : { kind: 'value', value: { value } }
}

/** Asks one question on the terminal, in the way of its kind. */
export function askDialog(spec: EnsoDialogSpec, context: AskContext): Promise<Asked<AnswerBody>> {
  switch (spec.method) {
    case 'select':
      return askSelect(spec, context)
    case 'confirm':
      return askConfirm(spec, context)
    case 'input':
      return askInput(spec, context)
    case 'editor':
      return askEditor(spec, context)
    case 'questionnaire':
      return askQuestionnaire(spec.title, spec.questions, context)
  }
}
