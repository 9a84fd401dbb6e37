import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { createPlace, type EnsoProcess, type Place, startEnso, type StartOptions } from './run-enso.js'
import { type ModelServer, startModelServer } from './model-server.js'

/** The built server over a scripted model, in a place of its own. */
export interface Served {
  readonly place: Place
  readonly model: ModelServer
  readonly server: EnsoProcess
  /** With the token in its fragment. */
  readonly url: string
}

export interface ServedOptions extends StartOptions {
  /** Done before the server starts. */
  readonly prepare?: (place: Place) => Promise<void>
}

/** Starts `enso serve` with a scripted model as its default. */
export async function startServed(
  t: TestContext,
  args: readonly string[] = [],
  options: ServedOptions = {},
): Promise<Served> {
  const model = await startModelServer()
  t.after(() => model.close())
  const place = await createPlace(t, { server: model })
  await options.prepare?.(place)
  const { server, url } = await serve(t, place, args, options)
  return { place, model, server, url }
}

/** Starts a server in a place that is there. */
export async function serve(
  t: TestContext,
  place: Place,
  args: readonly string[] = [],
  options: StartOptions = {},
): Promise<Pick<Served, 'server' | 'url'>> {
  const server = startEnso(t, place, ['serve', '-m', 'local/x', ...args], { boundMs: 180_000, ...options })
  const line = await server.waitForLine(/^listening /)
  return { server, url: line.replace('listening ', '') }
}

/** Begins a thread in the page and goes there. */
export async function beginThread(page: Page, prompt: string): Promise<void> {
  await page.locator('.rail').getByRole('button', { name: 'New thread', exact: true }).click()
  await page.getByLabel('First prompt').fill(prompt)
  await page.getByRole('button', { name: 'Start', exact: true }).click()
  await page.locator('.thread-head').waitFor()
}
