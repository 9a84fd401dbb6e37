// The least a program on the agent library can do: one session, one prompt, a line for each text delta.
import {
  AuthStorage,
  createAgentSession,
  DefaultResourceLoader,
  ModelRegistry,
  SessionManager,
  SettingsManager,
} from '@mariozechner/pi-coding-agent'

const cwd = process.cwd()
const agentDir = process.env['PI_CODING_AGENT_DIR'] ?? ''
const authStorage = AuthStorage.inMemory()
const modelRegistry = ModelRegistry.create(authStorage, `${agentDir}/models.json`)
const settingsManager = SettingsManager.inMemory()
const resourceLoader = new DefaultResourceLoader({
  cwd,
  agentDir,
  settingsManager,
  noExtensions: true,
  noSkills: true,
  noPromptTemplates: true,
  noThemes: true,
  noContextFiles: true,
})
await resourceLoader.reload()
const model = modelRegistry.find('local', 'x')
if (!model) throw new Error('models.json names no local/x')
const sessionManager = SessionManager.inMemory(cwd)
const options = { cwd, agentDir, authStorage, modelRegistry, settingsManager, resourceLoader, sessionManager, model }
const { session } = await createAgentSession(options)
session.subscribe((event) => {
  if (event.type !== 'message_update' || event.assistantMessageEvent.type !== 'text_delta') return
  process.stdout.write(`${JSON.stringify({ type: 'text-delta', delta: event.assistantMessageEvent.delta })}\n`)
})
await session.prompt('hello')
session.dispose()
