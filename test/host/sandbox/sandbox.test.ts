import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer as createTcpServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import type { Writable } from 'node:stream'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { EnsoError } from '../../../src/core/enso-error.js'
import { mountsFor, type Confinement } from '../../../src/host/sandbox/confinement.js'
import { createSandbox, probeSandbox } from '../../../src/host/sandbox/sandbox.js'
import { bwrapArguments } from '../../../src/host/sandbox/bwrap.js'
import { unixSocketFilter } from '../../../src/host/sandbox/seccomp.js'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'enso-sandbox-')))
after(() => rmSync(base, { recursive: true, force: true }))

const home = join(base, 'home')
const repo = join(base, 'repo')
const ensoRoot = join(base, 'enso-home')
for (const folder of ['home/.ssh', 'repo/.git/hooks', 'repo/.vscode', 'repo/src', 'enso-home/agent']) {
  mkdirSync(join(base, folder), { recursive: true })
}
writeFileSync(join(home, '.ssh/id_ed25519'), 'PRIVATE-KEY-MARK')
writeFileSync(join(repo, '.env'), 'API_KEY=SECRET-MARK')
writeFileSync(join(repo, 'src/.env.local'), 'API_KEY=SECRET-MARK')
writeFileSync(join(repo, '.git/config'), '[core]\n\tbare = false\n')
writeFileSync(join(ensoRoot, 'agent/auth.json'), '{"x":"SECRET-MARK"}')

const confinement = (): Confinement => ({
  writeRoots: [repo],
  home,
  hiddenFolders: [ensoRoot],
  hiddenFiles: [],
  protectedNames: ['.git', '.vscode', '.pi', '.enso', 'enso.config.json'],
  isSecretName: (name) => /^\.env(\.|$)/.test(name) && !name.endsWith('.example'),
})

async function confined(
  command: string,
  env: Record<string, string> = {},
  timeout = 20,
): Promise<{ code: number | null; output: string }> {
  const sandbox = await createSandbox('require', confinement)
  let output = ''
  const { exitCode } = await sandbox.run({
    command,
    cwd: repo,
    env: { PATH: process.env['PATH'], HOME: home, ...env },
    onData: (data) => (output += data.toString()),
    timeout,
  })
  return { code: exitCode, output }
}

test('a confined command runs, writes in its write root and gives back its exit code', async () => {
  assert.deepEqual(await confined('echo hello > out.txt; cat out.txt; exit 7'), { code: 7, output: 'hello\n' })
  assert.equal(readFileSync(join(repo, 'out.txt'), 'utf8'), 'hello\n')
})

test('a confined command can write nowhere else', async () => {
  for (const target of [
    '/etc/enso-test',
    join(home, 'x'),
    join(base, 'outside'),
    '/usr/local/bin/enso-test',
    '/run/x/y',
  ]) {
    const { code } = await confined(`echo owned > '${target}'`)
    assert.notEqual(code, 0, target)
    assert.equal(existsSync(target), false, target)
  }
})

test('secret files and folders are out of reach, wherever they lie', async () => {
  const { output } = await confined(
    `cat .env src/.env.local ${home}/.ssh/id_ed25519 ${ensoRoot}/agent/auth.json; cd src && cat .env.local; grep -r MARK ${base}; ls ${home}/.ssh`,
  )
  assert.doesNotMatch(output, /MARK/)
})

test('settings that run something later stay as they are', async () => {
  await confined(
    'echo x > .git/hooks/pre-commit; echo x >> .git/config; echo x > .vscode/tasks.json; mkdir -p .pi && echo x > .pi/settings.json; echo {} > enso.config.json; ln -s /etc .enso',
  )
  assert.equal(existsSync(join(repo, '.git/hooks/pre-commit')), false)
  assert.equal(readFileSync(join(repo, '.git/config'), 'utf8'), '[core]\n\tbare = false\n')
  for (const name of ['.vscode/tasks.json', '.pi', 'enso.config.json', '.enso']) {
    assert.equal(existsSync(join(repo, name)), false, name)
  }
})

test('what appeared under a protected name is taken away again, and said', async () => {
  const { output } = await confined('mkdir .pi; echo done')
  assert.match(output, /done\n\n\[sandbox\] .*\/\.pi may not be made here/)
})

test('no empty files are left behind for protected names that do not exist', async () => {
  await confined('true')
  assert.deepEqual(
    ['.pi', '.enso', 'enso.config.json'].filter((name) => existsSync(join(repo, name))),
    [],
  )
})

test('git goes on working inside, without hooks of its own making', async () => {
  const { output, code } = await confined(
    `rm -rf made && git init -q made && cd made && git -c user.email=a@b.c -c user.name=a commit -q --allow-empty -m one && git log --oneline`,
  )
  assert.equal(code, 0, output)
  assert.match(output, /one/)
})

