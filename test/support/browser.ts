import type { TestContext } from 'node:test'
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

/** Nothing of the browser's own goes anywhere but to the server under test. */
const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

/** What a person may wait for at most, in milliseconds: the machine is shared. */
export const PATIENCE_MS = 20_000

let running: Promise<Browser> | undefined
let users = 0

/** The system's own chromium, one for all tests of a file. */
export async function browserFor(t: TestContext): Promise<Browser> {
  users++
  running ??= chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ARGS,
    env: { ...process.env, LANG: 'C.UTF-8' },
  })
  const browser = await running
  t.after(async () => {
    if (--users > 0) return
    running = undefined
    await browser.close()
  })
  return browser
}

/** A tab, and what went wrong in it. */
export interface Tab {
  readonly page: Page
  readonly context: BrowserContext
  /** Addresses it asked of anybody but the server. */
  readonly foreign: string[]
  /** Errors of its scripts, and what its content policy forbade. */
  readonly faults: string[]
}

/** Opens a tab at an address, in a profile of its own. */
export async function openTab(t: TestContext, url: string, options: BrowserContextOptions = {}): Promise<Tab> {
  const browser = await browserFor(t)
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  t.after(() => context.close())
  const tab = await newTab(context, url)
  return tab
}

/** One more tab in the same profile. */
export async function newTab(context: BrowserContext, url: string): Promise<Tab> {
  const page = await context.newPage()
  const [foreign, faults]: [string[], string[]] = [[], []]
  const { origin } = new URL(url)
  page.setDefaultTimeout(PATIENCE_MS)
  page.on('request', (request) => {
    const asked = request.url()
    if (!asked.startsWith(origin) && !/^(?:data|blob):/.test(asked)) foreign.push(asked)
  })
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|net::ERR/.test(message.text()))
      faults.push(message.text())
  })
  await page.goto(url)
  return { page, context, foreign, faults }
}

/**
 * Resolves when an expression holds in the page. The browser's own way of waiting makes code of it inside the page,
 * which the content policy forbids.
 */
export async function untilTrue(page: Page, expression: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    if ((await page.evaluate(expression)) === true) return
    if (Date.now() > end) throw new Error(`never true in the page: ${expression}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
