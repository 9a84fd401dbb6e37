import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { TSchema } from '@sinclair/typebox'
import { parseCommandLine } from '../../../src/cli/args/command-line.js'
import { RUN_FLAGS } from '../../../src/cli/args/run-flags.js'
import { parseRunOptions } from '../../../src/cli/args/run-options.js'
import { withUserDefaults } from '../../../src/cli/commands/run.js'
import { configReport, type EnsoEffectiveSetting } from '../../../src/cli/config/effective.js'
import { withEnvironment } from '../../../src/cli/config/environment.js'
import { SETTINGS, settingNamed, withValueAt } from '../../../src/cli/config/settings.js'
import { EnsoUserConfig, parseEnsoUserConfig } from '../../../src/core/index.js'

/** Each setting with a value of every place that may say it: your file, the environment, a flag. */
const TABLE: readonly (readonly [key: string, person: unknown, env: string | undefined, flag: string | undefined])[] = [
  ['defaultModel', 'file/m', 'env/m', 'flag/m'],
  ['defaultThinking', 'low', 'medium', 'high'],
  ['defaultMode', 'plan', 'acceptEdits', 'auto'],
  ['localServer', { kind: 'ollama', url: 'http://127.0.0.1:11434/v1', model: 'x' }, undefined, undefined],
  ['permissions.allow', ['bash(npm test)'], undefined, 'web_fetch'],
  ['permissions.ask', ['bash'], undefined, undefined],
  ['permissions.deny', ['bash(git push *)'], undefined, 'write'],
  ['sandbox', 'auto', 'require', 'off'],
  ['guard.defaultBashTimeoutSeconds', 60, undefined, undefined],
  ['guard.writeRoots', ['~/scratch'], undefined, '/more'],
  ['projects.roots', ['~/work'], undefined, undefined],
  ['logs.level', 'warn', 'debug', undefined],
  ['logs.retentionDays', 7, '3', undefined],
  ['answers', '~/file.json', '~/env.json', 'flag.json'],
  ['color', 'never', 'always', 'auto'],
]

interface Said {
  readonly person?: unknown
  readonly env?: string | undefined
  readonly flag?: string | undefined
}

function sourcesOf(key: string, { person, env, flag }: Said) {
  const setting = settingNamed(key)!
  const config = (person === undefined ? {} : withValueAt({}, key, person)) as EnsoUserConfig
  const variables = env === undefined ? {} : { [setting.env!]: env }
  const argv = flag === undefined ? ['hello'] : ['hello', `--${setting.flag}`, flag]
  const line = parseCommandLine(RUN_FLAGS, argv)
  assert.ok(line.ok)
  return { config, variables, argv, line: line.value }
}

function inForce(key: string, said: Said): EnsoEffectiveSetting {
  const { config, variables, line } = sourcesOf(key, said)
  const report = configReport({
    person: config,
    personFile: '/h/config.json',
    workspace: undefined,
    env: variables,
    line,
  })
  return report.settings.find((setting) => setting.key === key)!
}

test('every setting is in the table, each of its places with a value', () => {
  assert.deepEqual(
    TABLE.map(([key]) => key),
    SETTINGS.map(({ key }) => key),
  )
  for (const [key, person, env, flag] of TABLE) {
    const setting = settingNamed(key)!
    assert.deepEqual(
      [env !== undefined, flag !== undefined],
      [setting.env !== undefined, setting.flag !== undefined],
      key,
    )
    assert.equal(parseEnsoUserConfig(JSON.stringify(withValueAt({}, key, person))).kind, 'ok', key)
  }
})

test('every value of the file’s schema is a setting', () => {
  const leaves = (schema: TSchema, path: string): string[] => {
    const { properties } = schema as { properties?: Record<string, TSchema> }
    if (properties === undefined || path === 'localServer') return [path]
    return Object.entries(properties).flatMap(([name, inner]) => leaves(inner, path === '' ? name : `${path}.${name}`))
  }
  const known = leaves(EnsoUserConfig, '').filter((path) => path !== '$schema')
  assert.deepEqual(known.sort(), SETTINGS.map(({ key }) => key).sort())
})

