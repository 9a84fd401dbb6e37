import { dirname, resolve } from 'node:path'
import {
  DefaultResourceLoader,
  SessionManager,
  SettingsManager,
  createAgentSession,
} from '@mariozechner/pi-coding-agent'
import type {
  AgentSession,
  ExtensionFactory,
  ModelRegistry,
  SessionEntry,
  SessionHeader,
} from '@mariozechner/pi-coding-agent'
import { EnsoError } from '../../core/index.js'
import type { HostCredentials, OpenThreadRequest } from '../../core/index.js'
import { mkdirPrivate } from '../../system/private-files.js'
import type { Bounds } from '../runs/bounds.js'
import {
  chooseModel,
  isPlaceholder,
  modelName,
  requireCredentials,
  requireThinkingLevel,
} from '../models/model-choice.js'
import { instructionFiles } from './instruction-files.js'
import { resourcePaths } from './resource-paths.js'
import { mendParents } from './decode-entries.js'
import { countLines } from './read-json-lines.js'
import { readEntryLines } from './read-session.js'
import { forkSessionFile, readSessionHeader, repairTail, SESSION_VERSION } from './session-file.js'
import { createSettingsStorage } from './settings-storage.js'
import { sessionOver } from '../pi-internals.js'
import { SCRIPT_PROVIDER } from '../scripts/script-provider.js'
import type { ScriptRecorder } from '../scripts/script-recorder.js'
import type { ThreadParts } from '../thread-parts.js'
import { withholdTools } from '../tools/withheld-tools.js'
import { writeThrough } from './write-through.js'

/** The library's own tools beside the four it switches on by itself. */
const MORE_TOOLS = ['grep', 'find', 'ls'] as const

/** What every thread of the process shares. */
export interface SharedServices {
  readonly agentDir: string
  /** One for all: a refresh of one registry would take the stream providers of every other. */
  readonly modelRegistry: ModelRegistry
  readonly credentials: HostCredentials
  readonly bounds: Bounds
  readonly recorder?: ScriptRecorder
}

/** A session, its extensions loaded but not yet told of its start. */
export interface BuiltSession {
  readonly session: AgentSession
  /** Extension files that could not be loaded. */
  readonly loadErrors: readonly { readonly path: string; readonly error: string }[]
  readonly notes: readonly string[]
}

/** The stored or new session of a request; a stored file is repaired first, and never opened when it is no session. */
export async function openSessionManager(request: OpenThreadRequest, notes: string[]): Promise<SessionManager> {
  const { session, threadId, cwd } = request
  if (session.kind === 'ephemeral') {
    const manager = SessionManager.inMemory(cwd)
    manager.newSession({ id: threadId })
    return manager
  }
  if (session.kind === 'new') {
    mkdirPrivate(session.dir)
    const manager = SessionManager.create(cwd, session.dir)
    manager.newSession({ id: threadId })
    return manager
  }
  const file = session.kind === 'fork' ? await forkSessionFile(session.file, session.dir, threadId, cwd) : session.file
  // Opened without a header the library would empty it.
  const header = await readSessionHeader(file)
  if (header.version > SESSION_VERSION) {
    throw new EnsoError('thread-unreadable', `the thread was written in a newer format (${header.version}): ${file}`)
  }
  request.beforeAppend?.()
  const repair = repairTail(file)
  if (repair?.kind === 'cut') notes.push(`a torn last line of ${repair.bytes} bytes was cut off the thread's file`)
  const { manager, skipped } =
    header.version === SESSION_VERSION ? await openCurrent(file, cwd) : await openOlder(file, cwd)
  mendParents(manager.getEntries())
  if (skipped > 0) notes.push(`${skipped} unreadable line${skipped === 1 ? '' : 's'} of the thread's file left out`)
  return manager
}

interface OpenedFile {
  readonly manager: SessionManager
  /** Lines that are no entries. */
  readonly skipped: number
}

/** A file of today's format, read once. */
async function openCurrent(file: string, cwd: string): Promise<OpenedFile> {
  const { lines, skipped } = await readEntryLines(file)
  const [header, ...entries] = lines as unknown as [SessionHeader, ...SessionEntry[]]
  return { manager: sessionOver(resolve(file), dirname(file), cwd, header, entries), skipped }
}

/** A file of an older format: the library rewrites it. */
async function openOlder(file: string, cwd: string): Promise<OpenedFile> {
  const manager = SessionManager.open(file, dirname(file), cwd)
  return { manager, skipped: (await countLines(file)) - manager.getEntries().length - 1 }
}

