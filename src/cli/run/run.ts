import { guardingOf } from './guarding.js'
import {
  ENSO_PROTOCOL,
  type EnsoResultLine,
  type LimitHit,
  refusal,
  type EnsoLocalServer,
  type FoundLocalServer,
} from '../../core/index.js'
import { plural } from '../../core/plural.js'
import type { OperationOutcome } from '../../thread/operation.js'
import type { CliIo } from '../io.js'
import type { CliParts } from '../parts.js'
import type { ThreadsRequest } from '../threads-request.js'
import { laterAnswers } from './answers.js'
import { createDialogLedger } from './dialog-policy.js'
import { createGate } from './gate.js'
import { createTimeWatch } from './limits.js'
import { nothingRan } from './nothing-ran.js'
import { createRunBook } from './run-book.js'
import type { RequestSource, RunDoor } from './run-door.js'
import { createRunEnding, type RunEnding } from './run-ending.js'
import { readRunInputs, type RunInputs } from './run-inputs.js'
import { createRunLink, type RunLink } from './run-link.js'
import type { RunOptions } from './run-options.js'
import { isOneShot, noPrompt, readPrompt, stdinRole } from './run-prompt.js'
import { composeResult, type EarlyEnd, endedRun, isRun } from './run-result.js'
import { chooseThread, inFolder, workingFolder } from './run-thread.js'
import type { ChosenThread } from './chosen-thread.js'
import type { RunThreads } from './run-threads.js'
import type { RunVoice } from './run-voice.js'
import { within } from './within.js'

/** How long a Stop waits for the run to come to rest, in milliseconds. */
const STOP_MS = 5000
/** How long the threads may take to close, in milliseconds. */
const CLOSE_MS = 5000

/** One process's work on one thread. */
export interface Run {
  readonly ending: RunEnding
  /** From the options to a thread at rest. Never rejects. */
  go(): Promise<void>
  /** Ctrl-C; @returns whether whoever puts the requests deals with it, so that the process goes on */
  interrupt(): boolean
  /** The result as things stand. */
  result(): EnsoResultLine
}

/** What a run is made of. `given` puts requests instead of the voice's own source. */
export interface RunWorld {
  readonly options: RunOptions
  readonly io: CliIo
  readonly parts: CliParts
  readonly voice: RunVoice
  readonly given: RequestSource | undefined
}

