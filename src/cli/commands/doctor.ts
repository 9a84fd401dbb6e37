import { EnsoError, type EnsoUserConfig, jsonLine } from '../../core/index.js'
import { plural } from '../../core/plural.js'
import { expandHome } from '../../system/home.js'
import { canonicalPath } from '../../system/project-id.js'
import type { EnsoDoctorCheck, EnsoDoctorReport } from '../doctor/check.js'
import { refuseUsage } from '../faults.js'
import type { Palette } from '../print/palette.js'
import { sanitizeLine } from '../print/sanitize.js'
import { outputStyle } from '../threads/subcommand.js'
import type { CliCommand, Invocation } from './command.js'

/** `enso doctor`: does everything here do what a run needs? Exit 1 where something doesn't. */
export const doctorCommand: CliCommand = {
  name: 'doctor',
  usage: ['doctor [--stdio] [--json]'],
  about:
    'Looks at what a run needs: Node, models and credentials, proxy, sandbox, programs, terminal, files; and says what ' +
    'to do about each thing that is wrong. Asks no provider and changes nothing. Exit 1 where there is a fault.',
  flags: [
    {
      title: 'Flags',
      flags: [
        { name: 'stdio', help: 'only what standard input, output and error are' },
        { name: 'json', help: 'one JSON object' },
        { name: 'cwd', short: 'C', value: 'DIR', help: 'the workspace; default: the current folder' },
        { name: 'color', value: 'WHEN', choices: ['auto', 'always', 'never'], help: 'auto, always or never' },
      ],
    },
  ],
  examples: [
    ['enso doctor', 'after an installation, or when something is odd'],
    ['enso doctor --stdio < /dev/null | cat', 'what a run started like this would see'],
  ],
  run: async (invocation) => {
    const { line, io } = invocation
    if ([...line.words, ...line.literal].length > 0) return refuseUsage(io, [], { reason: 'doctor takes no word' })
    const checks = await (line.has('stdio') ? streams(invocation) : everything(invocation))
    const report: EnsoDoctorReport = { ok: checks.every(({ status }) => status !== 'fault'), checks }
    const { palette } = outputStyle(invocation)
    io.stdout.write(line.has('json') ? `${jsonLine(report)}\n` : textOf(report, palette))
    return report.ok ? 0 : 1
  },
}

async function streams({ io }: Invocation): Promise<EnsoDoctorCheck[]> {
  return (await import('../doctor/stdio.js')).stdioChecks(io)
}

async function everything(invocation: Invocation): Promise<EnsoDoctorCheck[]> {
  const { line, io, parts } = invocation
  const cwd = canonicalPath(expandHome(line.value('cwd') ?? '.', io.env, io.cwd))
  const [program, machine, home] = await Promise.all([
    import('../doctor/program.js'),
    import('../doctor/machine.js'),
    import('../doctor/home.js'),
  ])
  const config = await configOrNothing(invocation)
  return [
    ...program.programChecks(parts, process.versions.node),
    ...(await program.configChecks(parts, cwd)),
    ...(await program.modelChecks(parts, cwd, config.defaultModel)),
    program.proxyCheck(io.env),
    await program.sandboxCheck(parts, config.sandbox ?? 'off'),
    ...(await machine.programsOfMachine(io.env)),
    machine.terminalCheck(io),
    ...(await streams(invocation)),
    ...home.homeChecks(parts.home),
  ]
}

/** A broken file has a line of its own; the other checks go on without it. */
async function configOrNothing({ parts }: Invocation): Promise<EnsoUserConfig> {
  try {
    return await parts.userConfig()
  } catch (error) {
    if (error instanceof EnsoError) return {}
    throw error
  }
}

const NAME_WIDTH = 13

function textOf({ checks }: EnsoDoctorReport, palette: Palette): string {
  const sign = {
    ok: palette.green('✓'),
    warning: palette.yellow('!'),
    fault: palette.red('✗'),
  }
  const lines = checks.flatMap(({ name, status, found, todo }) => [
    `${sign[status]} ${name.padEnd(NAME_WIDTH)} ${sanitizeLine(found)}`,
    ...(todo === undefined ? [] : [`  ${' '.repeat(NAME_WIDTH)} → ${sanitizeLine(todo)}`]),
  ])
  const of = (status: EnsoDoctorCheck['status']): number => checks.filter((check) => check.status === status).length
  const said = [counted(of('fault'), 'fault'), counted(of('warning'), 'warning')].filter((text) => text !== '')
  return `${lines.join('\n')}\n\n${said.join(', ') || 'everything a run needs is here'}\n`
}

function counted(number: number, word: string): string {
  return number === 0 ? '' : plural(number, word)
}
