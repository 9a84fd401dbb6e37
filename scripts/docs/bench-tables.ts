import { pathToFileURL } from 'node:url'
import { inRoot } from '../../test/support/root.js'

type Results = Readonly<Record<string, unknown>>
type OfRun = (results: Results, name: string) => string

const load = (file: string): Promise<unknown> => import(pathToFileURL(inRoot('scripts/bench', file)).href)
const { stored } = (await load('results.js')) as { stored(): Results }
const { machine, programs, ratios, part, goals, profile } = (await load('tables.js')) as Readonly<
  Record<'machine' | 'programs' | 'ratios' | 'part' | 'goals' | 'profile', OfRun>
>

/** The tables of the stored benchmark run, which `npm run bench -- --store` keeps. */
export const BENCH_TABLES: Readonly<Record<string, () => string>> = {
  'bench-machine': () => machine(stored(), ''),
  'bench-goals': () => goals(stored(), ''),
  ...Object.fromEntries(
    ['start', 'hello', 'stream'].flatMap((group) => [
      [`bench-${group}`, () => programs(stored(), group)],
      [`bench-${group}-ratios`, () => ratios(stored(), group)],
    ]),
  ),
  ...Object.fromEntries(
    ['help', 'threads', 'hello', 'stream', 'followers'].map((name) => [
      `bench-profile-${name}`,
      () => profile(stored(), name),
    ]),
  ),
  ...Object.fromEntries(
    ['serve', 'logs', 'threads', 'page'].map((name) => [`bench-${name}`, () => part(stored(), name)]),
  ),
}
