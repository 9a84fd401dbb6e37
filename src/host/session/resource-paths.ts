import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ensoLogger } from '../../core/index.js'
import { loose } from '../observe/message-values.js'

const log = ensoLogger('host', 'resources')

/** Files the library loads code, skills, templates and its system prompt from; each is there. */
export interface ResourcePaths {
  readonly extensions: readonly string[]
  readonly skills: readonly string[]
  readonly promptTemplates: readonly string[]
  /** A file that replaces the system prompt. */
  readonly systemPrompt: string | undefined
  readonly appendSystemPrompt: readonly string[]
}

const isCode = (name: string): boolean => /\.(ts|mts|js|mjs)$/.test(name) && !name.endsWith('.d.ts')

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

/** What a folder of one extension declares in its package.json, else its index file. */
function entriesOfFolder(folder: string): string[] {
  const manifest = join(folder, 'package.json')
  if (existsSync(manifest)) {
    try {
      const declared = loose(loose(JSON.parse(readFileSync(manifest, 'utf8')))['pi'])['extensions']
      if (Array.isArray(declared))
        return declared.filter((path) => typeof path === 'string').map((path) => resolve(folder, path))
    } catch (error) {
      log.warn('an extension has a package.json that is no JSON: {manifest}', { manifest, error: String(error) })
    }
  }
  return ['index.ts', 'index.js', 'index.mjs']
    .map((name) => join(folder, name))
    .filter(existsSync)
    .slice(0, 1)
}

/** The extensions of a folder in the order of their names: code files, and folders with an entry of their own. */
export function extensionsIn(folder: string): string[] {
  if (!isFolder(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      return isFolder(path) ? entriesOfFolder(path) : isCode(name) ? [path] : []
    })
}

const existing = (...paths: string[]): string[] => paths.filter((path) => existsSync(path))

/**
 * Where a thread's resources come from: the agent directory and what the person named; the project's own only when
 * the person trusts it, since its code would run and its words would instruct.
 */
export function resourcePaths(options: {
  readonly agentDir: string
  readonly cwd: string
  readonly extensionPaths: readonly string[]
  readonly trustProject: boolean
}): ResourcePaths {
  const { agentDir, cwd, trustProject } = options
  const roots = [agentDir, ...(trustProject ? [join(cwd, '.pi'), join(cwd, '.enso')] : [])]
  const named = options.extensionPaths.flatMap((path) =>
    isFolder(path) ? [...entriesOfFolder(path), ...extensionsIn(path)] : [path],
  )
  return {
    extensions: [...new Set([...roots.flatMap((root) => extensionsIn(join(root, 'extensions'))), ...named])],
    skills: existing(
      ...roots.map((root) => join(root, 'skills')),
      ...(trustProject ? [join(cwd, '.agents', 'skills')] : []),
    ),
    promptTemplates: existing(...roots.map((root) => join(root, 'prompts'))),
    systemPrompt: existing(...[...roots].reverse().map((root) => join(root, 'SYSTEM.md')))[0],
    appendSystemPrompt: existing(...roots.map((root) => join(root, 'APPEND_SYSTEM.md'))),
  }
}
