import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { main } from '../../../src/cli/main.js'
import { SCHEMA_TOPICS } from '../../../src/cli/schema/topics.js'
import { printedOpenApi } from '../../../src/server/routes/described.js'
import { operations } from '../../../src/thread/operations.js'
import { fakeIo } from '../../support/cli-io.js'
import { partsWith } from '../../support/cli-parts.js'
import { assertGolden } from '../../support/golden.js'
import { inRoot } from '../../support/root.js'

async function enso(...argv: string[]): Promise<{ code: number; out: string; err: string }> {
  const { io, out, err } = fakeIo({ argv })
  const parts = partsWith({ openApi: async () => printedOpenApi('1.2.3') })
  const code = await main(io, parts)
  return { code, out: out.text(), err: err.text() }
}

const JSON_SCHEMAS = SCHEMA_TOPICS.map(({ name }) => name).filter((name) => name !== 'http')

async function validator(topic: string): Promise<ValidateFunction> {
  const { out } = await enso('schema', topic)
  return new Ajv2020({ strict: false }).compile(JSON.parse(out) as object)
}

/** The examples that are kept of a wire shape. */
function examples(schema: string): unknown[] {
  const folder = inRoot('test/fixtures/wire', schema)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(`${folder}/${file}`, 'utf8')) as unknown)
}

test('schema without a word lists what there is', async () => {
  const { code, out, err } = await enso('schema')
  assert.deepEqual([code, err], [0, ''])
  assertGolden('cli/schema.txt', out)
})

for (const topic of JSON_SCHEMAS) {
  test(`schema ${topic} is JSON Schema 2020-12 by a public validator`, async () => {
    const { code, out, err } = await enso('schema', topic)
    assert.deepEqual([code, err], [0, ''])
    const schema = JSON.parse(out) as Record<string, unknown>
    assert.equal(schema['$schema'], 'https://json-schema.org/draft/2020-12/schema')
    const ajv = new Ajv2020({ strict: false })
    assert.ok(ajv.validateSchema(schema), ajv.errorsText())
    ajv.compile(schema)
    assertGolden(`cli/schema/${topic}.json`, out)
  })
}

test('schema http is OpenAPI 3.1 by a public validator', async () => {
  const { out } = await enso('schema', 'http')
  const document = JSON.parse(out) as Record<string, unknown>
  assert.deepEqual(await new Validator().validate(structuredClone(document)), { valid: true })
  assert.ok(Object.keys(document['paths'] as object).includes('/api/threads/{threadId}/prompt'))
})

test('what is really written fits the schema of lines, and the last one that of the result', async () => {
  const [line, result] = await Promise.all([validator('lines'), validator('result')])
  let seen = 0
  for (const shape of ['EnsoHelloLine', 'EnsoFollowFrame', 'EnsoReplyLine', 'EnsoResultLine']) {
    for (const example of examples(shape)) {
      seen++
      assert.ok(line(example), `${JSON.stringify(example)} ${JSON.stringify(line.errors)}`)
    }
  }
  assert.ok(seen >= 8, String(seen))
  for (const example of examples('EnsoResultLine')) assert.ok(result(example))
  assert.equal(line({ type: 'result' }), false)
  assert.equal(line({ type: 'hello', protocol: 2, enso: '', threadId: '', cwd: '' }), false)
})

test('a request line of every operation fits the schema of requests, and nothing else does', async () => {
  const request = await validator('requests')
  for (const { name, body } of operations) {
    if (body === undefined) assert.ok(request({ type: name, requestId: '1' }), name)
  }
  assert.ok(request({ type: 'prompt', message: 'hello', admission: 'interrupt' }))
  assert.ok(request({ type: 'dialog', id: 'd1', value: 'Allow once' }))
  assert.ok(request({ type: 'dialog', id: 'd1', cancelled: true, requestId: 'x' }))
  for (const shape of ['EnsoPromptBody', 'EnsoDialogBody'] as const) {
    const type = shape === 'EnsoPromptBody' ? 'prompt' : 'dialog'
    for (const example of examples(shape)) assert.ok(request({ type, ...(example as object) }), JSON.stringify(example))
  }
  for (const wrong of [{ type: 'promt', message: 'x' }, { type: 'prompt' }, { type: 'abort', more: 1 }, {}]) {
    assert.equal(request(wrong), false, JSON.stringify(wrong))
  }
})

test('the schemas of files take what enso takes', async () => {
  const [config, script, answers, workspace] = await Promise.all(
    ['config', 'script', 'answers', 'workspace'].map((topic) => validator(topic)),
  )
  assert.ok(
    config?.({ $schema: 'config.schema.json', defaultMode: 'plan', permissions: { deny: ['bash(git push *)'] } }),
  )
  assert.equal(config?.({ defaultMode: 'plam' }), false)
  assert.equal(config?.({ permissions: { deny: ['bash('] } }), false)
  assert.ok(script?.(JSON.parse(readFileSync(inRoot('demo/script.json'), 'utf8'))))
  assert.ok(answers?.(JSON.parse(readFileSync(inRoot('demo/answers.json'), 'utf8'))))
  assert.ok(workspace?.(JSON.parse(readFileSync(inRoot('enso.config.json'), 'utf8'))))
})

test('a schema that does not exist is refused with the one that was meant', async () => {
  const { code, out, err } = await enso('schema', 'line')
  assert.deepEqual([code, out], [2, ''])
  assert.match(err, /no schema 'line'\n {2}did you mean lines\?/)
  assert.match((await enso('schema', 'lines', 'result')).err, /one word/)
})
