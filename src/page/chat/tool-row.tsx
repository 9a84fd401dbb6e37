import { useState } from 'preact/hooks'
import type { PageTool } from '../model/messages.js'
import { type ToolFacts, toolFacts, toolHint, wasStopped } from '../model/tool-facts.js'
import { duration, truncationText } from '../model/words.js'
import { seconds } from '../state/clock.js'
import { Icon, type IconName } from '../ui/icon.js'
import { lazy } from '../ui/lazy.js'

const ToolResult = lazy(() => import('./tool-result.js').then(({ ToolResult }) => ToolResult))

const ICONS: Readonly<Record<ToolFacts['result'], IconName>> = {
  diff: 'pencil',
  written: 'pencil',
  terminal: 'terminal',
  file: 'file',
  hits: 'search',
  paths: 'folder',
  page: 'globe',
  sources: 'globe',
  answers: 'question',
  text: 'tool',
}

/** One tool call: what it does to what, how it stands, and on demand what came of it. */
export function ToolRow({ tool }: { readonly tool: PageTool }) {
  const [chosen, setChosen] = useState<boolean | undefined>(undefined)
  const facts = toolFacts(tool)
  const isOpen = chosen ?? (tool.state === 'running' && tool.text !== '')
  const isDenied = tool.rule !== undefined || tool.deniedBy !== undefined
  return (
    <div class={`tool is-${isDenied ? 'denied' : wasStopped(tool) ? 'cut' : tool.state}`}>
      <details
        open={isOpen}
        onToggle={({ currentTarget }) => {
          if (currentTarget.open !== isOpen) setChosen(currentTarget.open)
        }}
      >
        <summary>
          <Icon name={isDenied ? 'shield' : ICONS[facts.kind]} />
          <span class="tool-title">{facts.title}</span>
          <span class="tool-subject ellipsis">{facts.subject}</span>
          <span class="tool-facts">
            {!isDenied && facts.facts.map((fact) => <span key={fact}>{fact}</span>)}
            <ToolState tool={tool} />
          </span>
        </summary>
        {isOpen && <ToolBody tool={tool} facts={facts} />}
      </details>
      {!isOpen && <ToolHint tool={tool} />}
    </div>
  )
}

const DENIED = { mode: 'not allowed in this mode', rule: 'not allowed by your rules', person: 'you said no' } as const

function ToolState({ tool }: { readonly tool: PageTool }) {
  const { state, rule, deniedBy, startedAt, ms } = tool
  if (rule !== undefined) return <span class="state-denied">refused by policy</span>
  if (deniedBy !== undefined) return <span class="state-denied">{DENIED[deniedBy]}</span>
  if (wasStopped(tool)) return <span class="state-cut">stopped</span>
  switch (state) {
    case 'running':
      return (
        <span class="state-running">
          <span class="spinner" aria-hidden="true" />
          <span class="hidden">running</span>
          {startedAt !== undefined && seconds.value - startedAt > 2000 && ` ${duration(seconds.value - startedAt)}`}
        </span>
      )
    case 'failed':
      return <span class="state-failed">failed</span>
    case 'cut':
      return <span class="state-cut">did not finish</span>
    case 'done':
      return ms !== undefined && ms >= 1000 ? <span>{duration(ms)}</span> : <span class="hidden">done</span>
  }
}

/** Why a call did not work, without opening it. */
function ToolHint({ tool }: { readonly tool: PageTool }) {
  const hint = toolHint(tool)
  if (hint === undefined) return null
  const isFault = tool.rule === undefined && tool.deniedBy === undefined
  return (
    <p class={isFault ? 'tool-hint is-failed' : 'tool-hint'}>
      {tool.rule !== undefined && <code>{tool.rule}</code>} {hint}
    </p>
  )
}

function ToolBody({ tool, facts }: { readonly tool: PageTool; readonly facts: ToolFacts }) {
  const { truncated } = tool.descriptor ?? {}
  return (
    <div class="tool-body">
      {tool.rule !== undefined && (
        <p class="tool-hint">
          Rule <code>{tool.rule}</code>
        </p>
      )}
      <ToolResult
        tool={tool}
        kind={tool.rule === undefined && tool.state !== 'failed' ? facts.result : failedKind(facts)}
      />
      {truncated !== undefined && <p class="quiet">The tool shows {truncationText(truncated)}.</p>}
    </div>
  )
}

/** A call that failed says why in words, whatever it would have shown. */
function failedKind({ result }: ToolFacts): ToolFacts['result'] {
  return result === 'terminal' ? 'terminal' : 'text'
}
