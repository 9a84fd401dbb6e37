import {
  at,
  distinct,
  field,
  items,
  postJson,
  text,
  type ModelDoor,
  type SearchAnswer,
  type SearchBackend,
} from './backend.js'

const INSTRUCTION = 'Search the web and answer briefly, naming what you found where: '
const MAX_OUTPUT_TOKENS = 2048
const MAX_SEARCHES = 3

type Ask = (door: ModelDoor, query: string, signal: AbortSignal) => Promise<SearchAnswer>

/** The wires whose own search tool is known. A model on another wire can't search by itself. */
const WIRES: Readonly<Record<string, Ask>> = {
  'anthropic-messages': askAnthropic,
  'openai-responses': askOpenAi,
  'google-generative-ai': askGoogle,
}

/** Is this a wire whose own search is known? */
export function hasNativeSearch(api: string): boolean {
  return Object.hasOwn(WIRES, api)
}

/** The search of the model's own provider, or `undefined` where its wire has none. */
export function nativeBackend(door: ModelDoor): SearchBackend | undefined {
  const ask = hasNativeSearch(door.api) ? WIRES[door.api] : undefined
  if (ask === undefined) return undefined
  return { name: `${door.provider}/${door.id}`, search: (query, signal) => ask(door, query, signal) }
}

/** What a request says of who sends it. A subscription's token is taken only with the name the library uses for it. */
function anthropicSender({ apiKey }: ModelDoor): { headers: Record<string, string>; system?: string } {
  if (!apiKey.includes('sk-ant-oat')) return { headers: { 'x-api-key': apiKey } }
  return {
    headers: { authorization: `Bearer ${apiKey}`, 'anthropic-beta': 'claude-code-20250219,oauth-2025-04-20' },
    system: "You are Claude Code, Anthropic's official CLI for Claude.",
  }
}

async function askAnthropic(door: ModelDoor, query: string, signal: AbortSignal): Promise<SearchAnswer> {
  const { headers, system } = anthropicSender(door)
  const reply = await postJson(
    at(door.baseUrl, '/v1/messages'),
    { 'anthropic-version': '2023-06-01', ...headers, ...door.headers },
    {
      model: door.id,
      ...(system === undefined ? {} : { system }),
      max_tokens: MAX_OUTPUT_TOKENS,
      tools: [{ type: 'web_search_20250305', name: 'web_search', max_uses: MAX_SEARCHES }],
      messages: [{ role: 'user', content: INSTRUCTION + query }],
    },
    signal,
  )
  const blocks = items(field(reply, 'content'))
  const results = blocks
    .filter((block) => field(block, 'type') === 'web_search_tool_result')
    .flatMap((block) => items(field(block, 'content')))
  const refused = blocks.map((block) => text(field(block, 'content', 'error_code'))).find((code) => code !== '')
  if (results.length === 0 && refused !== undefined) throw new Error(`its search answered ${refused}`)
  const cited = blocks.flatMap((block) => items(field(block, 'citations')))
  return {
    text: blocks.map((block) => (field(block, 'type') === 'text' ? text(field(block, 'text')) : '')).join(''),
    sources: distinct([...cited, ...results].map(sourceOf)),
    ...spent(field(reply, 'usage', 'input_tokens'), field(reply, 'usage', 'output_tokens')),
  }
}

async function askOpenAi(door: ModelDoor, query: string, signal: AbortSignal): Promise<SearchAnswer> {
  const reply = await postJson(
    at(door.baseUrl, '/responses'),
    { authorization: `Bearer ${door.apiKey}`, ...door.headers },
    {
      model: door.id,
      tools: [{ type: 'web_search' }],
      input: INSTRUCTION + query,
      max_output_tokens: MAX_OUTPUT_TOKENS,
      store: false,
    },
    signal,
  )
  const parts = items(field(reply, 'output'))
    .filter((item) => field(item, 'type') === 'message')
    .flatMap((item) => items(field(item, 'content')))
  return {
    text: parts.map((part) => text(field(part, 'text'))).join(''),
    sources: distinct(parts.flatMap((part) => items(field(part, 'annotations'))).map(sourceOf)),
    ...spent(field(reply, 'usage', 'input_tokens'), field(reply, 'usage', 'output_tokens')),
  }
}

async function askGoogle(door: ModelDoor, query: string, signal: AbortSignal): Promise<SearchAnswer> {
  const reply = await postJson(
    at(door.baseUrl, `/models/${encodeURIComponent(door.id)}:generateContent`),
    { 'x-goog-api-key': door.apiKey, ...door.headers },
    {
      contents: [{ role: 'user', parts: [{ text: INSTRUCTION + query }] }],
      tools: [{ google_search: {} }],
      generationConfig: { maxOutputTokens: MAX_OUTPUT_TOKENS },
    },
    signal,
  )
  const candidate = items(field(reply, 'candidates'))[0]
  const chunks = items(field(candidate, 'groundingMetadata', 'groundingChunks'))
  return {
    text: items(field(candidate, 'content', 'parts'))
      .map((part) => text(field(part, 'text')))
      .join(''),
    sources: distinct(
      chunks.map((chunk) => ({ title: text(field(chunk, 'web', 'title')), url: text(field(chunk, 'web', 'uri')) })),
    ),
    ...spent(field(reply, 'usageMetadata', 'promptTokenCount'), field(reply, 'usageMetadata', 'candidatesTokenCount')),
  }
}

/** What a search took, where the wire says both. */
function spent(input: unknown, output: unknown): Pick<SearchAnswer, 'usage'> {
  return isCount(input) && isCount(output) ? { usage: { input, output } } : {}
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function sourceOf(value: unknown): { title: string; url: string } {
  return { title: text(field(value, 'title')), url: text(field(value, 'url')) }
}
