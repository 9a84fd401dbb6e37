import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { newTab, openTab, untilTrue } from '../support/browser.js'
import { inRoot } from '../support/root.js'
import { beginThread, serve, startServed } from '../support/served.js'

const composer = (page: Page) => page.locator('#composer-text')

/** A reply with these words. */
const reply = (page: Page, words: string) => page.locator('.reply', { hasText: words })

/** Writes into the composer and sends it. */
async function send(page: Page, text: string): Promise<void> {
  await composer(page).fill(text)
  await composer(page).press('Enter')
}

test('a prompt, a tool, a question, an answer, a reply', async (t) => {
  const { url, model, place } = await startServed(t)
  model.enqueue(
    {
      thinking: 'A file is wanted.',
      text: 'I write it.',
      toolCalls: [{ name: 'write', args: { path: 'a.txt', content: 'hi\n' } }],
    },
    { text: 'It is **written**.' },
  )
  const { page, faults, foreign } = await openTab(t, url)
  await beginThread(page, 'Write a.txt')
  await page.getByRole('heading', { name: /this file\?/ }).waitFor()
  await untilTrue(page, `document.title.startsWith('(1) Write a.txt')`)
  assert.match(await page.locator('.card .detail').innerText(), /a\.txt[^]*\+hi/)
  await page.getByRole('button', { name: 'Allow once' }).click()
  await page.locator('.reply strong', { hasText: 'written' }).waitFor()
  assert.equal(readFileSync(join(place.cwd, 'a.txt'), 'utf8'), 'hi\n')
  await untilTrue(page, `document.title.startsWith('Write a.txt')`)
  await page.locator('summary', { hasText: 'Write' }).click()
  assert.equal(await page.locator('.tool pre').innerText(), 'hi\n')
  await page.locator('.thinking summary').click()
  await reply(page, 'A file is wanted.').waitFor()
  assert.equal(await page.locator('.rail .thread').count(), 1)
  assert.deepEqual([faults, foreign], [[], []])
})

test('a Stop hands back what waited, and puts it before what is being written', async (t) => {
  const { url, model } = await startServed(t)
  model.enqueue({ deltas: ['Working on it'], hang: 'mid' })
  const { page } = await openTab(t, url)
  await beginThread(page, 'Begin')
  await reply(page, 'Working on it').waitFor()
  await send(page, 'and then this')
  await page.locator('.queue li', { hasText: 'and then this' }).waitFor()
  await composer(page).fill('half a thought')
  await page.getByRole('button', { name: 'Stop' }).click()
  await page.locator('.queue').waitFor({ state: 'detached' })
  await untilTrue(page, `document.querySelector('#composer-text').value === 'and then this\\n\\nhalf a thought'`)
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor()
  await page.reload()
  assert.equal(await composer(page).inputValue(), 'and then this\n\nhalf a thought')
})

test('a prompt can wait for the run or cut in', async (t) => {
  const { url, model } = await startServed(t)
  let go: () => void = () => undefined
  const held = new Promise<void>((resolve) => void (go = resolve))
  model.enqueue(
    { deltas: ['First', ' half'], delayUntil: held, toolCalls: [{ name: 'ls', args: {} }] },
    { text: 'Second.' },
    { text: 'Third.' },
  )
  const { page } = await openTab(t, url)
  await beginThread(page, 'Begin')
  await reply(page, 'First').waitFor()
  await send(page, 'later')
  await page.locator('.queue li', { hasText: 'later' }).waitFor()
  await composer(page).fill('now')
  await page.getByRole('button', { name: 'Interrupt' }).click()
  await page.locator('.queue li', { hasText: 'next' }).waitFor()
  go()
  await reply(page, 'Third.').waitFor()
  const prompts = await page.locator('.prompt .user-text').allInnerTexts()
  assert.deepEqual(prompts, ['Begin', 'now', 'later'])
})

test('a login takes a secret that the page shows to nobody', async (t) => {
  const { url, model, place } = await startServed(t)
  model.otherwise({ text: 'Hello.' })
  const { page, context } = await openTab(t, url)
  await beginThread(page, 'Hi')
  await reply(page, 'Hello.').waitFor()
  await composer(page).fill('/log')
  await page.getByRole('option', { name: /\/login/ }).waitFor()
  await composer(page).press('Enter')
  const find = page.getByRole('combobox')
  if (await find.isVisible()) await find.fill('local')
  await page.getByRole('option', { name: /local/i }).first().click()
  const secret = page.getByLabel('Secret answer')
  await secret.fill('sk-typed-in-a-page-0123456789')
  assert.equal(await secret.getAttribute('type'), 'password')
  await page.getByRole('button', { name: 'Answer' }).click()
  await page.getByText(/is stored/).waitFor()
  assert.match(readFileSync(join(place.agentDir, 'auth.json'), 'utf8'), /sk-typed-in-a-page/)
  const other = await newTab(context, url)
  await other.page.getByRole('link', { name: /Hi/ }).click()
  await reply(other.page, 'Hello.').waitFor()
  for (const one of [page, other.page]) assert.doesNotMatch(await one.content(), /sk-typed-in-a-page/)
})

