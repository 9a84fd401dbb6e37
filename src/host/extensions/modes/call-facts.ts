import { basename, dirname } from 'node:path'
import type { CallKind } from './decide.js'
import type { RuleSubject } from './rules.js'
import {
  allowableCommands,
  looseSpellingsOf,
  shellKind,
  type ShellAnalysis,
  spellingsOf,
  UNKNOWN_FILE,
} from './shell-kind.js'
import { showChange, showCommand, showInput } from './show.js'

/** The one file that plan mode may write, directly in the workspace. */
export const PLAN_FILE = 'PLAN.md'

const READS = new Set(['read', 'grep', 'find', 'ls'])
const WEB = new Set(['web_fetch', 'web_search'])

/** How a call is looked at: what it needs of the thread to be understood. */
export interface CallContext {
  readonly cwd: string
  /** The path a file tool would really open. */
  readonly realPath: (path: string) => string
  readonly analyse: (command: string) => ShellAnalysis
  /** Does this tool come from an extension that the person installed? */
  readonly isInstalled: (toolName: string) => boolean
}

/** A call as a mode and a person see it. */
export interface CallFacts {
  readonly kind: CallKind
  readonly subject: RuleSubject
  /** One line: what it is. */
  readonly title: string
  /** Everything a person needs to decide, as plain text. */
  readonly message: string
  /** Rules that would allow the same again in this session; none where it can't be told what it does. */
  readonly sessionRules: readonly string[]
}

/** Looks at one tool call. */
export function callFacts(tool: string, input: Readonly<Record<string, unknown>>, context: CallContext): CallFacts {
  if (tool === 'bash') return shellFacts(String(input['command'] ?? ''), context)
  if (tool === 'write' || tool === 'edit') return changeFacts(tool, input, context)
  const kind = kindOf(tool, context)
  return {
    kind,
    subject: wholeSubject(tool, subjectsOf(input)),
    title: `Run ${tool}?`,
    message: showInput(input),
    sessionRules: [tool],
  }
}

function kindOf(tool: string, context: CallContext): CallKind {
  if (READS.has(tool)) return 'read'
  if (WEB.has(tool)) return 'web'
  if (tool === 'ask_user') return 'question'
  return context.isInstalled(tool) ? 'installed' : 'unknown'
}

function shellFacts(command: string, context: CallContext): CallFacts {
  const analysis = context.analyse(command)
  const parts = allowableCommands(analysis).map(spellingsOf)
  const writes = analysis.writes.map((file) => [`> ${file}`])
  const dynamic =
    analysis.doubt !== undefined ||
    analysis.leaves ||
    analysis.writes.includes(UNKNOWN_FILE) ||
    analysis.commands.some((part) => part.dynamic)
  return {
    kind: shellKind(analysis),
    subject: {
      tool: 'bash',
      parts: [...analysis.commands.map(looseSpellingsOf), ...writes],
      toAllow: parts,
      writes,
      dynamic,
    },
    title: 'Run this command?',
    message: showCommand(command, context.cwd),
    sessionRules: dynamic ? [] : [...parts, ...writes].map(([part]) => `bash(${part})`),
  }
}

function changeFacts(tool: string, input: Readonly<Record<string, unknown>>, context: CallContext): CallFacts {
  const path = context.realPath(String(input['path'] ?? input['file_path'] ?? ''))
  const isPlan = basename(path) === PLAN_FILE && dirname(path) === context.cwd
  return {
    kind: isPlan ? 'plan-file' : 'write',
    subject: wholeSubject(tool, [path, relativeTo(context.cwd, path)]),
    title: tool === 'write' ? 'Write this file?' : 'Change this file?',
    message: showChange(tool, input, path),
    sessionRules: [`${tool}(${path})`],
  }
}

/** A call that is one part. */
function wholeSubject(tool: string, spellings: readonly string[]): RuleSubject {
  return { tool, parts: [spellings], toAllow: [spellings], writes: [], dynamic: false }
}

function relativeTo(cwd: string, path: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path
}

function subjectsOf(input: Readonly<Record<string, unknown>>): string[] {
  return [input['path'], input['url'], input['query'], input['pattern']].filter((value) => typeof value === 'string')
}
