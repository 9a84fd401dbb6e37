import { existsSync } from 'node:fs'
import { cp, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RUN_FLAGS } from '../args/run-flags.js'
import { parseRunOptions } from '../args/run-options.js'
import type { FlagSpec } from '../args/flag.js'
import { refuseUsage } from '../faults.js'
import type { RunOptions } from '../run/run-options.js'
import type { CliCommand } from './command.js'

/** What the demo asks of the scripted model. */
const DEMO_PROMPT = 'The tests of this project fail. Find out why, and fix it.'

const OUTPUT_FLAGS = pick('json', 'output-format', 'quiet', 'color', 'log-level')
const QUESTION_FLAGS = pick('auto-cancel-dialogs', 'dialog-timeout', 'answers')
const OWN_FLAGS: readonly FlagSpec[] = [{ name: 'keep', help: 'leave the copy of the project where it is' }]

/** `enso demo`: a scripted thread in a copy of a small broken project. No model, no key, no network. */
export const demoCommand: CliCommand = {
  name: 'demo',
  usage: ['demo [flags]'],
  about:
    'Plays a scripted thread in a temporary copy of a small broken project: the tools, the tests and the question are ' +
    'real, only the model is a script. Without a terminal the shipped answers file answers the question.',
  flags: [
    { title: 'Demo', flags: OWN_FLAGS },
    { title: 'Output', flags: OUTPUT_FLAGS },
    { title: 'Questions', flags: QUESTION_FLAGS },
  ],
  examples: [
    ['enso demo', 'watch a thread, and answer its question'],
    ['enso demo --json </dev/null', 'the same as JSON lines, answered by the shipped answers'],
    ['enso demo --auto-cancel-dialogs', 'what a run does when nobody may be asked (exit 3)'],
  ],
  run: async ({ line, argv, io, parts }) => {
    const parsed = parseRunOptions(line, argv, io.cwd)
    if (!parsed.ok) return refuseUsage(io, argv, parsed.refusal)
    if (parsed.value.options.prompt !== undefined || parsed.value.options.promptFromStdin) {
      return refuseUsage(io, argv, { reason: 'the demo takes no prompt', hint: 'enso PROMPT runs your own' })
    }
    const shipped = shippedDemo()
    const copy = await realpath(await mkdtemp(join(parts.home.tmpDir, 'enso-demo-')))
    try {
      await cp(join(shipped, 'project'), copy, { recursive: true })
      const options = await demoOptions(parsed.value.options, shipped, copy)
      if (options.output === 'text' && !options.quiet) {
        io.stderr.write(`demo: a scripted model in a copy of a small project, ${copy}\n`)
      }
      const { runThread } = await import('../run/run-command.js')
      return await runThread(options, io, parts)
    } finally {
      if (!line.has('keep')) await rm(copy, { recursive: true, force: true })
    }
  },
}

/** A run like any other: what the person chose about output and questions, and the demo's own prompt, script, place. */
async function demoOptions(chosen: RunOptions, shipped: string, copy: string): Promise<RunOptions> {
  const script = join(shipped, 'script.json')
  const { name } = JSON.parse(await readFile(script, 'utf8')) as { name: string }
  return {
    ...chosen,
    prompt: DEMO_PROMPT,
    cwd: copy,
    thread: { kind: 'new' },
    ephemeral: true,
    script,
    model: `script/${name}`,
    // The mode in which edits and a project's own tests need no question: the demo's one question is the model's.
    permissionMode: 'auto',
    answersFile: chosen.answersFile ?? (chosen.autoCancelDialogs ? undefined : join(shipped, 'answers.json')),
  }
}

function pick(...names: readonly string[]): readonly FlagSpec[] {
  return RUN_FLAGS.filter((flag) => names.includes(flag.name))
}

/** The shipped `demo` folder, above wherever this code runs from: the sources or the bundle. */
function shippedDemo(): string {
  let dir = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(dir, 'demo', 'script.json'))) {
    if (dir === dirname(dir)) throw new Error('the demo folder is missing from this installation')
    dir = dirname(dir)
  }
  return join(dir, 'demo')
}
