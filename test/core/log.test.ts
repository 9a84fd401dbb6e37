import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { afterEach, test } from 'node:test'
import { configureSync, getJsonLinesFormatter, resetSync } from '@logtape/logtape'
import type { LogRecord } from '@logtape/logtape'
import { Value } from '@sinclair/typebox/value'
import { ENSO_REDACT_FIELDS, EnsoLogLine, ensoLogger, ensoLogLineOf, withEnsoLogContext } from '../../src/core/log.js'

afterEach(() => resetSync())

function recorded(lowestLevel: 'trace' | 'info' = 'trace'): LogRecord[] {
  const records: LogRecord[] = []
  configureSync({
    reset: true,
    contextLocalStorage: new AsyncLocalStorage(),
    sinks: { all: (record) => void records.push(record) },
    loggers: [
      { category: ['enso'], sinks: ['all'], lowestLevel },
      { category: ['logtape', 'meta'], sinks: [], lowestLevel: 'error' },
    ],
  })
  return records
}

test('a logger logs five levels under its layer', () => {
  const records = recorded()
  const log = ensoLogger('server', 'follow')
  log.trace('a')
  log.debug('b')
  log.info('c', { threadId: 't' })
  log.warn('d')
  log.error('e', { error: new Error('x') })
  assert.deepEqual(
    records.map(({ level, category }) => [level, category.join('.')]),
    ['trace', 'debug', 'info', 'warning', 'error'].map((level) => [level, 'enso.server.follow']),
  )
  assert.equal(records[2]?.properties['threadId'], 't')
})

test('a payload is made only when its tier is on', () => {
  const records = recorded('info')
  let made = 0
  ensoLogger('host').trace('x', () => ({ payload: ++made }))
  ensoLogger('host').info('y', () => ({ payload: ++made }))
  assert.equal(made, 1)
  assert.equal(records.length, 1)
})

test('bound properties are on every record, the context after an await too', async () => {
  const records = recorded()
  const log = ensoLogger('host').with({ threadId: 'bound' })
  log.info('a', { seq: 1 })
  await withEnsoLogContext({ threadId: 'context', generation: 2 }, async () => {
    await Promise.resolve()
    ensoLogger('extension').info('b', { toolCallId: 'c' })
  })
  assert.deepEqual(records[0]?.properties, { threadId: 'bound', seq: 1 })
  assert.deepEqual(records[1]?.properties, { threadId: 'context', generation: 2, toolCallId: 'c' })
})

test('a line is what the logging library writes with templates as messages', () => {
  const records = recorded()
  const log = ensoLogger('host', 'x')
  log.info('run {generation} acquired', { generation: 1, deep: { list: [1, 'two', null] } })
  log.warn('plain')
  const format = getJsonLinesFormatter({ message: 'template', lineEnding: 'lf' })
  for (const record of records) {
    const line = ensoLogLineOf(record)
    assert.deepEqual(JSON.parse(format(record)), JSON.parse(JSON.stringify(line)))
    assert.ok(Value.Check(EnsoLogLine, line))
  }
  assert.equal(ensoLogLineOf(records[1]!).level, 'WARN')
})

test('names of secrets are known, and names that only look near are not', () => {
  const isSecret = (name: string): boolean => ENSO_REDACT_FIELDS.some((pattern) => pattern.test(name))
  const secret = [
    'apiKey',
    'tavilyApiKey',
    'TAVILY_API_KEY',
    'x-api-key',
    'token',
    'tokens',
    'accessToken',
    'clientSecret',
    'DB_PASSWORD',
    'passphrase',
    'credential',
    'privateKey',
    'authorization',
    'Set-Cookie',
  ]
  const plain = [
    'threadKey',
    'author',
    'monkey',
    'key',
    'auth',
    'email',
    'input',
    'output',
    'keyboard',
    'authorized',
    'cost',
  ]
  assert.deepEqual(
    secret.filter((name) => !isSecret(name)),
    [],
  )
  assert.deepEqual(plain.filter(isSecret), [])
})