test('there is no network, not even the loopback of the machine', async () => {
  const server = createTcpServer((socket) => socket.end('reached'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const { output, code } = await confined(`exec 3<>/dev/tcp/127.0.0.1/${port}; cat <&3`)
  server.close()
  assert.notEqual(code, 0)
  assert.doesNotMatch(output, /reached/)
})

test('a Unix socket of the host can not be reached, and children still talk to their parent', async () => {
  const path = join(repo, 'host.sock')
  const server = createTcpServer((socket) => socket.end('reached'))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  const client = `require('net').connect('${path}').on('data',d=>console.log(String(d))).on('error',e=>console.log(e.code))`
  const { output } = await confined(`'${process.execPath}' -e "${client}"`)
  const child = await confined(
    `'${process.execPath}' -e "console.log(String(require('child_process').execSync('echo from-child')))"`,
  )
  server.close()
  assert.match(output, /EPERM/)
  assert.match(child.output, /from-child/)
})

test('the environment of enso and of bubblewrap itself is not to be seen inside', async () => {
  const holder = spawn('sleep', ['60'], { env: { CANARY_TOKEN: 'CANARY-MARK' } })
  const { output } = await confined(
    `cat /proc/1/environ /proc/self/environ /proc/*/environ /proc/${holder.pid}/environ /proc/${process.pid}/environ; ps aux | wc -l`,
  )
  holder.kill('SIGKILL')
  assert.doesNotMatch(output, /MARK|ENSO_TEST_ROOT/)
})

test('a time-out ends the command and everything it started', async () => {
  const mark = `enso-sleep-${process.pid}`
  await assert.rejects(confined(`exec -a ${mark} sleep 300 & (setsid sleep 301 &) ; wait`, {}, 0.5), {
    message: 'timeout:0.5',
  })
  const left = execFileSync('ps', ['-eo', 'args']).toString()
  assert.equal(left.includes(mark), false)
  assert.doesNotMatch(left, /^sleep 301$/m)
})

test('a stop ends the command', async () => {
  const sandbox = await createSandbox('require', confinement)
  const controller = new AbortController()
  const run = sandbox.run({
    command: 'echo started; sleep 300',
    cwd: repo,
    env: { PATH: process.env['PATH'] },
    onData: () => controller.abort(),
    signal: controller.signal,
  })
  await assert.rejects(run, { message: 'aborted' })
})

test('a write root that is a symbolic link is refused', async () => {
  const link = join(base, 'link')
  symlinkSync(repo, link)
  assert.throws(() => mountsFor({ ...confinement(), writeRoots: [link] }), /symbolic link/)
})

test('text of a command is one argument and never shell text of ours', () => {
  const command = `"; rm -rf / #' $(x) \n`
  assert.equal(bwrapArguments(command, '/', []).at(-1), command)
})

test('the filter is a whole number of instructions, and there is none for an unknown machine', () => {
  assert.equal((unixSocketFilter('x64')?.length ?? 1) % 8, 0)
  assert.equal((unixSocketFilter('arm64')?.length ?? 1) % 8, 0)
  assert.equal(unixSocketFilter('s390x'), undefined)
})

test('off is off, and require is satisfied here', async () => {
  assert.deepEqual((await createSandbox('off', confinement)).state, { kind: 'off', reason: 'it is switched off' })
  assert.equal((await createSandbox('require', confinement)).state.kind, 'on')
  assert.equal(new EnsoError('sandbox-unavailable', 'x').code, 'sandbox-unavailable')
})

test('an unprivileged user is confined in the same way', async () => {
  assert.equal((await probeSandbox()).kind, 'on')
  if (process.getuid?.() !== 0) return
  const shared = join(base, 'shared')
  mkdirSync(shared)
  chmodSync(base, 0o755)
  chmodSync(shared, 0o777)
  const args = bwrapArguments(
    `id -u; echo ok > '${shared}/made'; echo bad > /etc/enso-test; cat /proc/1/environ`,
    shared,
    [{ kind: 'write', path: shared }],
  )
  const child = spawn('/usr/bin/bwrap', args, {
    uid: 65534,
    gid: 65534,
    env: { PATH: '/usr/bin:/bin' },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  ;(child.stdio[3] as Writable).end(unixSocketFilter())
  let output = ''
  child.stdout?.on('data', (data: Buffer) => (output += data.toString()))
  child.stderr?.on('data', (data: Buffer) => (output += data.toString()))
  await new Promise((resolve) => child.on('close', resolve))
  assert.match(output, /^65534\n/)
  assert.match(output, /Read-only file system/)
  assert.equal(readFileSync(join(shared, 'made'), 'utf8'), 'ok\n')
})

test('where commands can not be confined, require refuses to start and auto says why', async () => {
  const without = () => probeSandbox(['/nowhere/bwrap'])
  await assert.rejects(createSandbox('require', confinement, without), (error: EnsoError) => {
    assert.equal(error.code, 'sandbox-unavailable')
    assert.match(error.message, /not installed/)
    return true
  })
  const auto = await createSandbox('auto', confinement, without)
  assert.deepEqual(auto.state, { kind: 'off', reason: 'bubblewrap (bwrap) is not installed' })
  await assert.rejects(
    auto.run({ command: 'true', cwd: repo, env: {}, onData: () => {} }),
    /the sandbox is off/,
    'what is not confined is never run as if it were',
  )
})

test('a bubblewrap that is there but may not make namespaces is found out by trying it', async () => {
  const fake = join(base, 'fake-bwrap')
  writeFileSync(fake, '#!/bin/sh\necho "bwrap: setting up uid map: Permission denied" >&2\nexit 1\n')
  chmodSync(fake, 0o755)
  assert.deepEqual(await probeSandbox([fake]), {
    kind: 'off',
    reason: 'bwrap: setting up uid map: Permission denied',
  })
})
