import { type EnsoFollowFrame, jsonLine } from '../core/index.js'

/** A frame and its JSON text, which is made once for however many followers ask for it, and not before one does. */
export interface SharedFrame {
  readonly frame: EnsoFollowFrame
  readonly line: () => string
}

/** Makes a frame shareable. */
export function shareFrame(frame: EnsoFollowFrame): SharedFrame {
  let text: string | undefined
  return { frame, line: () => (text ??= jsonLine(frame)) }
}
