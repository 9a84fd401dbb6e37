import {
  base64DecodedBytes,
  ENSO_IMAGE_MAX_BYTES,
  type EnsoPromptBody,
  type EnsoPromptReceipt,
  isWholeBase64,
  type PromptRequest,
} from '../core/index.js'
import { busy, done, type OperationCall, type OperationOutcome, refused } from './operation.js'

/**
 * Admits a prompt and waits for nothing that comes of it: the receipt says under which generation it was taken and
 * whether it waits. What the runtime refuses later is a `prompt-rejected` observation.
 */
export async function admitPrompt({
  threadId,
  body,
  threads,
}: OperationCall<EnsoPromptBody>): Promise<OperationOutcome> {
  const wrong = promptRefusal(body)
  if (wrong !== undefined) return wrong
  const { entry } = await threads.live()
  const admitted = entry.prompts.admit(requestOf(body))
  if (admitted === undefined) return busy(entry)
  const receipt: EnsoPromptReceipt = { threadId, ...admitted }
  return done(202, receipt)
}

/** What the shape alone does not say: something to send, and images that are whole and not too large. */
function promptRefusal({ message, images = [] }: EnsoPromptBody): OperationOutcome | undefined {
  if (message.trim() === '' && images.length === 0) return refused('refused', 'the prompt is empty')
  for (const [index, { data }] of images.entries()) {
    const which = `image ${index + 1}`
    if (base64DecodedBytes(data) > ENSO_IMAGE_MAX_BYTES) {
      return refused('too-large', `${which} is over ${ENSO_IMAGE_MAX_BYTES / 1024 / 1024} MiB`)
    }
    if (!isWholeBase64(data)) return refused('malformed', `${which} is not whole base64`)
  }
  return undefined
}

function requestOf({ message, images, admission }: EnsoPromptBody): PromptRequest {
  return {
    message,
    ...(images === undefined || images.length === 0
      ? {}
      : { images: images.map(({ data, mimeType }) => ({ type: 'image' as const, data, mimeType })) }),
    ...(admission === undefined ? {} : { admission }),
  }
}
