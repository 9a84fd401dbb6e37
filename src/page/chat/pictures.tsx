import { isImageType } from '../model/images.js'

interface Picture {
  readonly mimeType: string
  readonly data: string
}

/** Images of a message. Only kinds that hold nothing but an image. */
export function Pictures({ images }: { readonly images: readonly Picture[] }) {
  const shown = images.filter(({ mimeType }) => isImageType(mimeType))
  if (shown.length === 0) return null
  return (
    <div class="pictures">
      {shown.map(({ mimeType, data }, index) => (
        <img key={index} src={`data:${mimeType};base64,${data}`} alt={`Attached image ${index + 1}`} />
      ))}
    </div>
  )
}
