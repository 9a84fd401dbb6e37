import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenFollow } from '../../../src/cli/connect/client.js'
import { createRemoteFollow } from '../../../src/cli/connect/remote-follow.js'
import { EnsoError, type EnsoFollowFrame, type EnsoFollowSnapshot } from '../../../src/core/index.js'
import { createRecordingFollower, settleTicks } from '../../support/fake-threads.js'
import { createManualClock } from '../../support/manual-clock.js'

const snapshot = (given: Partial<EnsoFollowSnapshot> = {}): EnsoFollowSnapshot => ({
  type: 'snapshot',
  threadId: 't',
  cwd: '/work',
  asOfSeq: 0,
  generation: 0,
  busy: false,
  live: true,
  messages: [],
  openDialogs: [],
  permissionMode: { mode: 'default', available: [] },
  model: null,
  usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, cost: 0, context: null },
  ...given,
})
const delta = (seq: number, text: string): EnsoFollowFrame => ({
  type: 'observation',
  seq,
  observation: { kind: 'text-delta', contentIndex: 0, delta: text },
})

/** A server that a test plays. */
function playedServer(refusing?: EnsoError) {
  const connections: { send(frame: EnsoFollowFrame): void; cut(): void; readonly signal: AbortSignal }[] = []
  const clock = createManualClock()
  const said = { notes: [] as string[], faults: [] as EnsoError[], settles: 0 }
  let refuse = refusing
  let settle: Promise<void> = Promise.resolve()
  const remote = createRemoteFollow({
    client: {
      follow: async (_threadId, onFrame, signal): Promise<OpenFollow> => {
        if (refuse !== undefined) throw refuse
        let cut: () => void = () => undefined
        const ended = new Promise<void>((resolve) => void (cut = resolve))
        connections.push({ send: onFrame, cut, signal })
        return { ended }
      },
    },
    threadId: 't',
    clock,
    onFrame: () => undefined,
    beforeSettled: () => {
      said.settles++
      return settle
    },
    note: (text) => said.notes.push(text),
    onFault: (error) => said.faults.push(error),
  })
  return {
    remote,
    clock,
    said,
    connection: async (index: number) => {
      for (let turn = 0; turn < 50 && connections.length <= index; turn++) {
        await settleTicks()
        clock.advance(500)
      }
      return connections[index]!
    },
    connections: () => connections.length,
    refuseWith: (error: EnsoError | undefined) => void (refuse = error),
    holdSettle: (until: Promise<void>) => void (settle = until),
  }
}

test('one connection serves every reader here, one that joins a little later too', async () => {
  const { remote, connection, connections } = playedServer()
  const server = await connection(0)
  server.send(snapshot())
  assert.equal((await remote.opened).cwd, '/work')
  const first = createRecordingFollower()
  remote.follow(first)
  server.send(delta(1, 'a'))
  const second = createRecordingFollower()
  remote.follow(second)
  server.send(delta(2, 'b'))
  assert.deepEqual(second.frames, first.frames)
  assert.deepEqual(first.kinds(), ['snapshot', 'text-delta', 'text-delta'])
  assert.equal(connections(), 1)
})

test('a connection that is lost is made again, and a snapshot that tells nothing new is passed over', async () => {
  const { remote, connection, said } = playedServer()
  const server = await connection(0)
  server.send(snapshot({ asOfSeq: 3, generation: 1, busy: true }))
  const reader = createRecordingFollower()
  remote.follow(reader)
  server.send(delta(4, 'a'))
  server.cut()
  const again = await connection(1)
  again.send(snapshot({ asOfSeq: 4, generation: 1, busy: true }))
  again.send(delta(5, 'b'))
  assert.deepEqual(reader.kinds(), ['snapshot', 'text-delta', 'text-delta'])
  again.cut()
  const third = await connection(2)
  third.send(snapshot({ asOfSeq: 9, generation: 1, busy: false }))
  assert.deepEqual(reader.kinds().slice(3), ['snapshot'])
  assert.deepEqual(
    said.notes.map((note) => note.split(';')[0]),
    [
      'the connection to the server is lost',
      'connected again',
      'the connection to the server is lost',
      'connected again',
    ],
  )
  assert.deepEqual(said.faults, [])
})

test('a server that comes back without the run that went on is a fault', async () => {
  const { remote, connection, said } = playedServer()
  const server = await connection(0)
  server.send(snapshot({ asOfSeq: 3, generation: 2, busy: true }))
  remote.follow(createRecordingFollower())
  server.cut()
  const again = await connection(1)
  again.send(snapshot({ live: false }))
  assert.match(said.faults[0]?.message ?? '', /started anew/)
})

test('a server that stays away is given up after a minute', async () => {
  const { remote, connection, clock, said, refuseWith } = playedServer()
  const server = await connection(0)
  server.send(snapshot())
  await remote.opened
  refuseWith(new EnsoError('host-fault', 'gone'))
  server.cut()
  for (let turn = 0; turn < 40; turn++) {
    await settleTicks()
    clock.advance(2000)
  }
  assert.deepEqual(
    said.faults.map(({ message }) => message),
    ['gone'],
  )
})

test('a server that refuses is not asked again', async () => {
  const first = playedServer(new EnsoError('bad-input', 'no'))
  await assert.rejects(first.remote.opened, { code: 'bad-input' })
  const { remote, connection, said, refuseWith, clock } = playedServer()
  const server = await connection(0)
  server.send(snapshot())
  await remote.opened
  refuseWith(new EnsoError('bad-input', 'another token'))
  server.cut()
  for (let turn = 0; turn < 3; turn++) {
    await settleTicks()
    clock.advance(200)
  }
  assert.deepEqual(
    said.faults.map(({ message }) => message),
    ['another token'],
  )
})

test('what comes after the end of a run waits until the end has been asked about', async () => {
  const { remote, connection, said, holdSettle } = playedServer()
  let release: () => void = () => undefined
  holdSettle(new Promise((resolve) => void (release = resolve)))
  const server = await connection(0)
  server.send(snapshot({ busy: true, generation: 1 }))
  const reader = createRecordingFollower()
  remote.follow(reader)
  server.send({ type: 'observation', seq: 1, observation: { kind: 'settled' } })
  server.send({ type: 'status', generation: 1, busy: false, live: true })
  await settleTicks()
  assert.deepEqual([reader.kinds(), said.settles], [['snapshot'], 1])
  release()
  await settleTicks()
  assert.deepEqual(reader.kinds(), ['snapshot', 'settled', 'status'])
})

test('closing ends the connection and gives a slow reader what it was owed', async () => {
  const { remote, connection } = playedServer()
  const server = await connection(0)
  server.send(snapshot())
  const reader = createRecordingFollower()
  remote.follow(reader)
  reader.keepsUp = false
  server.send(delta(1, 'a'))
  server.send(delta(2, 'b'))
  server.send(delta(3, 'c'))
  remote.close()
  assert.equal(server.signal.aborted, true)
  assert.deepEqual(
    reader.observations().map((seen) => (seen.kind === 'text-delta' ? seen.delta : '')),
    ['a', 'bc'],
  )
  assert.deepEqual(reader.ended, ['closed'])
})
