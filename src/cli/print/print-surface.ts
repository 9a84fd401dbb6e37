import {
  type EnsoExtensionUiRequest,
  type EnsoFollowFrame,
  type EnsoModelState,
  type EnsoObservation,
  type EnsoResultLine,
  type EnsoSessionUsage,
  readEnsoGuardDenial,
} from '../../core/index.js'
import type { CliIo } from '../io.js'
import type { RunOptions } from '../run/run-options.js'
import { lastReplyOf } from '../run/last-reply.js'
import type { EndedRun, RunSurface } from '../run/run-surface.js'
import { createActivity } from './activity.js'
import { answerJson } from './answer-json.js'
import { outcomeLines, restoredLines, usageLine } from './ending-lines.js'
import { usableWidth } from './layout.js'
import { foldLines } from './fold-lines.js'
import { createLiveLine } from './live-line.js'
import { modelName, noticeLine, type ObservationLine, observationLine, queueLine, signOf } from './observation-lines.js'
import { createPalette, isColoured, type Palette } from './palette.js'
import { createPrintOutput } from './print-output.js'
import { createReplyText } from './reply-text.js'
import { sanitizeLine } from './sanitize.js'
import { createStartNotices } from './start-notices.js'
import { createToolLines } from './tool-lines.js'

/** What of a run's options shows in its text. */
export type PrintOptions = Pick<RunOptions, 'quiet' | 'color' | 'outputSchema'>

/**
 * The text of a run: the reply on standard output as it streams, everything else on standard error. Where an answer must
 * fit a schema, standard output is for that answer alone.
 */
export interface PrintSurface extends RunSurface {
  /** Keeps all output back while something else draws on the terminal; the returned function lets it out. */
  hold(): () => void
}

function paintOf(palette: Palette, weight: ObservationLine['weight']): (text: string) => string {
  return weight === 'error' ? palette.red : weight === 'warning' ? palette.yellow : palette.dim
}

