import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { printedOpenApi } from '../../src/server/routes/described.js'
import { operations } from '../../src/thread/operations.js'
import { servedApp } from '../support/served-app.js'

interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

test('the OpenAPI document is valid 3.1 by a public validator', async (t) => {
  const { ask } = servedApp(t)
  const document = (await (await ask('/api/openapi.json')).json()) as Document
  assert.equal(document.openapi, '3.1.0')
  const result = await new Validator().validate(structuredClone(document) as unknown as Record<string, unknown>)
  assert.deepEqual(result, { valid: true })
})

test('the OpenAPI document that is printed is the one that is served', async (t) => {
  const { ask } = servedApp(t)
  assert.deepEqual(JSON.parse(JSON.stringify(printedOpenApi('0.0.0'))), await (await ask('/api/openapi.json')).json())
})

test('every route is in the OpenAPI document once, each operation of a thread under its name', async (t) => {
  const { ask, app } = servedApp(t)
  const { paths } = (await (await ask('/api/openapi.json')).json()) as Document
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => `${method.toUpperCase()} ${path} ${operationId}`),
  )
  const served = app.routes.map(({ method, path, name }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')} ${name}`)
  assert.deepEqual(described.sort(), served.sort())
  assert.equal(new Set(app.routes.map(({ name }) => name)).size, app.routes.length)
  for (const { method, path, name } of operations) {
    assert.ok(described.includes(`${method} ${path.replaceAll(/:(\w+)/g, '{$1}')} ${name}`), name)
  }
})

test('the schemas of the OpenAPI document judge what is really sent', async (t) => {
  const { ask } = servedApp(t)
  const { components } = (await (await ask('/api/openapi.json')).json()) as Document
  const ajv = new Ajv2020({ strict: false, schemas: [{ $id: 'api', components }] })
  const judge = (name: string, value: unknown): boolean => {
    const validate = ajv.getSchema(`api#/components/schemas/${name}`)
    assert.ok(validate, name)
    return validate(value) as boolean
  }
  await ask('/api/threads/t1/prompt', { method: 'POST', body: { message: 'hello' } })
  assert.ok(judge('EnsoThreadInspection', await (await ask('/api/threads/t1')).json()))
  assert.ok(judge('EnsoThreadHistory', await (await ask('/api/threads/t1/history')).json()))
  assert.ok(judge('EnsoThreadCommands', await (await ask('/api/threads/t1/commands')).json()))
  assert.ok(judge('EnsoDayStats', await (await ask('/api/logs/stats')).json()))
  assert.ok(judge('EnsoLogTailFrame', await (await ask('/api/logs')).json()))
  assert.ok(judge('EnsoRefusal', await (await ask('/api/nothing')).json()))
  assert.ok(!judge('EnsoRefusal', { code: 'fault', reason: 'x' }))
  assert.ok(!judge('EnsoPromptBody', { message: 'x', more: 1 }))
})
