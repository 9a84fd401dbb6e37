import assert from 'node:assert/strict'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isLogBundle } from '../../src/core/index.js'
import { openTab } from '../support/browser.js'
import { beginThread, serve, startServed } from '../support/served.js'

const WORK = [
  { text: 'I look.', toolCalls: [{ name: 'read', args: { path: 'notes.txt' } }], usage: { input: 900, output: 40 } },
  { text: 'Seen.', usage: { input: 1200, output: 10 } },
]

test('the context view shows what each request carried, its elements, and the files that went in', async (t) => {
  const { url, model, place } = await startServed(t)
  await place.write('work/notes.txt', 'the-note-itself\n')
  model.enqueue(...WORK)
  const { page } = await openTab(t, url)
  await beginThread(page, 'Look at the notes')
  await page.locator('.reply', { hasText: 'Seen.' }).waitFor()
  await page.locator('#composer-text').fill('/context')
  await page.locator('#composer-text').press('Enter')
  const panel = page.getByRole('complementary', { name: 'Context' })
  await panel.getByRole('button', { name: /^Request 1/ }).click()
  await panel.getByRole('tab', { name: 'Request 1' }).waitFor()
  await panel.getByRole('button', { name: /^The next request/ }).click()
  await panel.locator('.elements summary', { hasText: 'notes.txt' }).last().click()
  await panel.getByText('the-note-itself').waitFor()
  await panel.getByRole('tab', { name: /Files/ }).click()
  await panel.getByText('notes.txt').waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  assert.equal(await page.evaluate('document.activeElement.id'), 'composer-text')
})

