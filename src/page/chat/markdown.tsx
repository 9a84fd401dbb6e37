import { useEffect, useMemo, useRef } from 'preact/hooks'
import { blocksOf, type TextBlock } from '../model/markdown-blocks.js'
import { plain } from '../model/plain.js'
import { say } from '../state/speech.js'
import { ShownText, useShownText } from '../ui/shown-text.js'
import { CodeBlock } from './code-block.js'
import { useGrowingBlocks } from './growing-blocks.js'
import { MarkdownBlock } from './markdown-block.js'

/** Lines of a text that are shown at first: more than anybody reads in one message. */
const LINES = 3000

/** A text in Markdown. One that still grows keeps the blocks that are complete and is said as they come. */
export function Markdown({ text, growing }: { readonly text: string; readonly growing: boolean }) {
  const shown = useShownText(text, LINES)
  const grown = useGrowingBlocks(text, growing)
  const blocks = useMemo(() => (growing ? grown : blocksOf(shown.text)), [growing, grown, shown.text])
  useSaid(blocks, growing)
  return (
    <>
      <div class="markdown" dir="auto">
        {blocks.map((block, index) => (
          <Block key={index} block={block} growing={growing && index === blocks.length - 1} />
        ))}
      </div>
      {!growing && shown.more}
    </>
  )
}

/** Whatever block is complete is said to those who listen instead of looking. */
function useSaid(blocks: readonly TextBlock[], growing: boolean): void {
  const said = useRef(growing ? 0 : blocks.length)
  useEffect(() => {
    const complete = blocks.slice(said.current, growing ? -1 : undefined)
    if (complete.length === 0) return
    said.current += complete.length
    say(complete.map(spoken).join('\n'))
  }, [blocks, growing])
}

function Block({ block, growing }: { readonly block: TextBlock; readonly growing: boolean }) {
  if (block.type === 'code') return <CodeBlock code={block.code ?? ''} lang={block.lang ?? ''} growing={growing} />
  if (block.type === 'markdown') return <MarkdownBlock raw={block.raw} />
  return (
    <ShownText text={plain(block.raw)} lines={200}>
      {(text) => <p class="plain-text">{text}</p>}
    </ShownText>
  )
}

function spoken({ type, raw, lang }: TextBlock): string {
  return type === 'code' ? `Code${lang === '' ? '' : ` in ${lang}`}.` : plain(raw).replace(/[*_`#>|]+/g, '')
}
