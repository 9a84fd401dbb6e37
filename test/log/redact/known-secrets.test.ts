import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createKnownSecrets } from '../../../src/log/redact/known-secrets.js'
import { createRedactor } from '../../../src/log/redact/redactor.js'

const MARK = '[REDACTED:value]'

test('variables with a secret’s name are secrets, and so is a password in a URL', () => {
  const secrets = createKnownSecrets()
  secrets.addEnvironment({
    ANTHROPIC_API_KEY: 'value-1-aaaa',
    GITHUB_TOKEN: 'value-2-bbbb',
    client_secret: 'value-3-cccc',
    PGPASSWORD: 'value-4-dddd',
    AWS_SECRET_ACCESS_KEY: 'value-5-eeee',
    DATABASE_URL: 'postgres://user:p%40ss-word-6@host/db',
    HOME: '/home/some-person',
    TOKENIZER_PATH: '/opt/tokenizers',
    UNSET_TOKEN: undefined,
  })
  const text = (plain: string): string => createRedactor(secrets).text(plain)
  for (let n = 1; n <= 5; n++) assert.match(text(`x value-${n}-${'abcde'.charAt(n - 1).repeat(4)}`), /REDACTED/)
  assert.equal(text('user has p@ss-word-6'), `user has ${MARK}`)
  assert.equal(text('/home/some-person /opt/tokenizers'), '/home/some-person /opt/tokenizers')
})

test('the usual names of secrets are known: keys of every kind, passes, numbered ones; a path to one is none', () => {
  const secrets = createKnownSecrets()
  const names =
    'DJANGO_SECRET_KEY STRIPE_SECRET_KEY VAPID_PRIVATE_KEY ENCRYPTION_KEY MYSQL_PWD DB_PASS GH_PAT SSHPASS API_KEY_2 OPENAI_KEY npm_config__auth'
  secrets.addEnvironment(Object.fromEntries(names.split(' ').map((name, at) => [name, `value-${at}-a1b2c3`])))
  secrets.addEnvironment({
    GOOGLE_APPLICATION_CREDENTIALS: '/home/some-person/key.json',
    PWD: '/srv/some-place',
    SORT_KEY: 'created-at-desc',
  })
  const { text } = createRedactor(secrets)
  names.split(' ').forEach((name, at) => assert.equal(text(`x value-${at}-a1b2c3`), `x ${MARK}`, name))
  const plain = '/home/some-person/key.json /srv/some-place created-at-desc'
  assert.equal(text(plain), plain)
})

test('short, empty and common values are not searched for', () => {
  const secrets = createKnownSecrets()
  secrets.addEnvironment({
    A_TOKEN: '',
    B_PASSWORD: 'a',
    C_SECRET: 'true',
    D_SECRET: 'production',
    E_TOKEN: '        ',
    F_TOKEN: 'xxxxxxxxxxxxxxxx',
    G_PASSWORD: 'Changeme',
  })
  assert.equal(secrets.search().longest, 0)
})

test('credentials are found in an auth store, indirect ones are not taken for values', () => {
  const secrets = createKnownSecrets()
  secrets.addCredentialFile(
    JSON.stringify({
      anthropic: { type: 'oauth', access: 'access-value-1', refresh: 'refresh-value-2', expires: 1_900_000_000_000 },
      openai: { type: 'api_key', key: 'key-value-3' },
      other: { type: 'api_key', key: 'OTHER_API_KEY' },
      command: { type: 'api_key', key: '!pass show some-key' },
      providers: {
        local: { apiKey: 'key-value-4', headers: { authorization: 'Bearer value-5' }, models: ['model-name-6'] },
      },
    }),
  )
  const text = (plain: string): string => createRedactor(secrets).text(plain)
  for (const value of ['access-value-1', 'refresh-value-2', 'key-value-3', 'key-value-4', 'Bearer value-5']) {
    assert.equal(text(value), MARK, value)
  }
  for (const value of ['OTHER_API_KEY', '!pass show some-key', 'model-name-6', '1900000000000', 'api_key']) {
    assert.equal(text(value), value)
  }
})

test('a credential file that is no JSON is passed over', () => {
  const secrets = createKnownSecrets()
  secrets.addCredentialFile('{"anthropic":{"key":"half-writ')
  secrets.addCredentialFile('')
  assert.equal(secrets.search().longest, 0)
})

test('the lines of a key of many lines are secrets of their own', () => {
  const secrets = createKnownSecrets()
  const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC'
  secrets.add(`-----BEGIN PRIVATE KEY-----\n${body}\n-----END PRIVATE KEY-----\n`)
  const text = (plain: string): string => createRedactor(secrets).text(plain)
  assert.equal(text(`line: ${body}`), `line: ${MARK}`)
  assert.equal(text('-----BEGIN PUBLIC KEY-----'), '-----BEGIN PUBLIC KEY-----')
})
