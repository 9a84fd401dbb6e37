import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type AgentHost,
  ENSO_EXIT_CODES,
  ENSO_PROTOCOL,
  type EnsoDryRun,
  EnsoError,
  type EnsoPromptBody,
  estimateTool,
  foldThreadContext,
  type HostedThread,
  jsonLine,
  type OpenThreadRequest,
  type SessionSource,
  tokensOfChars,
} from '../../core/index.js'
import { resultWithoutRun } from '../faults.js'
import type { CliIo } from '../io.js'
import type { CliParts } from '../parts.js'
import { readAnswersFile } from '../run/answers.js'
import { createGate } from '../run/gate.js'
import { guardingOf } from '../run/guarding.js'
import type { RunOptions } from '../run/run-options.js'
import { isOneShot, readPrompt, stdinRole } from '../run/run-prompt.js'
import { chooseThread, inFolder, workingFolder } from '../run/run-thread.js'
import type { ChosenThread } from '../run/chosen-thread.js'
import { dryRunText } from './dry-run-text.js'

/**
 * What a run would be: its thread, model, mode, tools and first request. Everything is resolved as for a run, only that
 * no model is asked and nothing is stored: a stored thread is looked at in a copy.
 *
 * @throws EnsoError for whatever would keep the run from starting
 */
export async function dryRun(options: RunOptions, io: CliIo, parts: CliParts): Promise<number> {
  const folder = workingFolder(options.cwd, io)
  const chosen = await chooseThread(options, io, parts, folder)
  const note = (text: string): void => void (options.quiet ? undefined : io.stderr.write(`enso: ${text}\n`))
  const prompt = isOneShot(options) ? await promptOf(options, io, folder, note) : undefined
  const canAsk = canAskOf(options, io)
  if (options.output === 'json-lines' && !options.promptFromStdin) await lookForEnd(io)
  const scratch = await mkdtemp(join(parts.home.tmpDir, 'enso-dry-run-'))
  let host: AgentHost | undefined
  let hosted: HostedThread | undefined
  try {
    host = await parts.agentHost({
      cwd: chosen.cwd,
      ...guardingOf(options, folder, io),
      ...(options.script === undefined ? {} : { script: inFolder(options.script, folder, io) }),
    })
    hosted = await host.openThread(await requestOf(options, io, folder, chosen, scratch, canAsk))
    say(options, io, parts, chosen, await found({ hosted, host, chosen, prompt, canAsk }))
    return ENSO_EXIT_CODES.done
  } finally {
    await hosted?.close()
    await host?.dispose()
    await rm(scratch, { recursive: true, force: true })
  }
}

function promptOf(
  options: RunOptions,
  io: CliIo,
  cwd: string,
  note: (text: string) => void,
): Promise<EnsoPromptBody | undefined> {
  const role = stdinRole(options, io.stdin.isTTY === true, false)
  return readPrompt({ options, io, cwd, role, signal: new AbortController().signal, note })
}

/** The same question a run answers: is there somebody, a terminal or a program behind standard input? */
function canAskOf(options: RunOptions, io: CliIo): () => boolean {
  if (options.autoCancelDialogs || options.output === 'json-result') return () => false
  if (options.output === 'text') return () => io.terminal() !== undefined
  if (options.promptFromStdin) return () => false
  const { stdin } = io
  return () => !stdin.readableEnded && !stdin.destroyed
}

/** How long a standard input may take to say that it has ended, in milliseconds. */
const END_MS = 100

/** Only who reads standard input learns that it has ended, as a run does before its thread is opened. */
async function lookForEnd({ stdin, clock }: CliIo): Promise<void> {
  if (stdin.readableEnded || stdin.destroyed) return
  const looked = createGate()
  stdin.once('end', looked.open).once('close', looked.open).once('error', looked.open).resume()
  const cancel = clock.after(END_MS, looked.open)
  await looked.opened
  cancel()
  stdin.pause()
}

async function requestOf(
  options: RunOptions,
  io: CliIo,
  folder: string,
  { request }: ChosenThread,
  scratch: string,
  canAsk: () => boolean,
): Promise<OpenThreadRequest> {
  const { answersFile } = options
  const answers =
    answersFile === undefined ? undefined : await readAnswersFile(inFolder(answersFile, folder, io), answersFile)
  return {
    ...request,
    session: unstored(request.session, scratch),
    dialogs: {
      canAsk,
      ruleFor: () => undefined,
      mayHaveRule: (method, context) => answers?.mayAnswer(method, context) ?? false,
      // What an extension asks at its start is not for now.
      timeoutMs: () => 1,
      ended: () => undefined,
    },
  }
}

function unstored(session: SessionSource, dir: string): SessionSource {
  return session.kind === 'stored' || session.kind === 'fork'
    ? { kind: 'fork', file: session.file, dir }
    : { kind: 'ephemeral' }
}

interface Opened {
  readonly hosted: HostedThread
  readonly host: Pick<AgentHost, 'listModels'>
  readonly chosen: ChosenThread
  readonly prompt: EnsoPromptBody | undefined
  readonly canAsk: () => boolean
}

async function found({ hosted, host, chosen, prompt, canAsk }: Opened): Promise<EnsoDryRun> {
  const outlook = hosted.outlook?.()
  if (outlook === undefined) throw new EnsoError('host-fault', 'the agent library does not say what it would send')
  const { model, thinkingLevel } = hosted.runtime.modelState()
  const tools = outlook.tools.map((tool) => ({ name: tool.name, tokens: estimateTool(tool) }))
  const { branch, ...records } = hosted.records()
  // What earlier requests began with doesn't count: this one begins with what is found now.
  const conversation = branch.filter((record) => record.kind !== 'custom')
  const { threadId } = hosted
  const { next } = foldThreadContext({ threadId, live: true, records: { ...records, branch: conversation } })
  const listed = (await host.listModels()).find(({ provider, id }) => provider === model?.provider && id === model.id)
  return {
    model: model === null ? 'none' : `${model.provider}/${model.id}`,
    thinking: thinkingLevel,
    permissionMode: hosted.runtime.permissionModeState().mode,
    canAsk: canAsk(),
    sandbox: outlook.sandbox.kind === 'on' ? 'on' : outlook.sandbox.reason,
    writeRoots: [...outlook.writeRoots],
    tools,
    context: {
      ...next,
      system: tokensOfChars(outlook.systemPrompt.length),
      tools: tools.reduce((sum, { tokens }) => sum + tokens, 0),
      user: next.user + (prompt === undefined ? 0 : promptTokens(prompt)),
    },
    window: listed?.contextWindow ?? 0,
    notes: [...chosen.notes, ...hosted.notes],
  }
}

function promptTokens({ message, images = [] }: EnsoPromptBody): number {
  return tokensOfChars(message.length + images.length * IMAGE_CHARS)
}

/** An image weighs as much as so many characters, as in every other estimate. */
const IMAGE_CHARS = 4800

function say(options: RunOptions, io: CliIo, parts: CliParts, { threadId, cwd }: ChosenThread, dry: EnsoDryRun): void {
  const { output } = options
  if (output === 'text') return void io.stdout.write(dryRunText(dry, { threadId, cwd }))
  if (output === 'json-lines') {
    io.stdout.write(`${jsonLine({ type: 'hello', protocol: ENSO_PROTOCOL, enso: parts.version, threadId, cwd })}\n`)
  }
  io.stdout.write(`${jsonLine({ ...resultWithoutRun({ outcome: 'done' }), threadId, dryRun: dry })}\n`)
}
