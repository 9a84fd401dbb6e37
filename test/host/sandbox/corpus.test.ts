import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { isSecretName } from '../../../src/host/extensions/guards/secrets.js'
import { createSandbox } from '../../../src/host/sandbox/sandbox.js'
import { inRoot } from '../../support/root.js'

interface SandboxCase {
  readonly id: string
  readonly layer?: string
  readonly input: { readonly command: string }
  readonly setup?: readonly { readonly op: string; readonly path: string; readonly content: string }[]
}

/**
 * The lines that no reading of text can catch. A fork bomb is not run: its bound is the guard's rule and the call's
 * time-out, and this machine is shared.
 */
const cases = readFileSync(inRoot('test/fixtures/guard-cases.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as SandboxCase)
  .filter((item) => item.layer === 'sandbox' && !item.input.command.startsWith(':()'))

test('what text can not tell fails inside the sandbox: nothing deleted, sent or read', async (t) => {
  assert.ok(cases.length >= 4, `found only ${cases.length} cases`)
  const reached: string[] = []
  const server = createServer((request, response) => response.end(String(reached.push(request.url ?? ''))))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const local = (text: string): string => text.replaceAll(/https?:\/\/evil\.example/g, here)

  for (const item of cases) {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'enso-sandbox-case-')))
    const [cwd, home] = [join(base, 'repo'), join(base, 'home')]
    mkdirSync(cwd)
    mkdirSync(home)
    writeFileSync(join(home, 'precious.txt'), 'kept')
    writeFileSync(join(cwd, '.env'), 'API_KEY=SECRET-MARK')
    for (const step of item.setup ?? []) {
      const file = join(cwd, step.path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, local(step.content))
    }
    const sandbox = await createSandbox('require', () => ({
      writeRoots: [cwd],
      home,
      hiddenFolders: [],
      hiddenFiles: [],
      protectedNames: ['.git'],
      isSecretName,
    }))
    let output = ''
    await sandbox.run({
      command: local(item.input.command),
      cwd,
      env: { PATH: process.env['PATH'], HOME: home },
      onData: (data) => (output += data.toString()),
      timeout: 60,
    })
    assert.equal(existsSync(join(home, 'precious.txt')), true, item.id)
    assert.deepEqual(reached, [], item.id)
    assert.doesNotMatch(output, /SECRET-MARK/, item.id)
    rmSync(base, { recursive: true, force: true })
  }
})
