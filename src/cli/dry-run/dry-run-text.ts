import { type EnsoDryRun, makeupTotal } from '../../core/index.js'
import { count } from '../print/layout.js'
import { sanitizeLine } from '../print/sanitize.js'

/** A dry run for a person: one thing a line. */
export function dryRunText(
  dry: EnsoDryRun,
  { threadId, cwd }: { readonly threadId: string; readonly cwd: string },
): string {
  const { context, window } = dry
  const total = makeupTotal(context)
  const share = window === 0 ? '' : ` of ${count(window)} (${Math.round((100 * total) / window)} %)`
  const conversation = context.user + context.injected + context.assistant + context.toolResults
  const rows: readonly (readonly [name: string, text: string])[] = [
    ['thread', threadId],
    ['folder', cwd],
    ['model', dry.thinking === 'off' ? dry.model : `${dry.model}, thinking ${dry.thinking}`],
    ['mode', `${dry.permissionMode}; ${dry.canAsk ? 'questions can be asked' : 'nobody can be asked'}`],
    ['sandbox', dry.sandbox === 'on' ? 'on' : `off: ${dry.sandbox}`],
    ['may write', dry.writeRoots.join(', ') || 'nothing'],
    ['tools', dry.tools.map(({ name }) => name).join(', ') || 'none'],
    [
      'context',
      `about ${count(total)} tokens${share}: instructions ${count(context.system)}, tools ${count(context.tools)}, conversation ${count(conversation)}`,
    ],
    ...dry.notes.map((note) => ['note', note] as const),
  ]
  const lines = rows.map(([name, text]) => `${name.padEnd(10)} ${sanitizeLine(text)}`)
  return `${lines.join('\n')}\n\na dry run: no model was asked, nothing was stored\n`
}
