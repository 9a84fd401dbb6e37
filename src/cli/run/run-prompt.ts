import { ENSO_PROMPT_BODY_MAX_BYTES, EnsoError, type EnsoPromptBody } from '../../core/index.js'
import type { CliIo } from '../io.js'
import { readAttachments } from './attachments.js'
import type { RunOptions } from './run-options.js'
import { readStdinText, STDIN_GRACE_MS, type StdinText, withStdinContext } from './stdin-context.js'

/** What standard input is to a run, told by its flags alone; what is connected to it changes nothing. */
export type StdinRole = 'requests' | 'prompt' | 'context' | 'unused'

/** Does the command line give the prompt, so that the process ends when it has been answered? */
export function isOneShot({ prompt, promptFromStdin, attachments }: RunOptions): boolean {
  return prompt !== undefined || promptFromStdin || attachments.length > 0
}

/** The fault of a run that was given nothing to do. */
export function noPrompt(): EnsoError {
  return new EnsoError('bad-input', 'there is no prompt', { hint: 'enso --help shows how to give one' })
}

/** `hasSource`: further requests come from elsewhere, so that a missing prompt is no prompt on standard input. */
export function stdinRole(options: RunOptions, stdinIsTerminal: boolean, hasSource: boolean): StdinRole {
  if (options.promptFromStdin) return options.prompt === undefined ? 'prompt' : 'context'
  if (options.output === 'json-lines') return 'requests'
  if (stdinIsTerminal || hasSource) return 'unused'
  return isOneShot(options) ? 'context' : 'prompt'
}

export interface PromptRequest {
  readonly options: RunOptions
  readonly io: CliIo
  /** Absolute: what attachments are named from. */
  readonly cwd: string
  readonly role: StdinRole
  readonly signal: AbortSignal
  readonly note: (text: string) => void
}

/**
 * The first prompt of a run: the words of the command line, what was piped in, the files attached. `undefined` where
 * the run begins without one.
 * @throws EnsoError `bad-input` for an attachment that can't be taken, input that is too large, an empty prompt
 */
export async function readPrompt(request: PromptRequest): Promise<EnsoPromptBody | undefined> {
  const { options, io, cwd, role } = request
  const { blocks, images } = await readAttachments(options.attachments, cwd, io.env)
  if (!isOneShot(options) && role !== 'prompt' && role !== 'context') return undefined
  const piped = role === 'prompt' || role === 'context' ? await readPiped(request) : ''
  const words = role === 'prompt' ? piped.replace(/\n$/, '') : withStdinContext(options.prompt ?? '', piped)
  const message = [words, ...blocks].filter((part) => part.trim() !== '').join('\n\n')
  if (message === '' && images.length === 0) {
    throw noPrompt()
  }
  return { message, ...(images.length === 0 ? {} : { images: [...images] }) }
}

async function readPiped({ options, io, role, signal, note }: PromptRequest): Promise<string> {
  const waits = role === 'prompt' || options.promptFromStdin
  const read: StdinText = await readStdinText({
    stdin: io.stdin,
    clock: io.clock,
    graceMs: waits ? undefined : STDIN_GRACE_MS,
    maxBytes: ENSO_PROMPT_BODY_MAX_BYTES,
    signal,
    onWaiting: () => note(`waiting for ${role === 'prompt' ? 'the prompt' : 'more'} on standard input`),
  })
  switch (read.kind) {
    case 'text':
      return read.text
    case 'silent':
      note('standard input is open and silent: going on without it')
      return ''
    case 'failed':
      note(`standard input can't be read: ${read.reason}`)
      return ''
    case 'too-large':
      throw new EnsoError('bad-input', `standard input is larger than ${ENSO_PROMPT_BODY_MAX_BYTES} bytes`)
    case 'no-text':
      throw new EnsoError('bad-input', `standard input is ${read.binary ? 'binary: it has NUL bytes' : 'not UTF-8'}`, {
        hint: read.binary ? '@FILE attaches an image' : 'iconv -f latin1 -t utf-8 turns Latin-1 into UTF-8',
      })
    case 'aborted':
      return ''
  }
}
