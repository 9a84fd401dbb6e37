import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { performance } from 'node:perf_hooks'
import { decideToolCall } from '../../src/host/extensions/guards/decide.js'
import { openedPath } from '../../src/host/extensions/guards/file-tools.js'
import type { GuardDecision } from '../../src/host/extensions/guards/finding.js'
import { withoutSecretLines } from '../../src/host/extensions/guards/grep-filter.js'
import { realPathOf } from '../../src/host/extensions/guards/paths.js'
import type { GuardWorld } from '../../src/host/extensions/guards/world.js'
import type { CorpusCase, SetupStep } from './cases.js'
import { createCaseWorld } from './world.js'

/** What a part beside the guards made of a case, and which of its demands were not met. */
export interface PartDecision {
  readonly kind: 'allow' | 'deny'
  readonly problems: readonly string[]
}

/** What came of one case. `skipped` where nothing here can run it. */
export interface CaseOutcome {
  readonly item: CorpusCase
  readonly decision: GuardDecision | PartDecision | 'skipped'
  /** The decision is the expected one, and what the result must and must not show holds. */
  readonly right: boolean
  /** A denial names the case's rule or one that is as good. */
  readonly rightRule: boolean
  readonly milliseconds: number
}

/** Tools the guards decide about; each other one is run by a part of its own. */
const GUARDED = new Set(['bash', 'read', 'write', 'edit', 'grep', 'find', 'ls'])

/** Runs one case in a world of its own, which is gone afterwards. */
export function runCase(item: CorpusCase, attended = false): CaseOutcome {
  if (!GUARDED.has(item.tool)) return { item, decision: 'skipped', right: false, rightRule: false, milliseconds: 0 }
  const made = createCaseWorld(item, attended)
  const { world } = made
  try {
    for (const step of made.mapped(item.setup ?? [])) takeStep(step, world)
    const input = made.mapped(item.input)
    const start = performance.now()
    const decision = decideToolCall({ toolName: item.tool, input }, world)
    const milliseconds = performance.now() - start
    const rules = [item.rule, ...(item.ruleAny ?? [])]
    const shows = decision.kind === 'deny' || showsRightly(item, input, world)
    return {
      item,
      decision,
      right: decision.kind === item.expect && shows,
      rightRule: decision.kind === 'deny' && rules.includes(decision.rule),
      milliseconds,
    }
  } finally {
    made.remove()
  }
}

function takeStep(step: SetupStep, world: GuardWorld): void {
  const path = step.op === 'bash' ? world.cwd : openedPath(step.path, world)
  const saw = (): void => world.freshness.saw(realPathOf(path, world.cwd))
  switch (step.op) {
    case 'file':
      return put(path, step.content)
    case 'tool-write':
      put(path, step.content)
      return saw()
    case 'disk-write': {
      const before = step.keepMtime === true ? statSync(path) : undefined
      put(path, step.content)
      if (before !== undefined) utimesSync(path, before.atime, before.mtime)
      return
    }
    case 'symlink':
      mkdirSync(dirname(path), { recursive: true })
      return symlinkSync(step.target, path)
    case 'read':
      if (decideToolCall({ toolName: 'read', input: { path: step.path } }, world).kind === 'allow') saw()
      return
    case 'touch':
      return utimesSync(path, new Date(), new Date())
    case 'disk-delete':
      return rmSync(path, { recursive: true, force: true })
    case 'tool-edit': {
      const text = step.edits.reduce(
        (content, edit) => content.replace(edit.oldText, () => edit.newText),
        readFileSync(path, 'utf8'),
      )
      put(path, text)
      return saw()
    }
    case 'bash':
      if (step.effect !== null && step.effect !== undefined)
        put(openedPath(step.effect.path, world), step.effect.content)
  }
}

function put(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, content)
}

/** For a search: what it prints after the guards' filter, held against the case. */
function showsRightly(item: CorpusCase, input: Readonly<Record<string, unknown>>, world: GuardWorld): boolean {
  const { resultMustContain = [], resultMustNotContain = [] } = item
  if (item.tool !== 'grep' || resultMustContain.length + resultMustNotContain.length === 0) return true
  const place = openedPath(textOf(input, 'path', '.'), world)
  const printed = search(place, new RegExp(textOf(input, 'pattern', '')))
  const result = withoutSecretLines(printed, place, world) ?? printed
  return (
    resultMustContain.every((text) => result.includes(text)) &&
    !resultMustNotContain.some((text) => result.includes(text))
  )
}

/** A search in the format of the agent library's `grep`, hidden files included. */
function search(folder: string, pattern: RegExp): string {
  const lines: string[] = []
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    readFileSync(path, 'utf8')
      .split('\n')
      .forEach((line, index) => {
        if (pattern.test(line)) lines.push(`${relative(folder, path)}:${index + 1}: ${line}`)
      })
  }
  return lines.join('\n')
}

function textOf(input: Readonly<Record<string, unknown>>, key: string, otherwise: string): string {
  const value = input[key]
  return typeof value === 'string' ? value : otherwise
}
