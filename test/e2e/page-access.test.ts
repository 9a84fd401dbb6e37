import assert from 'node:assert/strict'
import { test } from 'node:test'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { openTab, untilTrue } from '../support/browser.js'
import { inRoot } from '../support/root.js'
import { beginThread, startServed } from '../support/served.js'

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** What a page’s readers would trip over, the serious things. */
async function serious(page: Page, view: string): Promise<string[]> {
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate<{ violations: Violation[] }>('axe.run(document)')
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${view}: ${id} ${html.slice(0, 200)} ${failureSummary ?? ''}`),
    )
}

const THREAD = [
  {
    thinking: 'Let me see.',
    text: '# A title\n\n- one\n- two\n\n```ts\nconst a = 1 // note\n```\n\n| a | b |\n|---|---|\n| 1 | [x](https://example.com) |',
    toolCalls: [
      { name: 'ls', args: {} },
      { name: 'bash', args: { command: 'curl https://example.com' } },
      { name: 'write', args: { path: 'b.txt', content: 'two\n' } },
    ],
  },
]

for (const colorScheme of ['light', 'dark'] as const) {
  test(`no view has a serious fault of access, ${colorScheme}`, async (t) => {
    const { url, model, place } = await startServed(t)
    await place.write('work/a.txt', 'one\n')
    model.enqueue(...THREAD)
    const { page } = await openTab(t, url, { colorScheme })
    const found = await serious(page, 'welcome')
    await page.locator('.rail').getByRole('button', { name: 'New thread', exact: true }).click()
    await page.getByLabel('First prompt').waitFor()
    found.push(...(await serious(page, 'new thread')))
    await page.keyboard.press('Escape')
    await beginThread(page, 'Go')
    await page.getByRole('button', { name: 'Allow once' }).waitFor()
    for (const summary of await page.locator('.chat summary').all()) await summary.click()
    found.push(...(await serious(page, 'thread with a question')))
    await page.locator('#composer-text').fill('/')
    await page.getByRole('listbox').waitFor()
    found.push(...(await serious(page, 'palette')))
    await page.locator('#composer-text').fill('')
    for (const panel of ['Context', 'Statistics', 'Log']) {
      await page.locator('.thread-head').getByRole('button', { name: panel }).click()
      await page.getByRole('complementary', { name: panel }).getByRole('tab').first().waitFor()
      found.push(...(await serious(page, panel)))
    }
    await page.setViewportSize({ width: 390, height: 800 })
    found.push(...(await serious(page, 'narrow')))
    assert.deepEqual(found, [])
  })
}

test('everything is reached by keys, and what happens is said', async (t) => {
  const { url, model } = await startServed(t)
  model.enqueue(
    { text: 'May I?', toolCalls: [{ name: 'bash', args: { command: 'touch x' } }] },
    { text: 'All **done**.' },
  )
  const { page } = await openTab(t, url)
  await page.getByRole('heading', { name: 'What shall we do?' }).waitFor()
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'To the composer')
  await page.locator('.rail').getByRole('button', { name: 'New thread', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByLabel('First prompt').waitFor()
  await page.keyboard.type('Go')
  await page.keyboard.press('Control+Enter')
  await page.locator('[aria-live="assertive"]', { hasText: 'A question waits: Run this command?' }).waitFor()
  await page.getByRole('button', { name: 'Allow once' }).focus()
  await page.keyboard.press('Enter')
  await page.locator('[aria-live="polite"]', { hasText: 'All done.' }).first().waitFor()
  await untilTrue(page, `document.activeElement.id === 'composer-text'`)
  await page.keyboard.type('/thi')
  await page.getByRole('option', { name: /thinking/ }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  assert.equal(await page.locator('#composer-text').inputValue(), '/thi')
})

test('who answers by keys goes on by keys, and a field takes what is typed next', async (t) => {
  const { url, model } = await startServed(t, ['-e', inRoot('test/fixtures/extensions/asks.ts')])
  const ask = ['confirm', 'select', 'input', 'input']
  model.enqueue({ toolCalls: [{ name: 'ask_things', args: { ask } }] }, { text: 'Thank you.' })
  const { page } = await openTab(t, url)
  await beginThread(page, 'Ask me')
  await page.getByRole('button', { name: 'Yes' }).waitFor()
  assert.equal(await page.evaluate('document.activeElement.id'), 'composer-text')
  await page.getByRole('button', { name: 'Yes' }).focus()
  await page.keyboard.press('Enter')
  await untilTrue(page, `document.activeElement.textContent.includes('Which colour?')`)
  await page.keyboard.press('Tab')
  assert.equal(await page.evaluate('document.activeElement.textContent'), 'red')
  await page.keyboard.press('Enter')
  await untilTrue(page, `document.activeElement.ariaLabel === 'Answer'`)
  await page.keyboard.type('Wall')
  await page.keyboard.press('Enter')
  await untilTrue(page, `document.activeElement.ariaLabel === 'Answer' && document.activeElement.value === ''`)
  await page.keyboard.type('Door')
  await page.keyboard.press('Enter')
  await page.locator('.reply', { hasText: 'Thank you.' }).waitFor()
  assert.match(JSON.stringify(model.requests.at(-1)?.body), /true.*red.*Wall.*Door/)
})
