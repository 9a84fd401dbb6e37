import { type Static, Type } from '@sinclair/typebox'
import { EnsoOpenDialog } from './dialog.js'
import { EnsoObservation } from './observation.js'
import { EnsoPermissionModeState } from './permission-mode.js'
import { closed } from './schema.js'
import { EnsoInterruptedTail } from './thread-inspection.js'
import { EnsoPromptAdmission } from './thread-runtime.js'
import { EnsoModelState } from './model-state.js'
import { EnsoSessionUsage } from './session-usage.js'

/** The thread whole, as of `asOfSeq`: the first frame of every follow, and the only resync there is. */
export const EnsoFollowSnapshot = closed({
  type: Type.Literal('snapshot'),
  threadId: Type.String(),
  cwd: Type.String(),
  /** The last observation that is already in it. */
  asOfSeq: Type.Integer(),
  generation: Type.Integer(),
  busy: Type.Boolean(),
  live: Type.Boolean(),
  /** In the UI message shape; see `EnsoUiMessage`. */
  messages: Type.Array(Type.Unknown()),
  openDialogs: Type.Array(EnsoOpenDialog),
  permissionMode: EnsoPermissionModeState,
  /** Null when the thread is not live. */
  model: Type.Union([EnsoModelState, Type.Null()]),
  usage: EnsoSessionUsage,
  interrupted: Type.Optional(EnsoInterruptedTail),
})
export type EnsoFollowSnapshot = Static<typeof EnsoFollowSnapshot>

/** One observation. `seq` rises from frame to frame. */
export const EnsoFollowObservation = closed({
  type: Type.Literal('observation'),
  seq: Type.Integer(),
  observation: EnsoObservation,
})
export type EnsoFollowObservation = Static<typeof EnsoFollowObservation>

/** The thread's lease and runtime: busy while a lease is held, live while a runtime exists. */
export const EnsoFollowStatus = closed({
  type: Type.Literal('status'),
  generation: Type.Integer(),
  busy: Type.Boolean(),
  live: Type.Boolean(),
})
export type EnsoFollowStatus = Static<typeof EnsoFollowStatus>

/** One frame of a follow: one snapshot, then observations and statuses. */
export const EnsoFollowFrame = Type.Union([EnsoFollowSnapshot, EnsoFollowObservation, EnsoFollowStatus])
export type EnsoFollowFrame = Static<typeof EnsoFollowFrame>

/** The kinds of image a prompt takes. */
export const EnsoImageMimeType = Type.Union([
  Type.Literal('image/png'),
  Type.Literal('image/jpeg'),
  Type.Literal('image/gif'),
  Type.Literal('image/webp'),
])
export type EnsoImageMimeType = Static<typeof EnsoImageMimeType>

/** The same kinds as a list, from the schema. */
export const ENSO_IMAGE_MIME_TYPES: readonly EnsoImageMimeType[] = EnsoImageMimeType.anyOf.map((kind) => kind.const)

/** True for a kind of image that a prompt takes. */
export function isEnsoImageMimeType(value: unknown): value is EnsoImageMimeType {
  return ENSO_IMAGE_MIME_TYPES.some((kind) => kind === value)
}

/** Most bytes of one image, decoded: 5 MiB. */
export const ENSO_IMAGE_MAX_BYTES = 5 * 1024 * 1024

/** Most images on one prompt. */
export const ENSO_PROMPT_MAX_IMAGES = 20

/** Room for a prompt's text, and for the JSON around the images, in bytes. */
const PROMPT_TEXT_ROOM = 1024 * 1024

/** Most bytes of a prompt's body on the wire: every image at its cap in base64, and 1 MiB besides. Reading stops there. */
export const ENSO_PROMPT_BODY_MAX_BYTES =
  ENSO_PROMPT_MAX_IMAGES * 4 * Math.ceil(ENSO_IMAGE_MAX_BYTES / 3) + PROMPT_TEXT_ROOM

/** True for strict standard base64: whole groups of four characters, the last one padded. The empty text is. */
export function isWholeBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data)
}

/** How many bytes a whole base64 text stands for, reckoned without decoding it. */
export function base64DecodedBytes(data: string): number {
  const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0
  return Math.max(0, Math.floor((data.length * 3) / 4) - padding)
}

/** One image of a prompt: its bytes in base64, never an address. The byte cap is checked on the decoded size. */
export const EnsoPromptImage = closed({
  data: Type.String({ minLength: 1 }),
  mimeType: EnsoImageMimeType,
})
export type EnsoPromptImage = Static<typeof EnsoPromptImage>

/** Body of the `prompt` operation. */
export const EnsoPromptBody = closed({
  message: Type.String(),
  images: Type.Optional(Type.Array(EnsoPromptImage, { maxItems: ENSO_PROMPT_MAX_IMAGES })),
  admission: Type.Optional(EnsoPromptAdmission),
})
export type EnsoPromptBody = Static<typeof EnsoPromptBody>

/** What a prompt is answered with: it was admitted, under which generation, and whether it waits. Not a result. */
export const EnsoPromptReceipt = closed({
  threadId: Type.String(),
  messageId: Type.String(),
  generation: Type.Integer(),
  queued: Type.Boolean(),
})
export type EnsoPromptReceipt = Static<typeof EnsoPromptReceipt>

/** What a Stop is answered with: the prompts that waited, the interrupting ones first, handed back as typed. */
export const EnsoAbortReceipt = closed({ threadId: Type.String(), restored: Type.Array(Type.String()) })
export type EnsoAbortReceipt = Static<typeof EnsoAbortReceipt>
