import { readFileSync } from 'node:fs'
import { inRoot } from './root.js'

/** The blocks of one language of a page, in order, without their fences. */
export function blocksOf(page: string, language: string): string[] {
  const text = readFileSync(inRoot(page), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(([, body = '']) => body)
}

/** A step of a workflow that runs commands. */
export interface WorkflowStep {
  readonly name: string
  /** Its `if`, where it has one. */
  readonly condition: string | undefined
  readonly env: Readonly<Record<string, string>>
  readonly run: string
}

/** The steps of a workflow that run commands, read as this project writes such files: two spaces a level, `run: |`. */
export function workflowSteps(file: string): WorkflowStep[] {
  const lines = readFileSync(inRoot(file), 'utf8').split('\n')
  const starts = lines.flatMap((line, index) => (/^ {6}- /.test(line) ? [index] : []))
  return starts.flatMap((start, index) => {
    const step = lines.slice(start, starts[index + 1]).map((line) => line.replace(/^ {6}- /, '        '))
    const value = (key: string): string | undefined =>
      step.map((line) => new RegExp(`^ {8}${key}: (.+)$`).exec(line)?.[1]).find((found) => found !== undefined)
    const at = step.indexOf('        run: |')
    if (at === -1) return []
    const env = [
      ...step
        .slice(0, at)
        .join('\n')
        .matchAll(/^ {10}([A-Z_]+): (.+)$/gm),
    ]
    return [
      {
        name: value('name') ?? '',
        condition: value('if'),
        env: Object.fromEntries(env.map(([, name = '', text = '']) => [name, text])),
        run: step
          .slice(at + 1)
          .map((line) => line.slice(10))
          .join('\n'),
      },
    ]
  })
}
