import type { Redirect, Redirection } from 'unbash'
import { networkDevice } from './network-device.js'
import { absolutePath, find, type Shell } from './context.js'
import { isUnknown } from './marks.js'
import { secretWordFinding } from './secret-words.js'
import { wordSource } from './source.js'
import { expandBody, expandSingle } from './words.js'
import { writeWordFinding } from './write-words.js'

/** Where a command's streams go once its redirections are in force. */
export interface Streams {
  /** The known text on its input. */
  readonly stdin: string | undefined
  /** Takes what the command prints: into the files it is redirected to, or on to the next command. */
  keep(output: string | undefined): string | undefined
}

/** Judges redirections and follows what is known of the text that runs through them. */
export function applyRedirections(redirections: readonly Redirection[], shell: Shell, revealed: Set<string>): Streams {
  const { run, state } = shell
  const source = wordSource(shell, revealed)
  let { stdin } = shell
  const files: string[] = []
  let elsewhere = false
  for (const redirection of redirections) {
    if (redirection.type === 'HereDoc') {
      stdin = expandBody(redirection.body.text, redirection.body.parts, source)
    } else if (redirection.type === 'HereString') {
      stdin = redirection.target === undefined ? undefined : `${expandSingle(redirection.target, source)}\n`
    } else if (redirection.target !== undefined) {
      const word = expandSingle(redirection.target, source)
      if (isDescriptor(redirection, word)) continue
      find(run, networkDevice(word))
      const path = absolutePath(word, shell)
      if (redirection.operator.startsWith('<')) {
        find(run, secretWordFinding(word, shell))
        stdin = path === undefined ? undefined : state.files.get(path)
      }
      if (redirection.operator !== '<' && redirection.operator !== '<&') {
        run.watcher?.write(word)
        find(run, secretWordFinding(word, shell))
        find(run, writeWordFinding(word, shell))
        elsewhere ||= isStdout(redirection)
        if (path !== undefined && isStdout(redirection)) files.push(path)
      }
    }
  }
  return {
    stdin,
    keep(output) {
      for (const file of files) {
        if (output === undefined || isUnknown(output)) state.files.delete(file)
        else state.files.set(file, output)
      }
      return elsewhere ? '' : output
    },
  }
}

/** `2>&1`, `>&-`: no file. */
function isDescriptor({ operator }: Redirect, word: string): boolean {
  return operator.endsWith('&') && /^(?:\d+-?|-)$/.test(word)
}

function isStdout({ operator, descriptor }: Redirect): boolean {
  if (descriptor === undefined) return operator.includes('>')
  return descriptor.type === 'FileDescriptor' && descriptor.value === 1
}
