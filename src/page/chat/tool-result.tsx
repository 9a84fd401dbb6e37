import { summarizeToolInput } from '../../core/index.js'
import { lastLines } from '../model/clip.js'
import { languageOfFile } from '../model/file-language.js'
import { type PageTool, toolInput } from '../model/messages.js'
import { plain, terminalText } from '../model/plain.js'
import type { ResultKind } from '../model/tool-facts.js'
import { CopyButton } from '../ui/copy-button.js'
import { ShownText } from '../ui/shown-text.js'
import { Code } from './code-block.js'
import { Answers, Page, Sources } from './result-answers.js'
import { Diff } from './result-diff.js'
import { Hits, Paths } from './result-hits.js'

/** Lines of a result that are shown at first. */
const LINES = 30
/** Lines of a tool that still runs: the last ones. */
const RUNNING_LINES = 10

/** What a tool said, drawn by its kind. */
export function ToolResult({ tool, kind }: { readonly tool: PageTool; readonly kind: ResultKind }) {
  const props = tool.descriptor?.props ?? {}
  switch (kind) {
    case 'diff':
      return <Diff diff={String(props['diff'] ?? '')} path={String(props['path'] ?? '')} fallback={tool.text} />
    case 'written':
      return <File text={String(toolInput(tool)['content'] ?? tool.text)} path={String(props['path'] ?? '')} />
    case 'terminal':
      return <Terminal tool={tool} />
    case 'file':
      return <File text={tool.text} path={String(props['path'] ?? '')} />
    case 'hits':
      return <Hits text={tool.text} />
    case 'paths':
      return <Paths text={tool.text} />
    case 'page':
      return <Page props={props} text={tool.text} />
    case 'sources':
      return <Sources props={props} text={tool.text} />
    case 'answers':
      return <Answers props={props} text={tool.text} />
    case 'text':
      return <Text tool={tool} />
  }
}

function Terminal({ tool }: { readonly tool: PageTool }) {
  const isRunning = tool.state === 'running'
  const isRefused = tool.rule !== undefined || tool.deniedBy !== undefined
  const said = isRunning ? lastLines(tool.text, RUNNING_LINES, 8000) : tool.text
  const command = String(toolInput(tool)['command'] ?? '')
  return (
    <div class="terminal">
      {command !== '' && (
        <pre class="command" tabIndex={0}>
          {plain(command)}
        </pre>
      )}
      <ShownText text={terminalText(said)} lines={LINES}>
        {(text) =>
          text.trim() === '' ? (
            <p class="quiet">{isRunning ? 'Nothing yet.' : 'No output.'}</p>
          ) : (
            <pre class={isRefused ? 'said' : ''} tabIndex={0}>
              {text}
            </pre>
          )
        }
      </ShownText>
      {!isRunning && tool.text.trim() !== '' && <CopyButton text={terminalText(tool.text)} label="Copy output" />}
    </div>
  )
}

function File({ text, path }: { readonly text: string; readonly path: string }) {
  return (
    <ShownText text={plain(text)} lines={LINES}>
      {(shown) => <Code code={shown} lang={languageOfFile(path)} />}
    </ShownText>
  )
}

/** A tool that nothing is known of: what it was asked, and what it said. */
function Text({ tool }: { readonly tool: PageTool }) {
  const input = toolInput(tool)
  const isTold = Object.keys(input).length <= 1 && summarizeToolInput(input) !== undefined
  return (
    <>
      {!isTold && Object.keys(input).length > 0 && (
        <details class="arguments">
          <summary>Arguments</summary>
          <ShownText text={plain(JSON.stringify(input, undefined, 2))} lines={LINES}>
            {(text) => <Code code={text} lang="json" />}
          </ShownText>
        </details>
      )}
      <ShownText text={plain(tool.text)} lines={LINES}>
        {(text) =>
          text.trim() === '' ? (
            <p class="quiet">No output.</p>
          ) : (
            <pre class="said" tabIndex={0}>
              {text}
            </pre>
          )
        }
      </ShownText>
    </>
  )
}