/** Makes the text surface of one run over a process's streams. */
export function createPrintSurface(
  io: Pick<CliIo, 'stdout' | 'stderr' | 'env' | 'clock'>,
  { quiet, color, outputSchema }: PrintOptions,
): PrintSurface {
  const palette = createPalette(io.stderr, io.env, color)
  const width = (): number => usableWidth(io.stderr)
  const answers = outputSchema !== undefined
  const output = createPrintOutput(io, answers)
  const isRead = color === 'always' || (io.stdout.isTTY === true && isColoured(io.stdout, io.env, color))
  const reply = createReplyText(quiet && answers ? NOWHERE : output, isRead && !answers)
  const folded = (text: string, columns = width()): string =>
    io.stderr.isTTY === true ? foldLines(text, columns) : text
  const say = (lines: string): void => {
    if (!quiet) output.say(lines)
  }
  const tell = (line: ObservationLine | undefined): void => {
    if (line === undefined || (quiet && line.weight !== 'error')) return
    output.say(paintOf(palette, line.weight)(folded(`${signOf(line.weight)} ${line.text}`)))
  }
  const tools = createToolLines({ say, palette, width, fold: folded })
  const notices = createStartNotices(tell)
  const activity = createActivity(io.clock)
  const drawsLive = io.stderr.isTTY === true && io.env['TERM'] !== 'dumb' && !quiet
  const live = drawsLive ? createLiveLine({ output, clock: io.clock, activity, palette, width }) : undefined
  const questions = new Map<string, string>()
  let model: EnsoModelState | undefined
  let mode: string | undefined
  let session: EnsoSessionUsage | undefined
  let waiting = 0
  let following = false
  /** A run whose end was told; said once its last frame has been shown. */
  let endOf: EndedRun | undefined
  let shownUpTo = 0
  let saidEnd: EndedRun | undefined
  /** Why the run that goes on was refused before it began. */
  let rejected: string | undefined

  function modelChanged(state: EnsoModelState): void {
    const changed = model !== undefined && state.model !== null && modelName(model) !== modelName(state)
    if (changed) tell({ weight: 'info', text: `model: ${modelName(state)}` })
    model = state
  }

  function uiRequest(request: EnsoExtensionUiRequest): void {
    if (request.dialog !== undefined) questions.set(request.id, sanitizeLine(request.dialog.title))
    else if (request.method === 'notify') tell(noticeLine(request))
  }

  function observe(observation: EnsoObservation): void {
    notices.before(observation)
    activity.see(observation)
    switch (observation.kind) {
      case 'message-start':
        return observation.role === 'assistant' ? reply.start() : undefined
      case 'text-delta':
        return reply.delta(observation.contentIndex, observation.delta)
      case 'message-end':
        return observation.role === 'assistant' ? reply.end() : undefined
      case 'tool-call':
        return tools.call(observation)
      case 'tool-result':
        return tools.result(observation)
      case 'custom-entry': {
        const denial = readEnsoGuardDenial(observation.customType, observation.data)
        return denial === undefined ? undefined : tools.denied(denial.toolCallId, denial.rule)
      }
      case 'extension-ui-request':
        return notices.hold(observation) ? undefined : uiRequest(observation)
      case 'dialog-settled': {
        const title = questions.get(observation.id)
        questions.delete(observation.id)
        if (title === undefined || observation.outcome === 'answered') return
        return output.say(palette.yellow(`? ${title}: ${observation.outcome}`))
      }
      case 'model':
        return modelChanged(observation)
      case 'prompt-rejected':
        rejected = observation.reason
        return tell(observationLine(observation))
      case 'permission-mode':
        if (mode !== undefined && mode !== observation.mode) tell({ weight: 'info', text: `mode: ${observation.mode}` })
        mode = observation.mode
        return
      case 'session-usage':
        session = observation
        return
      case 'queue': {
        const count = observation.interrupting.length + observation.enqueued.length
        if (count > waiting) tell(queueLine(observation))
        waiting = count
        return
      }
      default:
        return tell(observationLine(observation))
    }
  }

  function take(frame: EnsoFollowFrame): void {
    if (frame.type === 'observation') return observe(frame.observation)
    if (frame.type === 'snapshot') {
      model = frame.model ?? undefined
      mode = frame.permissionMode.mode
      session = frame.usage
      if (frame.interrupted !== undefined) tell({ weight: 'warning', text: INTERRUPTED[frame.interrupted] })
      // A later one comes after a connection that was lost: what was said meanwhile is in it.
      if (following) reply.catchUp(lastReplyOf(frame))
      following = true
    }
    if (frame.busy) live?.start()
    else {
      live?.stop()
      shownUpTo = frame.generation
      sayEnd()
    }
  }

  function sayEnd(): void {
    if (endOf === undefined || endOf.generation > shownUpTo) return
    reply.end()
    // A prompt that was refused before anything ran has said why.
    if (rejected === undefined || endOf.reason !== rejected) {
      saySpent(endOf)
      sayOutcome(endOf)
    }
    rejected = undefined
    saidEnd = endOf
    endOf = undefined
  }

  function saySpent(end: Parameters<typeof usageLine>[0]): void {
    const { input, output: written, cacheRead, cacheWrite } = end.usage
    if (end.turns + input + written + cacheRead + cacheWrite > 0)
      say(palette.dim(folded(usageLine(end, session, model))))
  }

  function sayOutcome(end: Pick<EnsoResultLine, 'outcome' | 'reason' | 'hint'>): void {
    const [why, ...hints] = outcomeLines(end)
    if (why !== undefined) output.say(palette.red(folded(`✗ ${why}`)))
    for (const hint of hints) output.say(folded(hint))
  }

  return {
    hello: () => undefined,
    frame(frame) {
      take(frame)
      return !output.full
    },
    onReady: (callback) => output.onDrain(callback),
    reply(line) {
      if (!line.ok) tell({ weight: 'error', text: sanitizeLine(line.refusal.reason) })
    },
    runEnded(run) {
      endOf = run
      sayEnd()
    },
    note: (text) => tell({ weight: 'info', text: sanitizeLine(text) }),
    async result(line) {
      live?.stop()
      reply.end()
      notices.flush()
      if (line.structured !== undefined) output.answer(answerJson(line.structured))
      saySpent(line)
      for (const text of restoredLines(line.restored)) output.say(palette.yellow(text))
      // What was said at the end of the last run is not said again.
      if (saidEnd?.outcome !== line.outcome || saidEnd.reason !== line.reason) sayOutcome(line)
      await output.finish()
    },
    onClosed(callback) {
      io.stdout.once('close', callback)
    },
    hold: () => output.hold(),
  }
}

/** Replies that nobody reads: not the answer, and nothing that a quiet run says. */
const NOWHERE = { reply: () => undefined, endReplyLine: () => undefined }

const INTERRUPTED = {
  'unanswered-prompt': 'the last prompt of this thread was never answered',
  'tool-call-without-result': 'this thread stopped in the middle of a tool call',
} as const
