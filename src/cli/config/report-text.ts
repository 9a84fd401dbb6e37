import { tableLines, type TableOptions } from '../render/table.js'
import type { EnsoConfigReport, EnsoEffectiveSetting } from './effective.js'

/** A value as a person reads it: a list without brackets, words for what is no one value. */
export function settingText({ value, otherwise }: Pick<EnsoEffectiveSetting, 'value' | 'otherwise'>): string {
  if (value === undefined) return `(${otherwise ?? 'nothing'})`
  if (Array.isArray(value)) return value.length === 0 ? '(none)' : value.join(', ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** What `enso config` shows: every value, who said it, and the files there are. */
export function configText({ settings, notCounted, files }: EnsoConfigReport, style: TableOptions): string {
  const named = (from: string): string =>
    from === files.person ? 'config.json' : from === files.workspace ? 'enso.config.json' : from
  const rows = settings.map((one) => [one.key, settingText(one), one.from.map(named).join(' and ') || 'default'])
  const lines = [
    ...tableLines([{ title: 'setting' }, { title: 'value', flexible: true }, { title: 'from' }], rows, style),
    ...notCounted.map(({ key, from, why }) =>
      style.palette.yellow(`  ${key} of ${named(from)} is not counted: ${why}`),
    ),
    '',
    ...tableLines(
      [{ title: 'file' }, { title: 'path' }],
      [
        ['config.json', files.person],
        ['enso.config.json', files.workspace ?? '(none here)'],
      ],
      style,
    ),
  ]
  return `${lines.join('\n')}\n`
}
