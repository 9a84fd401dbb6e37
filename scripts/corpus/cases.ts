import { readFileSync } from 'node:fs'

/** One step that prepares a case's world. */
export type SetupStep =
  | {
      readonly op: 'file' | 'disk-write' | 'tool-write'
      readonly path: string
      readonly content: string
      readonly keepMtime?: boolean
    }
  | { readonly op: 'symlink'; readonly path: string; readonly target: string }
  | { readonly op: 'read' | 'touch' | 'disk-delete'; readonly path: string }
  | {
      readonly op: 'tool-edit'
      readonly path: string
      readonly edits: readonly { readonly oldText: string; readonly newText: string }[]
    }
  | {
      readonly op: 'bash'
      readonly command: string
      readonly effect: { readonly path: string; readonly content: string } | null
    }

/** One line of a corpus file, as far as it is read here. */
export interface CorpusCase {
  readonly id: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  readonly expect: 'allow' | 'deny'
  readonly layer: string
  readonly cwd?: string
  readonly home?: string
  readonly rule?: string
  readonly ruleAny?: readonly string[]
  readonly contested?: boolean
  readonly setup?: readonly SetupStep[]
  /** The policy in force, as a value or as the text of a file; absent or null is the default. */
  readonly policy?: unknown
  readonly policyText?: string | null
  readonly resultMustContain?: readonly string[]
  readonly resultMustNotContain?: readonly string[]
}

/** Reads corpus files. @throws Error naming the file and line that is no case */
export function readCases(files: readonly string[]): CorpusCase[] {
  return files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => {
        if (line.trim() === '') return []
        const where = `${file}:${index + 1}`
        let value: unknown
        try {
          value = JSON.parse(line)
        } catch {
          throw new Error(`${where} is not JSON`)
        }
        if (!isCase(value)) throw new Error(`${where} is not a case: it needs id, tool, input, expect and layer`)
        return [value]
      }),
  )
}

function isCase(value: unknown): value is CorpusCase {
  if (typeof value !== 'object' || value === null) return false
  const { id, tool, input, expect, layer } = value as Record<string, unknown>
  const named = typeof id === 'string' && typeof tool === 'string' && typeof layer === 'string'
  return named && typeof input === 'object' && input !== null && (expect === 'allow' || expect === 'deny')
}

/** The kind of a case: its id without its number. */
export const familyOf = ({ id }: CorpusCase): string => id.replace(/-\d+$/, '')
