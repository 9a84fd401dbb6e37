import { useEffect, useMemo } from 'preact/hooks'
import { blocksOf, type TextBlock } from '../model/markdown-blocks.js'
import { plain } from '../model/plain.js'
import { say } from '../state/speech.js'
import { ShownText, useShownText } from '../ui/shown-text.js'
import { CodeBlock } from './code-block.js'
import { useGrowingBlocks } from './growing-blocks.js'
import { MarkdownBlock } from './markdown-block.js'

/** Lines of a text that are shown at first: more than anybody reads in one message. */
const LINES = 3000

interface MarkdownProps {
  readonly text: string
  readonly growing: boolean
  /** A name of its own for a text that is said as it comes; others are only shown. */
  readonly saidAs?: string | undefined
}

/** A text in Markdown. One that still grows keeps the blocks that are complete. */
export function Markdown({ text, growing, saidAs }: MarkdownProps) {
  const shown = useShownText(text, LINES)
  const grown = useGrowingBlocks(text, growing)
  const blocks = useMemo(() => (growing ? grown : blocksOf(shown.text)), [growing, grown, shown.text])
  useSaid(blocks, growing, saidAs)
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

/** How many blocks of each text were said: a row that comes back says nothing again. */
const saidBlocks = new Map<string, number>()

/** Whatever block is complete is said to those who listen instead of looking. */
function useSaid(blocks: readonly TextBlock[], growing: boolean, saidAs: string | undefined): void {
  useEffect(() => {
    if (saidAs === undefined) return
    const before = saidBlocks.get(saidAs) ?? 0
    const complete = blocks.slice(before, growing ? -1 : undefined)
    if (complete.length === 0) return
    saidBlocks.set(saidAs, before + complete.length)
    say(complete.map(spoken).join('\n'))
  }, [blocks, growing, saidAs])
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