async function loadResources(
  request: OpenThreadRequest,
  shared: SharedServices,
  settingsManager: SettingsManager,
  factories: readonly ExtensionFactory[],
  notes: string[],
): Promise<DefaultResourceLoader> {
  const { cwd } = request
  const paths = resourcePaths({
    agentDir: shared.agentDir,
    cwd,
    extensionPaths: request.extensionPaths ?? [],
    trustProject: request.trustProject === true,
  })
  const loader = new DefaultResourceLoader({
    cwd,
    agentDir: shared.agentDir,
    settingsManager,
    noExtensions: true,
    noSkills: true,
    noPromptTemplates: true,
    noThemes: true,
    noContextFiles: true,
    agentsFilesOverride: () => ({
      agentsFiles: instructionFiles({ cwd, agentDir: shared.agentDir }, (text) => notes.push(text)),
    }),
    additionalExtensionPaths: [...paths.extensions],
    additionalSkillPaths: [...paths.skills],
    additionalPromptTemplatePaths: [...paths.promptTemplates],
    extensionFactories: [...factories],
    ...(paths.systemPrompt === undefined ? {} : { systemPrompt: paths.systemPrompt }),
    // Without an own one the library would take whatever the project keeps.
    systemPromptOverride: (found) => (paths.systemPrompt === undefined ? undefined : found),
    appendSystemPrompt: [...paths.appendSystemPrompt],
    appendSystemPromptOverride: (texts) =>
      request.appendSystemPrompt === undefined ? texts : [...texts, request.appendSystemPrompt],
  })
  await loader.reload()
  return loader
}

type StoredContext = ReturnType<SessionManager['buildSessionContext']>

/** A stored thread goes on with its own model; one that was named at its opening is its model from there on. */
function recordChoice(session: AgentSession, before: StoredContext): void {
  const { model, sessionManager } = session
  if (before.messages.length === 0 || !model) return
  if (before.model?.provider !== model.provider || before.model.modelId !== model.id) {
    sessionManager.appendModelChange(model.provider, model.id)
  }
  if (before.thinkingLevel !== session.thinkingLevel) {
    sessionManager.appendThinkingLevelChange(session.thinkingLevel)
  }
}

/** A limit of money holds nothing where replies cost nothing; a script's replies say themselves what they cost. */
function priceNotes(model: AgentSession['model']): string[] {
  if (model === undefined || model.provider === SCRIPT_PROVIDER) return []
  const { input, output } = model.cost
  return input > 0 || output > 0 ? [] : [`no price is known of ${modelName(model)}: its cost can't be limited`]
}

export interface SessionFactoryDeps {
  readonly request: OpenThreadRequest
  readonly shared: SharedServices
  readonly parts: ThreadParts
  /** An extension of the host's own, before every other inline one. */
  readonly observer: ExtensionFactory
  /** Called with the session manager before anything is appended to it. */
  prepared(manager: SessionManager): void
  readonly storageFailed: (error: EnsoError) => void
}

/**
 * Builds the agent session of one thread, with the library's own discovery off.
 * @throws EnsoError as `AgentHost.openThread` says
 */
export async function buildSession(deps: SessionFactoryDeps): Promise<BuiltSession> {
  const { request, shared, parts } = deps
  const { modelRegistry } = shared
  const configError = modelRegistry.getError()
  if (configError !== undefined) throw new EnsoError('bad-config', configError)

  const chosen = request.model === undefined ? undefined : chooseModel(modelRegistry, request.model)
  const level = request.thinking ?? chosen?.thinking
  const notes: string[] = []
  const settingsManager = SettingsManager.fromStorage(createSettingsStorage(shared.agentDir))
  const factories = [deps.observer, ...parts.extensions]
  const loader = await loadResources(request, shared, settingsManager, factories, notes)
  const manager = await openSessionManager(request, notes)
  writeThrough(manager, { beforeAppend: request.beforeAppend, failed: deps.storageFailed })
  deps.prepared(manager)
  const before = manager.buildSessionContext()

  const { session, modelFallbackMessage } = await createAgentSession({
    cwd: request.cwd,
    agentDir: shared.agentDir,
    authStorage: modelRegistry.authStorage,
    modelRegistry,
    settingsManager,
    resourceLoader: loader,
    sessionManager: manager,
    customTools: [...parts.customTools],
    ...(chosen ? { model: chosen.model } : {}),
    ...(chosen && level !== undefined ? { thinkingLevel: requireThinkingLevel(chosen.model, level) } : {}),
  })
  if (parts.isWithheld) withholdTools(session, parts.isWithheld)
  if (request.allowNoModel !== true) requireCredentials(modelRegistry, session.model)
  if (!chosen && level !== undefined && session.model) {
    session.setThinkingLevel(requireThinkingLevel(session.model, level))
  }
  if (modelFallbackMessage !== undefined && !isPlaceholder(session.model)) notes.push(modelFallbackMessage)
  if (chosen) recordChoice(session, before)
  if (request.limits?.maxCost !== undefined) notes.push(...priceNotes(session.model))
  // Ours of the same name are active already, and a request may name each tool once only.
  session.setActiveToolsByName([...new Set([...session.getActiveToolNames(), ...MORE_TOOLS])])
  return { session, loadErrors: loader.getExtensions().errors, notes }
}
