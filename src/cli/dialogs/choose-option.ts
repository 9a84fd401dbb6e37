import { autocomplete } from '@clack/prompts'
import type { HostCommandOption } from '../../core/index.js'
import { sanitizeLine } from '../print/sanitize.js'
import type { Asked, Asking } from './asking.js'

const SHOWN = 12

/** Lets a person choose one of several options, found by typing a part of it. Answers the option's id. */
export function chooseOption(
  asking: Pick<Asking, 'ask'>,
  message: string,
  options: readonly HostCommandOption[],
): Promise<Asked<string>> {
  return asking.ask(
    (streams) =>
      autocomplete({
        ...streams,
        message,
        maxItems: SHOWN,
        options: options.map(({ id, label, detail }) => ({
          value: id,
          label: sanitizeLine(detail === undefined ? label : `${label} (${detail})`),
        })),
      }),
    new AbortController().signal,
  )
}

/** The options that a person can mean by a word: an id, a beginning of one up to its slash, or a label. */
export function optionsNamed(word: string, options: readonly HostCommandOption[]): readonly HostCommandOption[] {
  const wanted = word.toLowerCase()
  const exact = options.filter(({ id }) => id.toLowerCase() === wanted)
  if (exact.length > 0) return exact
  return options.filter(({ id, label }) => id.toLowerCase().startsWith(`${wanted}/`) || label.toLowerCase() === wanted)
}