test('the statistics view counts the thread and the day', async (t) => {
  const { url, model, place } = await startServed(t)
  await place.write('work/notes.txt', 'x\n')
  model.enqueue(...WORK)
  const { page } = await openTab(t, url)
  await beginThread(page, 'Look at the notes')
  await page.locator('.reply', { hasText: 'Seen.' }).waitFor()
  await page.getByRole('button', { name: 'Statistics', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Statistics' })
  await panel.getByRole('rowheader', { name: '1. Look at the notes' }).waitFor()
  await panel.getByRole('rowheader', { name: 'read' }).waitFor()
  assert.match(await panel.locator('.facts').innerText(), /Requests\n2/)
  await panel.getByRole('tab', { name: 'A day' }).click()
  await panel.getByRole('rowheader', { name: 'Look at the notes' }).waitFor()
})

test('the log is followed live and narrowed; events, the timeline and a bundle are there', async (t) => {
  const { url, model } = await startServed(t)
  model.otherwise({ text: 'Hello.' })
  const { page } = await openTab(t, url)
  await beginThread(page, 'Hi')
  await page.locator('.reply', { hasText: 'Hello.' }).waitFor()
  await page.locator('.thread-head').getByRole('button', { name: 'Log' }).click()
  const panel = page.getByRole('complementary', { name: 'Log' })
  const records = panel.getByRole('log', { name: 'Records' })
  await records.getByText('run 1 acquired').waitFor()
  await page.locator('#composer-text').fill('Again')
  await page.locator('#composer-text').press('Enter')
  await records.getByText('run 2 acquired').waitFor()
  await panel.getByLabel('Words').fill('acquired')
  await records.getByText('message assistant').first().waitFor({ state: 'detached' })
  await panel.getByLabel('Level').selectOption('warning')
  await records.getByText('No record fits.').waitFor()
  await panel.getByRole('tab', { name: 'Events' }).click()
  await panel.getByText('message-start assistant').first().waitFor()
  await panel.getByRole('tab', { name: 'Timeline' }).click()
  await panel.getByText('run 2 released', { exact: false }).waitFor()
  const download = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Download a bundle' }).click()
  const text = readFileSync(await (await download).path(), 'utf8')
  assert.ok(isLogBundle(text))
  assert.match(text, /run 2 acquired|run \{generation\} acquired/)
  assert.match(text, /## Browser records/)
})

test('a new thread says at its field which setting was refused, and goes on with another', async (t) => {
  const { url, model } = await startServed(t)
  model.otherwise({ text: 'Hello.' })
  const { page } = await openTab(t, url)
  await page.locator('.rail').getByRole('button', { name: 'New thread', exact: true }).click()
  await page.getByLabel('First prompt').fill('Hi')
  const form = page.getByRole('dialog')
  const typed = form.getByRole('textbox', { name: 'Model' })
  await typed.fill('local/nothing')
  await form.getByLabel('Permission mode').selectOption('plan')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.getByText(/there is no model called local\/nothing/).waitFor()
  await typed.fill('local/think')
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.locator('.reply', { hasText: 'Hello.' }).waitFor()
  await page.getByRole('button', { name: 'Model: Local think' }).waitFor()
  await page.getByRole('button', { name: 'Permission mode: Plan' }).waitFor()
  assert.equal(model.requests.length, 1)
  // What a session registered is remembered: the next thread chooses from lists.
  await page.locator('.rail').getByRole('button', { name: 'New thread', exact: true }).click()
  await form.getByRole('combobox', { name: 'Model' }).selectOption('local/think')
  await form.getByLabel('Thinking').selectOption('low')
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'detached' })
})

test('a folder under a declared root becomes a project, and a thread works in it', async (t) => {
  const { url, model, place } = await startServed(t, [], {
    prepare: async (place) => {
      await place.write('home/.enso/config.json', JSON.stringify({ projects: { roots: [join(place.root, 'code')] } }))
      mkdirSync(join(place.root, 'code', 'alpha', 'inner'), { recursive: true })
    },
  })
  model.otherwise({ text: 'Hello.' })
  const { page } = await openTab(t, url)
  await page.getByRole('button', { name: 'Add a project' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /code/ }).click()
  await dialog.getByRole('button', { name: /alpha/ }).click()
  await dialog.getByRole('button', { name: /inner/ }).waitFor()
  await dialog.getByLabel('Title').fill('The alpha')
  await dialog.getByRole('button', { name: 'Add this folder' }).click()
  await dialog.getByLabel('First prompt').fill('Hi')
  await dialog.getByRole('button', { name: 'Start', exact: true }).click()
  await page.locator('.reply', { hasText: 'Hello.' }).waitFor()
  await page.getByRole('region', { name: 'The alpha' }).getByRole('link', { name: /Hi/ }).waitFor()
  assert.match(JSON.stringify(model.requests[0]?.body), new RegExp(join(place.root, 'code', 'alpha')))
})

test('an image that is pasted goes with the prompt; what is no image is refused', async (t) => {
  const { url, model } = await startServed(t)
  model.otherwise({ text: 'A dot.' })
  const { page } = await openTab(t, url)
  await beginThread(page, 'Hi')
  await page.locator('.reply', { hasText: 'A dot.' }).waitFor()
  const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
  const paste = (name: string, type: string): Promise<unknown> =>
    page.evaluate(`{
      const bytes = Uint8Array.from(atob('${pixel}'), (c) => c.charCodeAt(0))
      const data = new DataTransfer()
      data.items.add(new File([bytes], '${name}', { type: '${type}' }))
      document.querySelector('#composer-text').dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
    }`)
  await paste('a.svg', 'image/svg+xml')
  await page.getByText(/no PNG, JPEG, GIF or WebP/).waitFor()
  await paste('a.png', 'image/png')
  await page.getByRole('img', { name: 'Image 1' }).waitFor()
  await page.locator('#composer-text').fill('What is this?')
  await page.locator('#composer-text').press('Enter')
  await page.locator('.prompt').nth(1).getByRole('img').waitFor()
  await page.locator('.reply').nth(1).waitFor()
  assert.match(JSON.stringify(model.requests[1]?.body), /image_url/)
})

test('a provider’s refusal is told by its class and counted down; a guard’s refusal by its rule', async (t) => {
  const { url, model } = await startServed(t)
  model.enqueue(
    { text: 'Hello.' },
    { status: 429, body: { error: { message: 'slow down please' } } },
    { text: 'Now.', toolCalls: [{ name: 'bash', args: { command: 'curl https://example.com' } }] },
    { text: 'I was refused.' },
  )
  const { page } = await openTab(t, url)
  await beginThread(page, 'Hi')
  await page.locator('.reply', { hasText: 'Hello.' }).waitFor()
  await page.locator('#composer-text').fill('Go')
  await page.locator('#composer-text').press('Enter')
  await page.getByText(/Retry 1 of \d+/).waitFor()
  await page.getByText('Rate-limited').waitFor()
  await page.locator('.reply', { hasText: 'I was refused.' }).waitFor()
  await page.getByText(/Refused \(rate-limited\) and tried again: .*slow down please/).waitFor()
  const denied = page.locator('.tool.is-denied')
  assert.match(await denied.innerText(), /refused by policy/)
  assert.match(await denied.innerText(), /network-egress/)
  await page.reload()
  await page.locator('.tool.is-denied').waitFor()
})

test('a page that comes later sees the retry that is waited for, and who said no', async (t) => {
  const retry = { enabled: true, maxRetries: 3, baseDelayMs: 600_000 }
  const { url, model } = await startServed(t, [], {
    prepare: async (place) => void (await place.write('home/.enso/agent/settings.json', JSON.stringify({ retry }))),
  })
  model.enqueue(
    { text: 'May I?', toolCalls: [{ name: 'bash', args: { command: 'rm notes.txt' } }] },
    { text: 'You said no.' },
    { status: 429, body: { error: { message: 'slow down please' } } },
  )
  const { page } = await openTab(t, url)
  await beginThread(page, 'Delete it')
  await page.getByRole('button', { name: 'Deny' }).click()
  await page.locator('.reply', { hasText: 'You said no.' }).waitFor()
  await page.reload()
  await page.locator('.tool.is-denied', { hasText: 'you said no' }).waitFor()
  await page.locator('#composer-text').fill('Go')
  await page.locator('#composer-text').press('Enter')
  await page.getByText(/Retry 1 of 3 in [56]\d\d s/).waitFor()
  await page.reload()
  await page.getByText(/Retry 1 of 3 in [56]\d\d s/).waitFor()
})

test('a thread whose run was killed says how it ended', async (t) => {
  const { url, model, server, place } = await startServed(t, ['--token-file', 'token'])
  model.enqueue({ deltas: ['half'], hang: 'mid' })
  const { page } = await openTab(t, url)
  await beginThread(page, 'Answer me')
  await page.locator('.reply', { hasText: 'half' }).waitFor()
  server.kill('SIGKILL')
  await server.ended
  await serve(t, place, ['--token-file', 'token', '--port', new URL(url).port])
  await page.getByText(/The last prompt has no reply/).waitFor()
  await page.getByRole('button', { name: 'Write it again' }).click()
  assert.equal(await page.locator('#composer-text').inputValue(), 'Answer me')
})

test('among many threads there is a field to find one by its words', async (t) => {
  const { url } = await startServed(t)
  const { page } = await openTab(t, 'about:blank')
  const stored = Array.from({ length: 30 }, (_none, index) => ({
    projectId: 'p',
    threadId: `t${index}`,
    title: index === 25 ? 'Fix the Greeting' : `Thread ${index}`,
    messageCount: 1,
    lastActivityAt: new Date(2020, 0, 30 - index).toISOString(),
    busy: false,
  }))
  await page.route('**/api/threads', (route) => route.fulfill({ json: { live: [], stored } }))
  await page.goto(url)
  await page.getByText('22 older threads').waitFor()
  await page.getByLabel('Find a thread').fill(' greet')
  await page.getByRole('link', { name: /Fix the Greeting/ }).waitFor()
  assert.equal(await page.locator('.rail .thread').count(), 1)
  await page.getByLabel('Find a thread').fill('')
  await page.getByText('22 older threads').waitFor()
})
