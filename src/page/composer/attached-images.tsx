import type { Draft } from '../state/drafts.js'
import { IconButton } from '../ui/icon-button.js'

/** Images that go with the next prompt. */
export function AttachedImages({ draft }: { readonly draft: Draft }) {
  const images = draft.images.value
  if (images.length === 0) return null
  return (
    <ul class="attached" aria-label="Attached images">
      {images.map((image, index) => (
        <li key={index}>
          <img src={`data:${image.mimeType};base64,${image.data}`} alt={`Image ${index + 1}`} />
          <IconButton
            icon="close"
            label={`Remove image ${index + 1}`}
            onClick={() => (draft.images.value = images.filter((one) => one !== image))}
          />
        </li>
      ))}
    </ul>
  )
}
