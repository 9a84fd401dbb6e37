const ALL = /** @type {const} */ (['requestMs', 'wallMs', 'cpuMs', 'peakMiB'])

/** @param {import('../subjects.js').Programs} programs @returns {import('../subjects.js').Group} */
export function hello({ enso, pi, piFlags, program, bundledMinimal, leanMinimal, extension, agents }) {
  const unstored = ['-m', 'local/x', '--ephemeral']
  const others = agents.map(({ name, command, argv, env }) => ({ name, command, argv, env }))
  const subjects = [
    { name: 'bare request', argv: [program('bare-request.js')] },
    { name: 'enso', argv: [enso, ...unstored, 'hello'] },
    // Right beside it: the quickest are compared at the same moment of the machine.
    ...others,
    { name: 'enso --json', argv: [enso, '--json', ...unstored, 'hello'] },
    { name: 'enso, stored', argv: [enso, '-m', 'local/x', 'hello'] },
    { name: 'enso, an extension', argv: [enso, ...unstored, '-e', extension, 'hello'] },
    { name: 'minimal script on pi', argv: [program('minimal-pi.js')] },
    { name: 'minimal script, bundled', argv: [bundledMinimal] },
    { name: 'minimal script, bundled lean', argv: [leanMinimal] },
    { name: 'pi -p', argv: [pi, '-p', ...piFlags, 'hello'] },
    { name: 'pi --mode json', argv: [pi, '--mode', 'json', ...piFlags, 'hello'] },
    { name: 'pi -p, an extension', argv: [pi, '-p', ...piFlags, '-e', extension, 'hello'] },
  ]
  return {
    name: 'hello',
    about: 'one prompt, a reply of one chunk',
    subjects: subjects.map((subject) => ({ ...subject, deltas: 1 })),
    pairs: [
      { ours: 'enso', theirs: 'pi -p', figures: ALL },
      ...others.map(({ name }) => ({ ours: 'enso', theirs: name, figures: ALL })),
      { ours: 'enso --json', theirs: 'pi --mode json', figures: ALL },
      { ours: 'enso', theirs: 'minimal script, bundled', figures: ALL },
      { ours: 'enso', theirs: 'minimal script, bundled lean', figures: ALL },
      { ours: 'enso', theirs: 'bare request', figures: ALL },
      { ours: 'enso, stored', theirs: 'enso', figures: ['wallMs', 'cpuMs'] },
      { ours: 'enso, an extension', theirs: 'pi -p, an extension', figures: ALL },
    ],
  }
}