for (const [key, person, env, flag] of TABLE) {
  test(`${key}: a flag before the environment, before the person's file, before the default`, () => {
    const setting = settingNamed(key)!
    const standard = inForce(key, {})
    assert.deepEqual([standard.source, standard.value], ['default', setting.standard])
    assert.ok(standard.value !== undefined || standard.otherwise !== undefined, 'a default that says nothing')
    const own = inForce(key, { person })
    assert.deepEqual([own.source, own.from, own.value], ['person', ['/h/config.json'], person])
    if (env !== undefined) {
      const said = inForce(key, { person, env })
      assert.deepEqual([said.source, said.from, String(said.value)], ['environment', [setting.env], env])
      assert.equal(inForce(key, { person, env: '' }).source, 'person', 'an empty variable says nothing')
    }
    if (flag === undefined) return
    const flagged = inForce(key, { person, env, flag })
    const before = setting.adds === true ? ['/h/config.json'] : []
    assert.deepEqual([flagged.source, flagged.from], ['flag', [...before, `--${setting.flag}`]])
    assert.deepEqual(flagged.value, setting.adds === true ? [...(person as string[]), flag] : flag)
  })
}

/** What a run takes for a setting, from the same places. */
function ofRun(key: string, said: Said): unknown {
  const { config, variables, argv, line } = sourcesOf(key, said)
  const parsed = parseRunOptions(line, argv, '/w')
  assert.ok(parsed.ok)
  const merged = withEnvironment(config, variables)
  const options = withUserDefaults(parsed.value.options, merged, line)
  const values: Readonly<Record<string, unknown>> = {
    defaultModel: options.model,
    defaultThinking: options.thinking,
    defaultMode: options.permissionMode,
    'permissions.allow': [...(merged.permissions?.allow ?? []), ...(options.allowTools ?? [])],
    'permissions.deny': [...(merged.permissions?.deny ?? []), ...(options.denyTools ?? [])],
    sandbox: options.sandbox ?? 'off',
    'guard.writeRoots': [...(merged.guard?.writeRoots ?? []), ...(options.addDirs ?? [])],
    'logs.level': merged.logs?.level ?? 'info',
    'logs.retentionDays': merged.logs?.retentionDays ?? 30,
    answers: options.answersFile,
    color: options.color,
  }
  return values[key]
}

test('a run takes what is shown', () => {
  let compared = 0
  for (const [key, person, env, flag] of TABLE) {
    if (env === undefined && flag === undefined) continue
    for (const said of [{}, { person }, { person, env }, { person, env, flag }]) {
      assert.deepEqual(ofRun(key, said), inForce(key, said).value, `${key} ${JSON.stringify(said)}`)
      compared++
    }
  }
  assert.ok(compared >= 40, String(compared))
})

test('a variable with a value that does not exist is a fault that names it', () => {
  for (const [name, value] of [
    ['ENSO_SANDBOX', 'maybe'],
    ['ENSO_MODE', 'yolo'],
    ['ENSO_THINKING', 'deep'],
    ['ENSO_LOG_RETENTION_DAYS', '-1'],
    ['ENSO_COLOR', 'red'],
  ] as const) {
    assert.throws(() => withEnvironment({}, { [name]: value }), {
      code: 'bad-config',
      message: new RegExp(`^${name}=${value}: .*expected`),
    })
  }
})

test('the mode that asks nothing is never a default, whoever names it', () => {
  const { config, variables, argv, line } = sourcesOf('defaultMode', { env: 'bypassPermissions' })
  const parsed = parseRunOptions(line, argv, '/w')
  assert.ok(parsed.ok)
  const { options } = parsed.value
  assert.equal(withUserDefaults(options, withEnvironment(config, variables), line).permissionMode, undefined)
  const allowed = { ...options, allowBypass: true }
  assert.equal(withUserDefaults(allowed, withEnvironment(config, variables), line).permissionMode, 'bypassPermissions')
})

test('a stored thread goes on with its own model, mode and thinking', () => {
  const line = parseCommandLine(RUN_FLAGS, ['-c', 'x'])
  assert.ok(line.ok)
  const parsed = parseRunOptions(line.value, ['-c', 'x'], '/w')
  assert.ok(parsed.ok)
  const config = { defaultModel: 'a/b', defaultMode: 'plan', defaultThinking: 'low' } as const
  const options = withUserDefaults(parsed.value.options, config, line.value)
  assert.deepEqual([options.model, options.permissionMode, options.thinking], [undefined, undefined, undefined])
})
