// What the page costs a browser, from chromium's own trace: as ratios to an empty page on the same machine.
//   npx tsx scripts/bench/page.ts      (after npm run build)
import { type Browser, chromium, type Page } from 'playwright-core'
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

async function median(measure: () => Promise<Measured>): Promise<Measured> {
  const rounds: Measured[] = []
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measure())
  const middle = (pick: (one: Measured) => number): number => rounds.map(pick).sort((a, b) => a - b)[ROUNDS >> 1] ?? 0
  return {
    visible: middle((one) => one.visible),
    longest: middle((one) => one.longest),
    total: middle((one) => one.total),
  }
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
  const empty = await median(() => withFeed(browser, 0, async (page, feed) => void (await page.goto(feed.emptyUrl))))
  const thread = await median(() =>
    withFeed(browser, 1000, async (page, feed) => {
      await page.goto(feed.url)
      await page.evaluate(`location.hash = '#/t/t1'`)
      await page.getByRole('heading', { name: 'Answer 999' }).waitFor()
    }),
  )
  const stream = await median(() =>
    withFeed(browser, 10, async (page, feed) => {
      await page.goto(feed.url)
      await page.evaluate(`location.hash = '#/t/t1'`)
      await feed.followed
      await feed.observe(replyOf(20_000))
      await feed.observe([{ kind: 'message-end', role: 'assistant' }, { kind: 'settled' }])
      await page.locator('.chat', { hasText: 'word19998' }).waitFor()
    }),
  )
  const row = (name: string, { visible, longest, total }: Measured): string =>
    `${name.padEnd(28)} ${visible.toFixed(0).padStart(6)} ms (${(visible / empty.visible).toFixed(1)} × empty)   longest task ${longest.toFixed(0)} ms   all tasks ${total.toFixed(0)} ms`
  console.log(row('an empty page', empty))
  console.log(row('1,000 messages', thread))
  console.log(row('20,000 pieces of a reply', stream))
} finally {
  await browser.close()
}
