import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTab, untilTrue } from '../support/browser.js'
import { inRoot } from '../support/root.js'
import { beginThread, startServed } from '../support/served.js'

/** Stands in for the browser's notifications and for whether somebody looks: neither is there without a screen. */
const NOTIFICATIONS = `
  window.shown = []
  window.looksAway = false
  Object.defineProperty(document, 'hidden', { get: () => window.looksAway })
  window.Notification = class extends EventTarget {
    static permission = 'default'
    static async requestPermission() {
      this.permission = 'granted'
      return 'granted'
    }
    constructor(title, options) {
      super()
      window.shown.push([title, options.body])
    }
    close() {}
  }
`

test('what is said while a session starts stands together above its first prompt', async (t) => {
  const { url, model } = await startServed(t, ['-e', inRoot('test/fixtures/extensions/notices.ts')])
  model.otherwise({ text: 'Hello.' })
  const { page } = await openTab(t, url)
  await beginThread(page, 'Hi')
  await page.locator('.reply', { hasText: 'Hello.' }).waitFor()
  const notices = page.locator('details.note.is-warning')
  assert.equal(await notices.count(), 1)
  assert.equal(await page.getByText('The index is old.').isVisible(), false)
  await notices.locator('summary', { hasText: '2 notices from the start of the session' }).click()
  await page.getByText('The index is old.').waitFor()
  await page.getByText('There is no formatter.').waitFor()
})

test('a question that nobody sees is notified of, once, where that is allowed', async (t) => {
  const { url, model } = await startServed(t)
  const asks = (command: string) => ({ toolCalls: [{ name: 'bash', args: { command } }] })
  model.enqueue(asks('touch a'), asks('touch b'), asks('touch c'), { text: 'Done.' })
  const { page } = await openTab(t, 'about:blank')
  await page.addInitScript(NOTIFICATIONS)
  await page.goto(url)
  await beginThread(page, 'Go')
  await page.locator('.card .detail', { hasText: 'touch a' }).waitFor()
  await page.getByRole('button', { name: /Tell me about questions/ }).click()
  await page.getByRole('button', { name: /Tell me about questions/ }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.locator('.card .detail', { hasText: 'touch b' }).waitFor()
  assert.deepEqual(await page.evaluate('window.shown'), [])
  await page.evaluate('window.looksAway = true')
  await page.getByRole('button', { name: 'Allow once' }).click()
  await untilTrue(page, 'window.shown.length > 0')
  assert.deepEqual(await page.evaluate('window.shown'), [['Run this command?', 'enso waits for your answer.']])
  await untilTrue(page, `document.title.startsWith('(1) ')`)
})
