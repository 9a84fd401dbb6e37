// Other agents' command lines, where they are installed, each told of the one endpoint in its own way.
import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** @param {string} name */
function installed(name) {
  return (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/**
 * @param {string} url the endpoint, which speaks the chat completions and the messages wire
 * @param {string} home where they may keep what they want
 * @returns {import('./subjects.js').Subject[]}
 */
export function otherAgents(url, home) {
  const opencode = join(home, '.config/opencode')
  mkdirSync(opencode, { recursive: true })
  const provider = {
    npm: '@ai-sdk/openai-compatible',
    options: { baseURL: `${url}/v1`, apiKey: 'x' },
    models: { x: {} },
  }
  writeFileSync(join(opencode, 'opencode.json'), JSON.stringify({ provider: { local: provider } }))
  const local = { name: 'local', base_url: `${url}/v1`, wire_api: 'chat' }
  const codexProvider = Object.entries(local).flatMap(([key, value]) => [
    '-c',
    `model_providers.local.${key}="${value}"`,
  ])
  const ways = {
    codex: ['exec', '--skip-git-repo-check', '-c', 'model_provider="local"', ...codexProvider, '-m', 'x', 'hello'],
    opencode: ['run', '-m', 'local/x', 'hello'],
    claude: ['-p', '--settings', JSON.stringify({ env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: 'x' } }), 'hello'],
  }
  return Object.entries(ways).flatMap(([name, argv]) => {
    const command = installed(name)
    return command === undefined ? [] : [{ name, command, argv, deltas: 1 }]
  })
}
