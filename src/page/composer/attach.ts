import { imageOfDataUrl, imageRefusal } from '../model/images.js'
import type { Draft } from '../state/drafts.js'

/** Attaches the images of a paste or a drop; what is no image is left to the field. */
export function attach(draft: Draft, event: Event, data: DataTransfer | null): void {
  const files = [...(data?.files ?? [])]
  if (files.length === 0) return
  event.preventDefault()
  attachFiles(draft, files)
}

/** Attaches files, or says why not. */
export function attachFiles(draft: Draft, files: readonly File[]): void {
  let count = draft.images.peek().length
  for (const file of files) {
    const refusal = imageRefusal(file.name, file.type, file.size, count)
    if (refusal !== undefined) {
      draft.problem.value = refusal
      continue
    }
    count++
    void read(file).then((url) => {
      const image = imageOfDataUrl(url)
      if (image === undefined) draft.problem.value = `${file.name} could not be read`
      else draft.images.value = [...draft.images.peek(), image]
    })
  }
}

function read(file: File): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(String(reader.result)))
    reader.addEventListener('error', () => resolve(''))
    reader.readAsDataURL(file)
  })
}
