import { plain } from '../model/plain.js'
import { ShownText } from '../ui/shown-text.js'

/** A prompt as it was typed. */
export function UserText({ text }: { readonly text: string }) {
  return (
    <ShownText text={plain(text)} lines={40}>
      {(shown) => (
        <div class="user-text" dir="auto">
          {shown}
        </div>
      )}
    </ShownText>
  )
}
