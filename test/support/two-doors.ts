import type { TestContext } from 'node:test'
import type { EnsoFollowFrame, EnsoObservation, EnsoRefusal } from '../../src/core/index.js'
import { LOCAL, type Line } from './e2e.js'
import { type Place, startEnso } from './run-enso.js'
import { startServing } from './serving.js'

/** What an operation came to, whichever way it was put. */
export type Answer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly refusal: Pick<EnsoRefusal, 'reason'> & Partial<EnsoRefusal> }

/** A thread of the real program, reached by request lines or over HTTP. */
export interface Door {
  operate(name: string, body?: object): Promise<Answer>
  /** The observations so far. */
  seen(): readonly EnsoObservation[]
  /** Resolves with the first observation, past or to come, that fits. */
  when(fits: (observation: Line) => boolean): Promise<Line>
  /** Resolves when this many acquisitions have ended. */
  idle(times: number): Promise<void>
  end(): Promise<void>
}

export type OpenDoor = (t: TestContext, place: Place, args?: readonly string[]) => Promise<Door>

/** Operations that are only looked at over HTTP. */
const LOOKS = new Set(['commands', 'history', 'stats', 'context', 'events', 'usage'])

/** How many acquisitions have ended: each has a generation of its own. */
const ends = (frames: readonly EnsoFollowFrame[]): number =>
  new Set(
    frames.flatMap((frame) =>
      frame.type === 'status' && !frame.busy && frame.generation > 0 ? [frame.generation] : [],
    ),
  ).size

function observationsIn(frames: readonly EnsoFollowFrame[]): EnsoObservation[] {
  return frames.flatMap((frame) => (frame.type === 'observation' ? [frame.observation] : []))
}

const overJson: OpenDoor = async (t, place, args = []) => {
  const run = startEnso(t, place, ['--json', ...LOCAL, ...args], { stdin: 'open' })
  await run.waitForJson(({ type }) => type === 'snapshot')
  let requests = 0
  const frames = (): EnsoFollowFrame[] =>
    run
      .stdout()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as EnsoFollowFrame)
  return {
    async operate(name, body = {}) {
      const requestId = `r${++requests}`
      run.send({ type: name, requestId, ...body })
      const reply = await run.waitForJson<Line>((line) => line['type'] === 'reply' && line['requestId'] === requestId)
      return reply as unknown as Answer
    },
    seen: () => observationsIn(frames()),
    when: async (fits) => {
      const line = await run.waitForJson<Line>(
        ({ observation }) => observation !== undefined && fits(observation as Line),
      )
      return line['observation'] as Line
    },
    idle: async (times) => void (await run.waitForLine(() => ends(frames()) >= times)),
    async end() {
      run.endInput()
      await run.ended
    },
  }
}

const overHttp: OpenDoor = async (t, place, args = []) => {
  const serving = await startServing(t, place, [...LOCAL, ...args])
  const followed = await serving.follow('door')
  return {
    async operate(name, body) {
      const looks = LOOKS.has(name)
      const { status, body: said } = await serving.ask(
        looks ? 'GET' : 'POST',
        `/api/threads/door/${name}`,
        looks ? undefined : (body ?? {}),
      )
      if (status < 300) return { ok: true, result: said }
      const { reason, code, step } = said as Line
      return {
        ok: false,
        refusal: { code, reason: step === undefined ? reason : `${String(step)}: ${String(reason)}` },
      }
    },
    seen: () => observationsIn(followed.frames),
    when: async (fits) => {
      const frame = await followed.waitFor((one) => one.type === 'observation' && fits(one.observation))
      return (frame as { observation: Line }).observation
    },
    idle: async (times) => void (await followed.waitFor(() => ends(followed.frames) >= times)),
    async end() {
      followed.close()
      serving.process.kill('SIGTERM')
      await serving.process.ended
    },
  }
}

/** Both machine surfaces, by name: what holds for one holds for the other. */
export const DOORS: readonly (readonly [name: string, open: OpenDoor])[] = [
  ['JSON lines', overJson],
  ['HTTP', overHttp],
]
