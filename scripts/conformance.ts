// Prints how the built program behaves on a pipe, and how the agent library's own program does beside it, on the same
// scripted endpoint. Exits 1 when one of our rows is not as it must be.
//   node --import tsx scripts/conformance.ts [PART-OF-A-ROW’S-NAME]
import { startModelServer } from '../test/support/model-server.js'
import { type Probe, PROBES, type Seen } from './conformance/probes.js'
import { createWorld, type Subject, SUBJECTS } from './conformance/subject.js'

async function probe(row: Probe, subject: Subject): Promise<Seen> {
  const server = await startModelServer()
  const world = createWorld(subject, server)
  try {
    return await row.run(world, subject)
  } finally {
    world.dispose()
    await server.close()
  }
}

const wanted = process.argv[2] ?? ''
let failed = 0
console.log(`| ${['row', ...SUBJECTS.map(({ name }) => name)].join(' | ')} |`)
console.log(`|${'---|'.repeat(SUBJECTS.length + 1)}`)
for (const row of PROBES.filter(({ name }) => name.includes(wanted))) {
  const cells: string[] = []
  for (const subject of SUBJECTS) {
    const { ok, what } = await probe(row, subject)
    if (!ok && subject.name === 'enso') failed++
    cells.push(`${ok ? '✓' : '✗'} ${what}`)
  }
  console.log(`| ${[row.name, ...cells].join(' | ')} |`)
}
console.log(failed === 0 ? '\nenso passes every row' : `\nenso fails ${failed} rows`)
process.exit(failed === 0 ? 0 : 1)
