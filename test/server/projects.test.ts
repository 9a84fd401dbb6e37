import assert from 'node:assert/strict'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { EnsoDirectoryListing, EnsoProject } from '../../src/core/index.js'
import { createOpenRequest } from '../../src/server/open-request.js'
import { BROWSE_MAX_FOLDERS } from '../../src/server/projects/browse.js'
import { createProjects } from '../../src/server/projects/projects.js'
import { projectRoots } from '../../src/server/projects/roots.js'
import { createProjectsFile } from '../../src/server/projects/state-file.js'
import { projectIdOf } from '../../src/system/project-id.js'
import { createFakeStore, fakeOpenRequest } from '../support/fake-threads.js'
import { testFolder } from '../support/fake-cli.js'

async function place(t: TestContext) {
  const dir = await testFolder(t)
  const root = join(dir, 'root')
  for (const folder of ['root/a/inner', 'root/b', 'root/.hidden/x', 'outside/secret', 'launch']) {
    mkdirSync(join(dir, folder), { recursive: true })
  }
  writeFileSync(join(root, 'file'), '')
  const file = join(dir, 'home', 'projects.json')
  const make = (roots: readonly string[] = [root]) =>
    createProjects({ launchDir: join(dir, 'launch'), roots, file: createProjectsFile(file) })
  return { dir, root, file, make, projects: make() }
}

async function names(listing: Promise<{ ok: boolean; listing?: EnsoDirectoryListing }>): Promise<string[]> {
  return (await listing).listing?.directories.map(({ name }) => name) ?? ['(refused)']
}

test('roots are absolute or in the home folder, and have to be there', async (t) => {
  const { dir, root } = await place(t)
  const env = { HOME: dir }
  assert.deepEqual(projectRoots([root, '~/root', 'root', './root', join(dir, 'none'), `${root}/../root`], env), [root])
  assert.deepEqual(projectRoots(['~'], env), [dir])
})

test('the launch folder is a project, and without roots the only one', async (t) => {
  const { dir, root, make } = await place(t)
  const projects = make([])
  const launch = {
    projectId: projectIdOf(join(dir, 'launch')),
    path: join(dir, 'launch'),
    title: 'launch',
    launch: true,
    status: 'ok',
  }
  assert.deepEqual(projects.list(), [launch])
  const registering = projects.register({ path: join(root, 'a') })
  assert.equal(registering.ok, false)
})

test('a folder under a root is registered once, kept in a private file, and found by another server', async (t) => {
  const { root, file, projects, make } = await place(t)
  assert.equal(projects.register({ path: join(root, 'a') }).ok, true)
  assert.equal(projects.register({ path: `${root}/a/`, title: 'First' }).ok, true)
  assert.deepEqual(JSON.parse(readFileSync(file, 'utf8')), { projects: [{ path: join(root, 'a'), title: 'First' }] })
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.deepEqual(readdirSync(join(file, '..')), ['projects.json'])
  assert.deepEqual(
    make()
      .list()
      .map(({ title, status }) => `${title} ${status}`),
    ['launch ok', 'First ok'],
  )
})

test('what is not a plain folder under a root is not registered', async (t) => {
  const { dir, root, projects } = await place(t)
  symlinkSync(join(dir, 'outside'), join(root, 'link'))
  const cases: [string, string][] = [
    [join(dir, 'outside'), 'refused'],
    [join(root, 'link'), 'refused'],
    [join(root, 'link', 'secret'), 'refused'],
    [`${root}/../outside`, 'malformed'],
    ['a', 'malformed'],
    [`${root}/a\0b`, 'malformed'],
    [`${root}\\a`, 'malformed'],
    [root, 'refused'],
    [join(root, '.hidden', 'x'), 'not-found'],
    [join(root, 'none'), 'not-found'],
    [join(root, 'file'), 'not-found'],
    ['/etc', 'refused'],
  ]
  for (const [path, code] of cases) {
    const registering = projects.register({ path })
    assert.equal(registering.ok ? 'ok' : registering.refusal.code, code, path)
  }
})

test('a project whose folder is gone, or has become a link, is missing', async (t) => {
  const { dir, root, projects } = await place(t)
  projects.register({ path: join(root, 'a') })
  projects.register({ path: join(root, 'b') })
  const id = projectIdOf(join(root, 'a'))
  renameSync(join(root, 'a'), join(dir, 'moved'))
  rmSync(join(root, 'b'), { recursive: true })
  symlinkSync(join(dir, 'outside'), join(root, 'b'))
  assert.deepEqual(
    projects.list().map(({ status }) => status),
    ['ok', 'missing-dir', 'missing-dir'],
  )
  assert.throws(() => projects.folderFor(id), { code: 'bad-input', message: /is gone/ })
})

test('a list of projects that can’t be understood is left as it is', async (t) => {
  const { root, file, projects } = await place(t)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, '{"projects": [')
  assert.equal(projects.list().length, 1)
  assert.throws(() => projects.register({ path: join(root, 'a') }), { code: 'bad-config' })
  assert.equal(readFileSync(file, 'utf8'), '{"projects": [')
})

