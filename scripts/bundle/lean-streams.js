// Takes the providers of the agent library to enso's way of letting a reply's content grow, and its events past what is
// done for each of them though hardly anybody wants it.
import { join } from 'node:path'
import { applyEdits } from './edits.js'

const BLOCKS = 'enso:streamed-blocks'
const EVENTS = 'enso:sse-events'
const IMPORT = /** @type {const} */ ([/^/, `import { grownText, streamArguments } from '${BLOCKS}'\n`])

/** @type {readonly [RegExp, string]} */
const TEXT = [/\b(\w+)\.(text|thinking) \+= ([\w.]+);/g, '$1.$2 = grownText($1, $1.$2, $3);']
/** @type {readonly [RegExp, string]} */
const ARGUMENTS = [
  /\b(\w+)\.arguments = parseStreamingJson\(\1\.(\w+)\);(?=\s+(?:\}\s+)?stream\.push\(\{\s*type: "toolcall_delta")/,
  'streamArguments($1, $1.$2, parseStreamingJson);',
]

/** @param {string} name @param {readonly (readonly [string | RegExp, string])[]} replace @returns {import('./edits.js').Edit} */
const provider = (name, ...replace) => ({
  file: new RegExp(`pi-ai/dist/providers/${name}\\.js$`),
  why: 'each piece of a reply cost memory until its end, and each piece of a call its parsing from the beginning',
  replace: [IMPORT, ...replace],
})

/** @type {readonly (readonly [string | RegExp, string])[]} */
const READ_AT_ONCE = [
  [/^/, `import { createSseReader } from '${EVENTS}'\n`],
  ['for await (const sse of iterateSseMessages(', 'for await (const batch of iterateSseMessages('],
  [/(?<=of iterateSseMessages\(response\.body, signal\)\)) \{/, ' for (const sse of batch) {'],
  [
    /let buffer = "";\s+try \{[\s\S]*?\n {4}\}\n(?= {4}finally)/,
    `const events = createSseReader();
    try {
        while (true) {
            if (signal?.aborted) {
                throw new Error("Request was aborted");
            }
            const { value, done } = await reader.read();
            if (done)
                break;
            yield events.push(value);
        }
        const { complete, rest } = events.end();
        yield rest ? [...complete, rest] : complete;
    }
`,
  ],
]

/** @type {readonly import('./edits.js').Edit[]} */
const EDITS = [
  ...['openai-completions', 'openai-responses-shared', 'mistral', 'amazon-bedrock'].map((name) =>
    provider(name, TEXT, ARGUMENTS),
  ),
  provider('anthropic', TEXT, ARGUMENTS, ...READ_AT_ONCE),
  {
    file: /pi-ai\/dist\/utils\/event-stream\.js$/,
    why: 'an asynchronous generator takes three promises for an event',
    replace: [
      [
        /async \*\[Symbol\.asyncIterator\]\(\) \{[\s\S]*?\n    \}\n/,
        `[Symbol.asyncIterator]() {
        let left = false;
        const over = () => Promise.resolve({ value: undefined, done: true });
        return {
            [Symbol.asyncIterator]() { return this; },
            next: () => {
                if (left) return over();
                if (this.queue.length > 0) return Promise.resolve({ value: this.queue.shift(), done: false });
                return this.done ? over() : new Promise((resolve) => this.waiting.push(resolve));
            },
            return: () => {
                left = true;
                return over();
            },
        };
    }
`,
      ],
    ],
  },
  {
    file: /pi-agent-core\/dist\/agent\.js$/,
    why: 'a listener that answers at once was waited for',
    replace: [
      [
        'await listener(event, signal);',
        'const told = listener(event, signal);\n            if (told !== undefined)\n                await told;',
      ],
    ],
  },
  {
    file: /pi-coding-agent\/dist\/core\/agent-session\.js$/,
    why: 'each delta was handed to extensions, though hardly one listens to them',
    replace: [
      [
        /(?<=async _processAgentEvent\(event\) \{[\s\S]*?)await this\._emitExtensionEvent\(event\);/,
        'if (event.type !== "message_update" || this._extensionRunner.hasHandlers("message_update"))\n            await this._emitExtensionEvent(event);',
      ],
      [
        'this._agentEventQueue.then(() => this._processAgentEvent(event), () => this._processAgentEvent(event));',
        '(() => { const handle = () => this._processAgentEvent(event); return this._agentEventQueue.then(handle, handle); })();',
      ],
    ],
  },
  // Their calls come whole.
  ...['google', 'google-vertex'].map((name) => provider(name, TEXT)),
]

/** @param {string} root the project's @returns {import('esbuild').Plugin} */
export function leanStreams(root) {
  return {
    name: 'lean-streams',
    setup(build) {
      for (const [module, file] of [
        [BLOCKS, 'streamed-blocks.ts'],
        [EVENTS, 'fetch/sse-events.ts'],
      ]) {
        build.onResolve({ filter: new RegExp(`^${module}$`) }, () => ({ path: join(root, `src/host/models/${file}`) }))
      }
      applyEdits(build, EDITS)
    },
  }
}
