const ALL = /** @type {const} */ (['wallMs', 'cpuMs', 'peakMiB', 'bytes'])

/**
 * @param {import('../subjects.js').Programs} programs
 * @param {boolean} full pi's own 20,000 too, which takes minutes or runs out of memory
 * @returns {import('../subjects.js').Group}
 */
export function stream({ enso, pi, piFlags, program, bundledMinimal, leanMinimal, agents }, full) {
  const argv = [enso, '--json', '-m', 'local/x', '--ephemeral', 'hello']
  const piArgv = [pi, '--mode', 'json', ...piFlags, 'hello']
  const others = agents.map(({ name, command, json, env }) => ({ name: `${name} 20k`, command, argv: json, env }))
  const twenty = [
    { name: 'bare stream 20k', argv: [program('bare-request.js'), '--json'] },
    { name: 'minimal script on pi 20k', argv: [program('minimal-pi.js')] },
    { name: 'minimal script, bundled 20k', argv: [bundledMinimal] },
    { name: 'minimal script, bundled lean 20k', argv: [leanMinimal] },
    { name: 'enso --json 20k', argv },
    ...others,
    { name: 'enso 20k', argv: [enso, '-m', 'local/x', '--ephemeral', 'hello'] },
    ...(full ? [{ name: 'pi --mode json 20k', argv: piArgv }] : []),
  ]
  return {
    name: 'stream',
    about: 'one reply of 20,000 chunks as JSON lines (pi: 2,000, where it has not yet run out of memory)',
    subjects: [
      ...twenty.map((subject) => ({ ...subject, deltas: 20_000 })),
      { name: 'enso --json 100k', argv, deltas: 100_000 },
      { name: 'enso --json 2k', argv, deltas: 2000 },
      { name: 'pi --mode json 2k', argv: piArgv, deltas: 2000 },
    ],
    pairs: [
      { ours: 'enso --json 20k', theirs: 'minimal script, bundled 20k', figures: ALL },
      { ours: 'enso --json 20k', theirs: 'minimal script, bundled lean 20k', figures: ALL },
      { ours: 'enso --json 20k', theirs: 'minimal script on pi 20k', figures: ALL },
      { ours: 'enso --json 20k', theirs: 'bare stream 20k', figures: ['wallMs', 'cpuMs', 'peakMiB'] },
      ...others.map(({ name }) => ({ ours: 'enso --json 20k', theirs: name, figures: ALL })),
      { ours: 'enso --json 100k', theirs: 'enso --json 20k', figures: ['cpuMs', 'peakMiB'] },
      { ours: 'enso --json 2k', theirs: 'pi --mode json 2k', figures: ALL },
    ],
  }
}