test('a project of a root that is no longer declared is not there', async (t) => {
  const { root, projects, make } = await place(t)
  projects.register({ path: join(root, 'a') })
  assert.equal(make([]).list().length, 1)
  assert.throws(() => make([]).folderFor(projectIdOf(join(root, 'a'))), { code: 'bad-input' })
})

test('browsing shows the roots, then folders inside them, and nothing hidden or outside', async (t) => {
  const { dir, root, projects } = await place(t)
  symlinkSync(join(dir, 'outside'), join(root, 'out'))
  symlinkSync(join(root, 'a'), join(root, 'to-a'))
  symlinkSync(join(root, 'gone'), join(root, 'broken'))
  projects.register({ path: join(root, 'a') })
  const roots = await projects.browse(undefined)
  assert.deepEqual(roots.ok && roots.listing, {
    path: null,
    parent: null,
    registrable: false,
    directories: [{ name: 'root', path: root }],
    truncated: false,
  })
  const inside = await projects.browse(root)
  assert.ok(inside.ok)
  const projectId = projectIdOf(join(root, 'a'))
  assert.deepEqual(inside.listing, {
    path: root,
    parent: null,
    registrable: false,
    directories: [
      { name: 'a', path: join(root, 'a'), projectId },
      { name: 'b', path: join(root, 'b') },
      { name: 'to-a', path: join(root, 'a'), projectId },
    ],
    truncated: false,
  })
  const deeper = await projects.browse(join(root, 'a'))
  assert.ok(deeper.ok)
  assert.deepEqual([deeper.listing.parent, deeper.listing.registrable], [root, true])
  for (const path of [dir, join(root, 'out'), join(root, '.hidden'), '/', `${root}/..`, 'root']) {
    assert.deepEqual(await names(projects.browse(path)), ['(refused)'], path)
  }
})

test('a folder with very many folders is listed in part, and says so', async (t) => {
  const { root, projects } = await place(t)
  for (let index = 0; index <= BROWSE_MAX_FOLDERS; index++) mkdirSync(join(root, 'b', `f${index}`))
  const listing = await projects.browse(join(root, 'b'))
  assert.ok(listing.ok)
  assert.deepEqual([listing.listing.directories.length, listing.listing.truncated], [BROWSE_MAX_FOLDERS, true])
})

test('a new thread works in its project’s folder, a stored one in its own whatever is said', async (t) => {
  const { dir, root, projects } = await place(t)
  projects.register({ path: join(root, 'a') })
  const { dialogs } = fakeOpenRequest('x')
  const stored = {
    threadId: 'old',
    projectId: 'p',
    file: '/sessions/old.jsonl',
    cwd: join(root, 'b'),
    title: undefined,
    messageCount: 1,
    lastActivityAt: '',
  }
  const lost = { ...stored, threadId: 'lost', cwd: join(dir, 'lost') }
  const open = createOpenRequest({
    store: createFakeStore([stored, lost]),
    projects,
    threadsDir: '/threads',
    defaults: { dialogs, model: 'local/x', permissionMode: 'plan', trustProject: true },
  })
  const id = projectIdOf(join(root, 'a'))
  const fresh = await open('new', id)
  assert.deepEqual(
    [fresh.cwd, fresh.session, fresh.model],
    [join(root, 'a'), { kind: 'new', dir: `/threads/${id}` }, 'local/x'],
  )
  assert.equal((await open('new')).cwd, join(dir, 'launch'))
  const old = await open('old', id)
  assert.deepEqual(
    [old.cwd, old.session, old.model, old.permissionMode, old.trustProject],
    [realpathSync(join(root, 'b')), { kind: 'stored', file: '/sessions/old.jsonl' }, undefined, undefined, true],
  )
  await assert.rejects(open('new', 'other-project'), { code: 'bad-input', message: /no project/ })
  await assert.rejects(open('lost'), { code: 'bad-input', message: /is gone/ })
})

test('the routes of projects answer with the shapes of the contract', async (t) => {
  const { root } = await place(t)
  const { servedApp } = await import('../support/served-app.js')
  const { ask } = servedApp(t, { roots: [root] })
  const registered = await ask('/api/projects', { method: 'POST', body: { path: join(root, 'a'), title: 'A' } })
  assert.equal(registered.status, 200)
  const project = (await registered.json()) as EnsoProject
  assert.deepEqual([project.title, project.status, project.launch], ['A', 'ok', false])
  assert.equal(((await (await ask('/api/projects')).json()) as unknown[]).length, 2)
  const unknown = await ask('/api/projects', { method: 'POST', body: { path: root, name: 'x' } })
  assert.equal(unknown.status, 400)
  const listing = await ask(`/api/projects/browse?path=${encodeURIComponent(root)}`)
  assert.equal(listing.status, 200)
  const hint = await ask('/api/threads/t1/prompt', {
    method: 'POST',
    body: { message: 'x' },
    headers: { 'x-enso-project': '../x' },
  })
  assert.equal(hint.status, 400)
})
