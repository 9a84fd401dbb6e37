import { closestWord, jsonLine } from '../../core/index.js'
import { canonicalPath } from '../../system/project-id.js'
import { expandHome } from '../../system/home.js'
import type { UsageRefusal } from '../args/flag.js'
import { RUN_FLAGS } from '../args/run-flags.js'
import { readUserConfig } from '../config/config-files.js'
import { changeSetting, valueOfWords } from '../config/document.js'
import { configReport, type EnsoConfigReport } from '../config/effective.js'
import { environmentValue, withEnvironment } from '../config/environment.js'
import { configText, settingText } from '../config/report-text.js'
import { SETTINGS, settingNamed } from '../config/settings.js'
import { refuseUsage } from '../faults.js'
import { sanitizeLine } from '../print/sanitize.js'
import { outputStyle } from '../threads/subcommand.js'
import type { CliCommand, Invocation } from './command.js'

/** The words after `config`, for completion and for a slip of the finger. */
export const CONFIG_WORDS = ['get', 'set', 'unset', 'edit', 'path'] as const

/** Flags of a run that also decide a setting: shown as if a run had them. */
const SETTING_FLAGS = RUN_FLAGS.filter(({ name }) => SETTINGS.some(({ flag }) => flag === name))

/** `enso config`: what is in force and who said it; and changes to the person's own file. */
export const configCommand: CliCommand = {
  name: 'config',
  usage: [
    'config [--json] [flags of a run]',
    'config get KEY',
    'config set KEY VALUE…',
    'config unset KEY',
    'config edit',
    'config path',
  ],
  about:
    'Shows every setting that is in force and where it comes from: a flag counts before the environment, that before ' +
    "your config.json, that before the defaults; a workspace's enso.config.json grants what it names.",
  flags: [
    {
      title: 'Flags',
      flags: [
        { name: 'json', help: 'one JSON object, or the value as JSON' },
        { name: 'cwd', short: 'C', value: 'DIR', help: 'the folder whose enso.config.json counts' },
      ],
    },
    { title: 'Flags of a run, to see what they change', flags: SETTING_FLAGS },
  ],
  examples: [
    ['enso config', 'everything in force'],
    ['enso config set defaultModel local/x', 'the model of new threads'],
    ["enso config set permissions.allow 'bash(npm test)' web_fetch", 'a list, word by word'],
    ['enso config unset sandbox', 'back to the default'],
    ['ENSO_MODE=plan enso config get defaultMode', 'what one value would be'],
  ],
  run: async (invocation) => {
    const { line, io, parts } = invocation
    const [name, key, ...values] = [...line.words, ...line.literal]
    const count = [key, ...values].filter((word) => word !== undefined).length
    if (name === undefined) return show(invocation)
    if (name === 'path' && count === 0) {
      io.stdout.write(`${parts.home.configFile}\n`)
      return 0
    }
    if (name === 'edit' && count === 0) return (await import('../config/edit.js')).editConfig(io, parts)
    if (key !== undefined) {
      if (name === 'get' && count === 1) return get(invocation, key)
      if (name === 'unset' && count === 1) return change(invocation, key, undefined)
      if (name === 'set' && count > 1) return change(invocation, key, valueOfWords(key, values))
    }
    return refuseUsage(io, [], wrongWords(name))
  },
}

function wrongWords(name: string): UsageRefusal {
  const meant = closestWord(name, CONFIG_WORDS)
  if (meant === undefined) {
    return { reason: `config has no '${sanitizeLine(name)}'`, hint: CONFIG_WORDS.join(', ') }
  }
  return { reason: `config ${sanitizeLine(name)} is called otherwise`, hint: 'enso config --help shows how' }
}

async function reportOf({ line, io, parts }: Invocation): Promise<EnsoConfigReport> {
  const { configFile } = parts.home
  const cwd = canonicalPath(expandHome(line.value('cwd') ?? '.', io.env, io.cwd))
  const person = readUserConfig(configFile)
  // Refuses a variable that says what does not exist, as a run would.
  withEnvironment(person, io.env)
  return configReport({
    person,
    personFile: configFile,
    workspace: await parts.workspaceConfig(cwd),
    env: io.env,
    line,
  })
}

async function show(invocation: Invocation): Promise<number> {
  const report = await reportOf(invocation)
  const { line, io } = invocation
  io.stdout.write(line.has('json') ? `${jsonLine(report)}\n` : configText(report, outputStyle(invocation)))
  return 0
}

/** One value in force. Exit 1 where there is none, so that a script can tell. */
async function get(invocation: Invocation, key: string): Promise<number> {
  const { line, io } = invocation
  const { settings } = await reportOf(invocation)
  const found = settings.find((setting) => setting.key === key)
  if (found === undefined) return refuseUsage(io, [], unknownKey(key, settings))
  if (line.has('json')) io.stdout.write(`${jsonLine(found.value ?? null)}\n`)
  else if (Array.isArray(found.value)) io.stdout.write(found.value.map((one) => `${String(one)}\n`).join(''))
  else if (found.value !== undefined) io.stdout.write(`${settingText(found)}\n`)
  return found.value === undefined ? 1 : 0
}

function unknownKey(key: string, known: readonly { readonly key: string }[]): UsageRefusal {
  const keys = known.map((setting) => setting.key)
  const meant = keys.find((one) => one.endsWith(`.${key}`)) ?? closestWord(key, keys)
  return {
    reason: `there is no setting '${sanitizeLine(key)}'`,
    hint: meant === undefined ? 'enso config lists them' : `did you mean ${meant}?`,
  }
}

function change({ io, parts }: Invocation, key: string, value: unknown): number {
  const setting = settingNamed(key)
  if (setting === undefined) return refuseUsage(io, [], unknownKey(key, SETTINGS))
  const refused = changeSetting(parts.home.configFile, key, value)
  if (refused !== undefined) return refuseUsage(io, [], refused)
  const said = environmentValue(setting, io.env)
  if (said !== undefined) io.stderr.write(`${setting.env} is set in the environment and counts before the file\n`)
  return 0
}