/** A run that has not begun. */
export function createRun({ options, io, parts, voice, given }: RunWorld): Run {
  const { surface } = voice
  const startedAt = io.clock.now()
  const ending = createRunEnding(parts.home.logsDir)
  const atRest = createGate()
  const stopped = createGate()
  const linked = createGate()
  let begun = false
  let requested = false
  let inputs: RunInputs = {}
  let chosen: ChosenThread | undefined
  let threads: RunThreads | undefined
  let link: RunLink | undefined
  let finishing = isOneShot(options)

  const ledger = createDialogLedger({
    channel: voice.channel,
    channelOpen: voice.channelOpen,
    neverAsk: options.autoCancelDialogs,
    rules: laterAnswers(() => inputs.answers),
    timeoutMs: options.dialogTimeoutMs,
    note: surface.note,
  })
  const watch = createTimeWatch({ timeoutMs: options.timeoutMs, idleMs: options.idleTimeoutMs }, io.clock, timeIsUp)
  const book = createRunBook({
    now: io.clock.now,
    stopReason: () => link?.hosted()?.lastStopReason(),
    structured: () => link?.hosted()?.structured?.(),
    dialogsBlocked: ledger.blocked,
    canAsk: ledger.policy.canAsk,
    onBegin: watch.begin,
    onEnd: (record) => {
      watch.end()
      if (!finishing && isRun(record)) surface.runEnded?.(endedRun(record))
      if (ending.isCalled()) stopped.open()
    },
    onStir: watch.stirred,
    // Not at once: a prompt that waited may begin the next run in the same turn.
    onQuiet: () => void setImmediate(quiet),
  })
  const source = given ?? voice.source(ledger, book.openDialogs)

  function quiet(): void {
    if (!begun || !book.isQuiet()) return
    watch.end()
    if (finishing) atRest.open()
    else source?.idle?.()
  }

  function timeIsUp(hit: LimitHit): void {
    if (isOneShot(options) || !book.isBusy() || !link) return ending.limit(hit)
    // A run of several: the process goes on, unless the run can't be stopped.
    book.limited(hit)
    link.stop().catch(ending.fail)
    io.clock.after(STOP_MS, () => {
      if (book.isLimited(hit)) ending.limit(hit)
    })
  }

  async function cleanUpAfterOthers(): Promise<void> {
    const stale = await parts.runProcess?.reapStale()
    if (!stale) return
    const { ended, left } = stale
    if (ended > 0) surface.note(`ended ${plural(ended, 'process', 'processes')} that a killed run had left`)
    if (left.length > 0) surface.note(`a killed run has left processes that can't be ended: ${left.join(', ')}`)
  }

  async function offerLocalModel(servers: readonly FoundLocalServer[]): Promise<EnsoLocalServer | undefined> {
    const closed = new AbortController()
    void ending.called.then(() => closed.abort())
    const asked = await voice.chooseLocalServer?.(servers, closed.signal)
    if (asked?.kind === 'stop') ending.stop('SIGINT')
    return asked?.kind === 'value' ? asked.value : undefined
  }

  function openThreads(thread: ChosenThread, folder: string): Promise<RunThreads> {
    const request: ThreadsRequest = {
      cwd: thread.cwd,
      ...guardingOf(options, folder, io),
      ...(options.script === undefined ? {} : { script: inFolder(options.script, folder, io) }),
      ...(options.record === undefined ? {} : { record: inFolder(options.record, folder, io) }),
      openRequest: () =>
        Promise.resolve({
          ...thread.request,
          dialogs: ledger.policy,
          onLimit: book.limited,
          ...(voice.converses === true ? { allowNoModel: true } : {}),
          ...(inputs.outputSchema === undefined ? {} : { outputSchema: inputs.outputSchema }),
        }),
      ...(voice.chooseLocalServer === undefined ? {} : { offerLocalModel }),
      lock: !options.ephemeral,
      takeOver: options.takeOver,
      clock: io.clock,
    }
    return parts.remote?.threads(request, ending.fail, options.autoCancelDialogs) ?? parts.threads(request)
  }

  async function work(): Promise<void> {
    const folder = workingFolder(options.cwd, io)
    chosen = await (parts.remote?.choose(options) ?? chooseThread(options, io, parts, folder))
    const { threadId, cwd } = chosen
    surface.hello({ type: 'hello', protocol: ENSO_PROTOCOL, enso: parts.version, threadId, cwd })
    for (const note of chosen.notes) surface.note(note)
    // Before the thread is opened: whether somebody can answer is a part of how it is opened.
    source?.open(createDoor(threadId))
    await cleanUpAfterOthers()
    inputs = await readRunInputs(options, folder, io)
    const role = stdinRole(options, io.stdin.isTTY === true, given !== undefined)
    const stopReading = new AbortController()
    void ending.called.then(() => stopReading.abort())
    const prompt = await readPrompt({ options, io, cwd: folder, role, signal: stopReading.signal, note: surface.note })
    if (ending.isCalled()) return
    if (prompt === undefined && source === undefined) throw noPrompt()
    finishing ||= source === undefined
    threads = await openThreads(chosen, folder)
    link = createRunLink({ threads, threadId, surface, book, ending, onPrompt: watch.asked })
    await link.follow()
    const first = prompt === undefined ? undefined : link.putFirst(prompt, options.output === 'json-lines')
    linked.open()
    await first
    begun = true
    if (finishing) quiet()
    await atRest.opened
  }

  /** What is asked before there is a thread to ask waits for it, behind the prompt of the command line. */
  async function operate(name: string, body: unknown): Promise<OperationOutcome> {
    requested = true
    const answered = book.asking()
    await Promise.race([linked.opened, ending.called])
    try {
      if (link) return await link.put(name, body)
      return { ok: false, refusal: refusal('refused', 'the run is ending') }
    } finally {
      answered()
    }
  }

  function createDoor(threadId: string): RunDoor {
    return {
      threadId,
      linked: linked.opened,
      operate,
      isQuiet: book.isQuiet,
      stop: ending.stop,
      finish() {
        finishing = true
        setImmediate(quiet)
      },
    }
  }

  async function stopWhatGoes(): Promise<void> {
    if (!link || (parts.remote !== undefined && isLeaving(ending.causes()))) return
    const over = link.stop().then(() => (book.isBusy() ? stopped.opened : undefined))
    await within(io.clock, STOP_MS, over)
  }

  /** Requests that came to nothing are no success; a reader of a server's thread asks for nothing. */
  function endWithoutRun(): void {
    if (ending.isCalled() || isOneShot(options) || options.output !== 'json-lines' || parts.remote) return
    if (book.records().some(isRun)) return
    const fault = nothingRan(link?.lastRefused(), requested)
    if (fault !== undefined) ending.fail(fault)
  }

  function result(): EnsoResultLine {
    return composeResult({
      threadId: chosen?.threadId,
      records: book.records(),
      end: ending.causes(),
      dialogs: ledger.counts(),
      restored: link?.restored() ?? [],
      durationMs: io.clock.now() - startedAt,
    })
  }

  /** A file with half an answer in it would be taken for one: only what is done is written. */
  function keepAnswer(): void {
    const { answerFile } = inputs
    if (answerFile === undefined || ending.isCalled()) return
    const line = result()
    try {
      if (line.outcome === 'done') answerFile.write(line)
      else surface.note(`${options.outputFile} was not written: the run ended as ${line.outcome}`)
    } catch (error) {
      ending.fail(error)
    }
  }

  return {
    ending,
    async go() {
      await Promise.race([work().catch(ending.fail), ending.called])
      source?.close()
      watch.end()
      if (ending.isCalled()) await stopWhatGoes()
      else endWithoutRun()
      if (threads) await within(io.clock, CLOSE_MS, threads.close())
      keepAnswer()
    },
    interrupt: () => source?.interrupt?.() ?? false,
    result,
  }
}

/** A terminal that closes, or a supervisor, ends this process; a run in a server goes on without it. */
function isLeaving({ aborted, fault, failed }: EarlyEnd): boolean {
  return aborted === 'SIGHUP' || aborted === 'SIGTERM' || fault !== undefined || failed !== undefined
}
