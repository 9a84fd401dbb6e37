import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordList } from '../../../src/host/extensions/guards/bash/arguments.js'
import { createScrubbedEnv } from '../../../src/host/extensions/guards/scrubbed-env.js'

test('keys, handles to key agents and start-up code go, everything else stays', () => {
  const secret = wordList(`
    OPENAI_API_KEY ANTHROPIC_API_KEY GITHUB_TOKEN GH_TOKEN NPM_TOKEN DB_PASSWORD STRIPE_SECRET_KEY AWS_ACCESS_KEY_ID
    AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN SSH_AUTH_SOCK PGPASSWORD my_api_key ENSO_TOKEN CLIENT_SECRET BASH_ENV
    DATABASE_URL`)
  const plain = wordList(`
    PATH HOME LANG TERM NODE_ENV TMPDIR KEYBOARD TOKENIZER MAX_TOKENS_COUNT EDITOR`)
  const env = Object.fromEntries([...secret, ...plain].map((name) => [name, 'x']))
  assert.deepEqual(Object.keys(createScrubbedEnv(env)).sort(), [...plain].sort())
  assert.deepEqual(createScrubbedEnv({ A: undefined, B: 'b' }), { B: 'b' })
})
