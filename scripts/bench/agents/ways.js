// How each other agent is told of the one endpoint, in its own way, with nothing left that would go to the network.
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * @typedef {object} Way
 * @property {string} name as it is on the PATH
 * @property {readonly string[]} natives where its package keeps the program, inside a node_modules folder
 * @property {readonly string[]} argv before the prompt, for the reply as text
 * @property {readonly string[]} json before the prompt, for the reply as JSON lines
 * @property {Readonly<Record<string, string>>} env
 * @property {Readonly<Record<string, string>>} files in its home
 */

const KEY = 'x'
const arch = process.arch
const codexTriple = `${arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-musl`

/** @param {string} url the endpoint @returns {readonly Way[]} */
export const waysTo = (url) => [
  {
    name: 'codex',
    natives: [`@openai/codex-linux-${arch}/vendor/${codexTriple}/bin/codex`],
    argv: ['exec', '--ephemeral', '--skip-git-repo-check'],
    json: ['exec', '--json', '--ephemeral', '--skip-git-repo-check'],
    env: { BENCH_KEY: KEY },
    files: {
      '.codex/config.toml': [
        'model = "x"',
        'model_provider = "local"',
        'check_for_update_on_startup = false',
        '[analytics]',
        'enabled = false',
        // They ask after a repository of plugins, at each start.
        '[features]',
        'plugins = false',
        'remote_plugin = false',
        'apps = false',
        '[model_providers.local]',
        'name = "local"',
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        'env_key = "BENCH_KEY"',
        '',
      ].join('\n'),
    },
  },
  {
    name: 'claude',
    natives: [`@anthropic-ai/claude-code-linux-${arch}/claude`],
    argv: ['-p', '--no-session-persistence', '--model', 'x'],
    json: '-p --output-format stream-json --verbose --include-partial-messages --no-session-persistence --model x'.split(
      ' ',
    ),
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_ERROR_REPORTING: '1',
    },
    files: {},
  },
  {
    name: 'opencode',
    natives: [`opencode-linux-${arch}/bin/opencode`],
    argv: ['run', '--pure', '--title', 'bench', '-m', 'local/x'],
    json: ['run', '--format', 'json', '--pure', '--title', 'bench', '-m', 'local/x'],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    },
    files: {
      '.config/opencode/opencode.json': JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        small_model: 'local/x',
        provider: {
          local: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: KEY },
            models: { x: {} },
          },
        },
      }),
      // It installs a package into its configuration at each start.
      '.npmrc': 'offline=true\n',
    },
  },
  {
    name: 'gemini',
    natives: [],
    argv: ['-m', 'gemini-2.5-flash', '--skip-trust', '-p'],
    json: ['-m', 'gemini-2.5-flash', '--skip-trust', '-o', 'stream-json', '-p'],
    env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: KEY, GEMINI_TELEMETRY_ENABLED: 'false' },
    files: {
      '.gemini/settings.json': JSON.stringify({
        general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
        model: { disableLoopDetection: true },
        privacy: { usageStatisticsEnabled: false },
        telemetry: { enabled: false },
        security: { auth: { selectedType: 'gemini-api-key' } },
      }),
    },
  },
]

/** @param {Way} way @param {string} home */
export function prepare(way, home) {
  for (const [path, content] of Object.entries(way.files)) {
    const file = join(home, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
}
