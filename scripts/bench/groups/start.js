/** @param {import('../subjects.js').Programs} programs @returns {import('../subjects.js').Group} */
export function start({ enso, pi }) {
  const commands = {
    '--version': ['--version'],
    '--help': ['--help'],
    threads: ['threads', 'list'],
    stats: ['stats'],
    schema: ['schema'],
    completion: ['completion', 'bash'],
  }
  const ours = Object.entries(commands).map(([name, argv]) => ({ name: `enso ${name}`, argv: [enso, ...argv] }))
  return {
    name: 'start',
    about: 'commands that need no model',
    subjects: [{ name: 'node -e 0', argv: ['-e', '0'] }, ...ours, { name: 'pi --version', argv: [pi, '--version'] }],
    pairs: [
      ...ours.map(({ name }) => ({
        ours: name,
        theirs: 'node -e 0',
        figures: /** @type {const} */ (['wallMs', 'cpuMs']),
      })),
      { ours: 'enso --version', theirs: 'pi --version', figures: ['wallMs', 'cpuMs'] },
    ],
  }
}
