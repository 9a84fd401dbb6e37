import { existsSync, readFileSync } from 'node:fs'
import { arch, release, type as osType } from 'node:os'
import { resolve } from 'node:path'
import { EnsoError } from '../../core/index.js'
import { makeLogBundle } from '../../log/bundle-file.js'
import { credentialFilesOf } from '../../log/credential-files.js'
import { localDayOf } from '../../log/day.js'
import { logDays } from '../../log/log-days.js'
import { createKnownSecrets } from '../../log/redact/known-secrets.js'
import { createRedactor } from '../../log/redact/redactor.js'
import { writePrivateFile } from '../../system/private-files.js'
import type { Invocation } from '../commands/command.js'
import type { CliIo } from '../io.js'
import type { CliParts } from '../parts.js'
import type { LogsOptions } from './options.js'
import { allSources, daysHint, logSources, type LogSource } from './sources.js'

/**
 * `enso logs bundle`: one Markdown file of records to read and to send. With a thread and no day it covers every day.
 * @throws EnsoError `bad-input` where there is nothing to bundle, `disk` where the file can't be written
 */
export async function writeBundle({ io, parts }: Invocation, options: LogsOptions): Promise<number> {
  const sources = await bundleSources(io, parts, options)
  const bundle = await makeLogBundle({
    files: sources.map(({ path }) => path),
    question: options.question,
    about: {
      at: new Date(io.clock.now()).toISOString(),
      enso: parts.version,
      pi: parts.agentLibrary.version,
      bun: `node ${process.versions.node}`,
      os: `${osType()} ${release()} ${arch()}`,
      selection: selectionText(options, sources),
    },
    threads: [],
    redactor: createRedactor(secretsOf(io, parts)),
  })
  if (bundle.matched === 0) {
    throw new EnsoError('bad-input', 'no record answers this selection', {
      hint: daysHint(logDays(parts.home.logsDir)),
    })
  }
  if (options.output === '-') {
    io.stdout.write(bundle.text)
    return 0
  }
  const path = resolve(io.cwd, options.output ?? `enso-logs-${localDayOf(io.clock.now())}.md`)
  try {
    writePrivateFile(path, bundle.text)
  } catch (error) {
    throw new EnsoError('disk', `${path} can't be written: ${(error as Error).message}`, { cause: error })
  }
  io.stdout.write(`${path}\n`)
  io.stderr.write(`${bundle.records} of ${bundle.matched} records; read the file before you send it\n`)
  return 0
}

async function bundleSources(io: CliIo, parts: CliParts, options: LogsOptions): Promise<readonly LogSource[]> {
  const { logsDir } = parts.home
  const { question, day, file } = options
  if (file !== undefined) throw new EnsoError('bad-input', 'logs bundle takes days, not --file')
  if (day === undefined && question.thread !== undefined && question.notBefore === 0) return allSources(logsDir)
  return logSources(options, logsDir, io.clock.now(), io.cwd)
}

function selectionText({ question, day }: LogsOptions, sources: readonly LogSource[]): string {
  const days = sources.map((source) => source.day ?? source.path)
  const parts = [
    day ?? (days.length <= 3 ? days.join(', ') : `${days.length} days, ${days[0]} to ${days.at(-1)}`),
    question.thread === undefined ? 'every thread' : `threads ${question.thread}…`,
    ...(question.process === undefined ? [] : [`process ${question.process}`]),
    ...(question.levelRank === 0 ? [] : [`tier ${question.levelRank} and above`]),
    ...(question.notBefore === 0 ? [] : [`since ${new Date(question.notBefore).toISOString()}`]),
    ...(question.grep === undefined ? [] : ['records with a text that was looked for']),
  ]
  return parts.join('; ')
}

function secretsOf(io: CliIo, parts: CliParts): ReturnType<typeof createKnownSecrets> {
  const secrets = createKnownSecrets()
  secrets.addEnvironment(io.env)
  for (const file of credentialFilesOf(parts.home.agentDir)) {
    if (existsSync(file)) secrets.addCredentialFile(readFileSync(file, 'utf8'))
  }
  return secrets
}
