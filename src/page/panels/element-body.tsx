import type { EnsoContextBody, EnsoContextImage } from '../../core/index.js'
import { plain } from '../model/plain.js'
import { bytes } from '../model/words.js'
import { Pictures } from '../chat/pictures.js'
import { ShownText } from '../ui/shown-text.js'

/** What an element of a context holds. */
export function ElementBody({ body }: { readonly body: EnsoContextBody }) {
  switch (body.kind) {
    case 'text':
      return (
        <>
          <Text text={body.text} />
          <Images images={body.images} />
        </>
      )
    case 'tool':
      return (
        <>
          <p class="plain-text">{plain(body.description)}</p>
          <Text text={JSON.stringify(body.parameters, undefined, 2)} />
        </>
      )
    case 'reply':
      return (
        <>
          {body.parts.map((part, index) =>
            part.type === 'toolCall' ? (
              <Text key={index} text={`${part.name} ${JSON.stringify(part.arguments, undefined, 2)}`} />
            ) : (
              <Text key={index} text={part.text} />
            ),
          )}
        </>
      )
    case 'toolResult':
      return (
        <>
          {body.arguments !== undefined && <Text text={JSON.stringify(body.arguments, undefined, 2)} />}
          <Text text={body.text} />
          <Images images={body.images} />
        </>
      )
  }
}

function Text({ text }: { readonly text: string }) {
  return (
    <ShownText text={plain(text)} lines={24}>
      {(shown) => <pre tabIndex={0}>{shown}</pre>}
    </ShownText>
  )
}

function Images({ images }: { readonly images: readonly EnsoContextImage[] }) {
  const shown = images.flatMap(({ mimeType, data }) => (data === undefined ? [] : [{ mimeType, data }]))
  const others = images.filter(({ data }) => data === undefined)
  return (
    <>
      <Pictures images={shown} />
      {others.map((image, index) => (
        <p key={index} class="quiet">
          {image.mimeType}, {bytes(image.bytes)}
        </p>
      ))}
    </>
  )
}
