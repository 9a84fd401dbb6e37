import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSecretVariable } from '../../src/core/secret-variables.js'

const SECRET =
  'OPENAI_API_KEY stripe_key GH_TOKEN TOKEN CLIENT_SECRET SECRETS PASSWORD MYSQL_PWD DB_PASS SSH_PASSPHRASE DB_PASSWD ' +
  'AWS_CREDENTIALS AZURE_PAT PAT pat_file NPM_AUTH PGPASSWORD SSHPASS database_url REDIS_URL MONGODB_URI SENTRY_DSN ' +
  'KUBECONFIG_DATA GITHUB_TOKEN_FILE A_PAT_2'
const PLAIN = 'PATH PWD OLDPWD AUTHOR SSH_AUTH_SOCK KEYBOARD TOKENIZERS_PARALLELISM HOME PASS'

test('a variable is secret by the words of its name, however it is written', () => {
  for (const name of SECRET.split(' ')) assert.ok(isSecretVariable(name), name)
})

test('a variable whose name only holds such a word is none', () => {
  for (const name of PLAIN.split(' ')) assert.ok(!isSecretVariable(name), name)
})
