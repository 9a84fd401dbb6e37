import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import type { EnsoObservation } from '../../src/core/index.js'
import { openTab } from '../support/browser.js'
import { longThread, type PageFeed, replyOf, startPageFeed } from '../support/page-feed.js'

async function openFeed(t: TestContext, messages: number): Promise<{ feed: PageFeed; page: Page }> {
  const feed = await startPageFeed(longThread(messages))
  const { page } = await openTab(t, feed.url)
  t.after(() => feed.close())
  await page.evaluate(`{
    window.longest = 0
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.longest = Math.max(window.longest, duration)
    }).observe({ entryTypes: ['longtask'] })
    location.hash = '#/t/t1'
  }`)
  await feed.followed
  return { feed, page }
}

/** Live bytes of the page's scripts. */
async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  await session.detach()
  return usedSize
}

test('a thread of a thousand messages is there at once, and only its last rows are in the page', async (t) => {
  const { page } = await openFeed(t, 1000)
  await page.getByRole('heading', { name: 'Answer 999' }).waitFor({ timeout: 5000 })
  const rows = await page.locator('.row').count()
  assert.ok(rows >= 30 && rows <= 100, `${rows} rows`)
  await page.evaluate(`document.querySelector('.chat').scrollTop = 0`)
  await page.getByRole('heading', { name: 'Answer 941' }).waitFor()
  const longest = Number(await page.evaluate('window.longest'))
  assert.ok(longest < 1000, `a task took ${longest} ms`)
})

test('twenty thousand pieces of a reply are streamed while the page goes on answering', async (t) => {
  const { feed, page } = await openFeed(t, 10)
  await page.getByRole('heading', { name: 'Answer 9' }).waitFor()
  await page.evaluate('window.longest = 0')
  await feed.observe(replyOf(20_000))
  await feed.observe([{ kind: 'message-end', role: 'assistant' }, { kind: 'settled' }])
  await page.locator('.chat', { hasText: 'word19998' }).waitFor({ timeout: 60_000 })
  const longest = Number(await page.evaluate('window.longest'))
  assert.ok(longest < 500, `a task took ${longest} ms`)
})

test('memory stays flat over ten thousand observations', async (t) => {
  const { feed, page } = await openFeed(t, 10)
  await page.getByRole('heading', { name: 'Answer 9' }).waitFor()
  const call: EnsoObservation = { kind: 'tool-call', toolCallId: 'x', toolName: 'bash', args: { command: 'make' } }
  const said = (count: number): EnsoObservation => ({
    kind: 'tool-result',
    toolCallId: 'x',
    toolName: 'bash',
    text: `line ${count}\n`.repeat(200),
    isError: false,
    complete: false,
  })
  const usage = (count: number): EnsoObservation => ({
    kind: 'session-usage',
    input: count,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    cost: 0,
    context: { tokens: count, window: 100_000, percent: count / 1000 },
  })
  await feed.observe([{ kind: 'message-start', role: 'assistant' }, call])
  const round = (from: number): EnsoObservation[] =>
    Array.from({ length: 5000 }, (_none, index) => (index % 2 === 0 ? said(from + index) : usage(from + index)))
  await feed.observe(round(0))
  await page.getByText('line 4998').first().waitFor({ timeout: 60_000 })
  const before = await heapOf(page)
  await feed.observe(round(5000))
  await page.getByText('line 9998').first().waitFor({ timeout: 60_000 })
  const grown = (await heapOf(page)) - before
  assert.ok(grown < 1_500_000, `the heap grew by ${grown} bytes`)
})
