// What the page costs a browser, from chromium's own trace: as ratios to an empty page on the same machine.
//   npx tsx scripts/bench/page.ts      (after npm run build)
import { type Browser, chromium, type Page } from 'playwright-core'
import { addFigure, addRatio, keepFigures } from './figures.js'
import { longThread, replyOf, startPageFeed } from '../../test/support/page-feed.js'

const ROUNDS = 5

interface TraceEvent {
  readonly name: string
  /** Microseconds. */
  readonly dur?: number
}

/** The longest and the sum of a trace's tasks, in milliseconds. */
function tasksOf(trace: Buffer): { readonly longest: number; readonly total: number } {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: TraceEvent[] }
  const tasks = traceEvents.filter(({ name }) => name.endsWith('RunTask')).map(({ dur = 0 }) => dur / 1000)
  return { longest: Math.max(0, ...tasks), total: tasks.reduce((sum, one) => sum + one, 0) }
}

interface Measured {
  /** From the navigation until the words are there, in milliseconds. */
  readonly visible: number
  readonly longest: number
  readonly total: number
}

async function traced(browser: Browser, act: (page: Page) => Promise<void>): Promise<Measured> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } })
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
  const began = performance.now()
  await act(page)
  const visible = performance.now() - began
  const tasks = tasksOf(await browser.stopTracing())
  await page.close()
  return { visible, ...tasks }
}

async function inRounds(measure: () => Promise<Measured>): Promise<readonly Measured[]> {
  const rounds: Measured[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measure())
  return rounds
}

async function withFeed(
  browser: Browser,
  messages: number,
  act: (page: Page, feed: Awaited<ReturnType<typeof startPageFeed>>) => Promise<void>,
): Promise<Measured> {
  const feed = await startPageFeed(longThread(messages))
  try {
    return await traced(browser, (page) => act(page, feed))
  } finally {
    await feed.close()
  }
}

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
})
try {
  const empty = await inRounds(() => withFeed(browser, 0, async (page, feed) => void (await page.goto(feed.emptyUrl))))
  const thread = await inRounds(() =>
    withFeed(browser, 1000, async (page, feed) => {
      await page.goto(feed.url)
      await page.evaluate(`location.hash = '#/t/t1'`)
      await page.getByRole('heading', { name: 'Answer 999' }).waitFor()
    }),
  )
  const stream = await inRounds(() =>
    withFeed(browser, 10, async (page, feed) => {
      await page.goto(feed.url)
      await page.evaluate(`location.hash = '#/t/t1'`)
      await feed.followed
      await feed.observe(replyOf(20_000))
      await feed.observe([{ kind: 'message-end', role: 'assistant' }, { kind: 'settled' }])
      await page.locator('.chat', { hasText: 'word19998' }).waitFor()
    }),
  )
  for (const [name, rounds] of [
    ['an empty page', empty],
    ['1,000 messages', thread],
    ['20,000 pieces of a reply', stream],
  ] as const) {
    const of = (figure: keyof Measured, all = rounds): number[] => all.map((one) => one[figure])
    addFigure(`${name}: visible`, 'ms', of('visible'))
    if (rounds !== empty) addRatio(`${name} / an empty page: visible`, of('visible'), of('visible', empty))
    addFigure(`${name}: longest task`, 'ms', of('longest'))
    addFigure(`${name}: all tasks`, 'ms', of('total'))
  }
  keepFigures()
} finally {
  await browser.close()
}