test('the permission mode and the model are changed in one tab and seen in both', async (t) => {
  const { url, model } = await startServed(t)
  model.otherwise({ text: 'Hello.' })
  const { page, context } = await openTab(t, url)
  await beginThread(page, 'Hi')
  await reply(page, 'Hello.').waitFor()
  const other = await newTab(context, url)
  await other.page.getByRole('link', { name: /Hi/ }).click()
  await other.page.getByRole('button', { name: 'Permission mode: Ask first' }).waitFor()
  await page.getByRole('button', { name: /^Permission mode/ }).click()
  await page.getByRole('option', { name: /Plan/ }).click()
  for (const one of [page, other.page]) await one.getByRole('button', { name: 'Permission mode: Plan' }).waitFor()
  await composer(page).fill('/mod')
  await composer(page).press('Tab')
  await page.getByRole('option', { name: /Local think/ }).click()
  for (const one of [page, other.page]) await one.getByRole('button', { name: 'Model: Local think' }).waitFor()
  await other.page.getByRole('button', { name: /^Thinking/ }).click()
  await other.page.getByRole('option', { name: 'high' }).click()
  await page.getByRole('button', { name: 'Thinking: high' }).waitFor()
})

test('a questionnaire is filled in tab by tab and sent once', async (t) => {
  const { url, model } = await startServed(t)
  const option = (label: string) => ({ label, description: `it is ${label}` })
  const questions = [
    { header: 'Color', question: 'Which color?', multiSelect: false, options: [option('Green'), option('Red')] },
    { header: 'Parts', question: 'Which parts?', multiSelect: true, options: [option('Top'), option('Bottom')] },
  ]
  model.enqueue({ toolCalls: [{ name: 'ask_user', args: { questions } }] }, { text: 'Thank you.' })
  const { page } = await openTab(t, url)
  await beginThread(page, 'Ask me')
  await page.getByRole('tab', { name: 'Color' }).waitFor()
  await page.getByRole('button', { name: 'Send all answers' }).click()
  await page.getByText('This question has no answer yet.').waitFor()
  await page.getByRole('radio', { name: /Red/ }).check()
  await page.getByRole('tab', { name: 'Color' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('checkbox', { name: /Top/ }).check()
  await page.getByRole('checkbox', { name: /Other/ }).check()
  await page.getByLabel('Your own answer').fill('the middle')
  await page.getByRole('button', { name: 'Send all answers' }).click()
  await reply(page, 'Thank you.').waitFor()
  const said = JSON.stringify(model.requests.at(-1)?.body)
  assert.match(said, /Red/)
  assert.match(said, /the middle/)
  // The focus was in the card when it left.
  await untilTrue(page, `document.activeElement.id === 'composer-text'`)
})

test('each kind of question is answered in its own way, by keys too', async (t) => {
  const { url, model } = await startServed(t, ['-e', inRoot('test/fixtures/extensions/asks.ts')])
  const ask = ['select', 'confirm', 'input', 'editor']
  model.enqueue({ toolCalls: [{ name: 'ask_things', args: { ask, timeout: 90_000 } }] }, { text: 'Thank you.' })
  const { page } = await openTab(t, url)
  await beginThread(page, 'Ask me')
  await page.getByRole('heading', { name: 'Which colour?' }).waitFor()
  assert.match(await page.getByRole('timer').innerText(), /1:[23]\d/)
  await page.getByRole('button', { name: 'green' }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Paint it?' }).waitFor()
  await page.getByRole('button', { name: 'Yes' }).click()
  await page.getByLabel('Answer', { exact: true }).fill('Wall')
  await page.keyboard.press('Enter')
  const editor = page.getByRole('textbox', { name: 'Text' })
  await editor.waitFor()
  assert.equal(await editor.inputValue(), 'once upon')
  await editor.fill('two\nlines')
  await page.keyboard.press('Control+Enter')
  await reply(page, 'Thank you.').waitFor()
  assert.match(JSON.stringify(model.requests.at(-1)?.body), /green.*true.*Wall.*two\\+nlines/)
})

test('two tabs are in step: prompts arrive, and a question that is answered in one leaves the other', async (t) => {
  const { url, model } = await startServed(t)
  model.enqueue({ text: 'May I?', toolCalls: [{ name: 'bash', args: { command: 'touch x' } }] }, { text: 'Done.' })
  const { page, context } = await openTab(t, url)
  await beginThread(page, 'Run it')
  await page.getByRole('button', { name: 'Allow once' }).waitFor()
  const { page: other } = await newTab(context, url)
  await other.getByRole('link', { name: /Run it/ }).click()
  await other.getByRole('button', { name: 'Allow once' }).click()
  await page.locator('.card').waitFor({ state: 'detached' })
  await reply(page, 'Done.').waitFor()
  model.enqueue({ text: 'Again.' })
  await send(other, 'from the other tab')
  await page.locator('.user-text', { hasText: 'from the other tab' }).waitFor()
  await reply(page, 'Again.').waitFor()
  // How long a tool took is known where it was seen to begin.
  const shown = async (one: Page) =>
    (await one.locator('.row').allInnerTexts()).map((row) => row.replace(/\n(?:done|[\d.]+ m?s)$/, ''))
  assert.deepEqual(await shown(page), await shown(other))
})

test('after the server was restarted the page comes back without a flicker or a duplicate', async (t) => {
  const place = await startServed(t, ['--token-file', 'token'])
  const { model, url } = place
  model.otherwise({ text: 'Hello **there**.' })
  const { page } = await openTab(t, url)
  await beginThread(page, 'Hi')
  await page.locator('.reply strong').waitFor()
  await page.evaluate(`document.querySelector('.reply strong').dataset.seen = 'yes'`)
  place.server.kill('SIGKILL')
  await page.getByText(/The connection is lost/).waitFor()
  await serve(t, place.place, ['--token-file', 'token', '--port', new URL(url).port])
  await page.getByText(/The connection is lost/).waitFor({ state: 'detached' })
  assert.equal(await page.locator('.reply').count(), 1)
  assert.equal(await page.locator('.reply strong').getAttribute('data-seen'), 'yes')
  await send(page, 'And again')
  await page.locator('.reply').nth(1).waitFor()
  assert.deepEqual(await page.locator('.user-text').allInnerTexts(), ['Hi', 'And again'])
})

test('a token that is not taken any more is asked for, and taken from a pasted address', async (t) => {
  const { url, model, server, place } = await startServed(t)
  model.otherwise({ text: 'Hello.' })
  const { page } = await openTab(t, url)
  assert.doesNotMatch(page.url(), /token/)
  await beginThread(page, 'Hi')
  await reply(page, 'Hello.').waitFor()
  server.kill('SIGTERM')
  await server.ended
  const next = await serve(t, place, ['--port', new URL(url).port])
  await page.getByText(/does not take this token/).waitFor()
  await page.getByLabel('Address or token').fill(next.url)
  await page.getByRole('button', { name: 'Open' }).click()
  await reply(page, 'Hello.').waitFor()
})

test('without a token nothing is asked of the server', async (t) => {
  const { url } = await startServed(t)
  const { page } = await openTab(t, new URL(url).origin)
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.getByText(/it holds the token/).waitFor()
  await page.reload()
  await page.getByLabel('Address or token').waitFor()
  assert.deepEqual(
    asked.filter((address) => address.includes('/api/')),
    [],
  )
})

test('the newest stays in sight through questions; who reads above is left there until they send something', async (t) => {
  const { url, model } = await startServed(t)
  const long = Array.from({ length: 80 }, (_none, index) => `Line ${index}.`).join('\n\n')
  model.enqueue(
    { text: long },
    { text: 'May I?', toolCalls: [{ name: 'bash', args: { command: 'touch x' } }] },
    { text: long },
    { text: 'Short.' },
  )
  const { page } = await openTab(t, url)
  const isAtEnd = `{ const box = document.querySelector('.chat'); box.scrollHeight - box.scrollTop - box.clientHeight < 5 }`
  await beginThread(page, 'Begin')
  await reply(page, 'Line 79.').waitFor()
  await send(page, 'Run it')
  await page.getByRole('button', { name: 'Allow once' }).waitFor()
  await untilTrue(page, isAtEnd)
  await page.getByRole('button', { name: 'Allow once' }).click()
  await reply(page, 'Line 79.').nth(1).waitFor()
  await untilTrue(page, isAtEnd)
  assert.equal(await page.getByRole('button', { name: 'To the newest' }).count(), 0)
  await page.evaluate(`document.querySelector('.chat').scrollTop -= 400`)
  await page.getByRole('button', { name: 'To the newest' }).waitFor()
  await send(page, 'Again')
  await reply(page, 'Short.').waitFor()
  await untilTrue(page, isAtEnd)
})
