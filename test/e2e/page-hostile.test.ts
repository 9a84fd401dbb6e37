import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTab } from '../support/browser.js'
import { beginThread, startServed } from '../support/served.js'

const HOSTILE = [
  '<script>window.ran = 1</script>',
  '<img src="http://203.0.113.1/pixel.png" onerror="window.ran = 2">',
  '![a pixel](http://203.0.113.1/markdown.png)',
  '[click](javascript:window.ran=3) [data](data:text/html,<script>window.ran=4</script>)',
  '<iframe srcdoc="<script>parent.ran = 5</script>"></iframe><svg onload="window.ran = 6">',
  '<style>@import url(http://203.0.113.1/x.css);</style><a href="javascript:window.ran=7">x</a>',
  'pay \u202egnp.exe\u202c now',
  '<details open ontoggle="window.ran = 8">x</details>',
].join('\n\n')

test('hostile words of a model and of tools are shown as text: nothing is fetched, nothing runs', async (t) => {
  const { url, model, place } = await startServed(t)
  await place.write('work/bad.html', HOSTILE)
  await place.write('work/<img src=x onerror=window.ran=9>.txt', 'x')
  model.enqueue(
    {
      thinking: HOSTILE,
      text: HOSTILE,
      toolCalls: [
        { name: 'read', args: { path: 'bad.html' } },
        { name: 'ls', args: {} },
      ],
    },
    { text: 'The end.' },
  )
  const { page, foreign, faults } = await openTab(t, url)
  await beginThread(page, HOSTILE)
  await page.locator('.reply', { hasText: 'The end.' }).waitFor()
  for (const summary of await page.locator('.chat summary').all()) await summary.click()
  await page.getByText('window.ran=9').first().waitFor()
  const words = await page.locator('.chat').innerText()
  for (const shown of [
    '<script>window.ran = 1</script>',
    'a pixel',
    '(javascript:window.ran=3)',
    'pay \\u202egnp.exe',
  ]) {
    assert.ok(words.includes(shown), shown)
  }
  assert.equal(await page.evaluate('window.ran'), undefined)
  const parts = `document.querySelectorAll('.chat :is(script, iframe, style, [onerror], [onload], [ontoggle], a[href^="javascript"], a[href^="data"], img)').length`
  assert.equal(await page.evaluate(parts), 0)
  const links = page.locator('.chat a')
  for (const link of await links.all()) {
    assert.equal(await link.getAttribute('rel'), 'noopener noreferrer')
    assert.match((await link.getAttribute('href')) ?? '', /^http:\/\/203/)
  }
  assert.deepEqual([foreign, faults], [[], []])
})

test('lines of five megabytes leave the page alive', async (t) => {
  const { url, model, place } = await startServed(t)
  await place.write('work/long.txt', 'x'.repeat(5_000_000))
  model.enqueue(
    { large: { bytes: 5_000_000, chunk: 50_000 }, toolCalls: [{ name: 'bash', args: { command: 'cat long.txt' } }] },
    { text: 'The end.' },
  )
  const { page, faults } = await openTab(t, url)
  await beginThread(page, 'Show it')
  const allow = page.getByRole('button', { name: 'Allow once' })
  await Promise.race([
    allow.waitFor({ timeout: 60_000 }),
    page.locator('.reply', { hasText: 'The end.' }).waitFor({ timeout: 60_000 }),
  ])
  if (await allow.isVisible()) await allow.click()
  await page.locator('.reply', { hasText: 'The end.' }).waitFor()
  await page
    .getByRole('button', { name: /Show more/ })
    .first()
    .waitFor()
  const shown = Number(await page.evaluate(`document.querySelector('.chat').textContent.length`))
  assert.ok(shown < 1_500_000, `${shown} characters are in the page`)
  const answered = Number(
    await page.evaluate(`new Promise((done) => {
      const began = performance.now()
      setTimeout(() => done(performance.now() - began), 0)
    })`),
  )
  assert.ok(answered < 1000, `the page took ${answered} ms to answer`)
  await page.locator('#composer-text').fill('still here')
  assert.deepEqual(faults, [])
})
