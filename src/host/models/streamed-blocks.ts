// How the content of a reply grows while it streams. The agent library's own way costs memory for each piece of text,
// and parses all the arguments of a call again for each piece of them; the bundle puts these in its place.

/** How many pieces are joined into one. */
const PIECES_JOINED = 256

interface GrowingText {
  /** What of the text is joined. */
  joined: string
  /** The pieces behind it. */
  tail: string
  pieces: number
  /** Both, as it was handed out. */
  whole: string
}

const texts = new WeakMap<object, GrowingText>()

/**
 * The text with a piece more at its end. V8 keeps a text that grew by `+=` as a tree of all its pieces, four times as
 * large as the text and in the way of each garbage collection; this one has a piece for each few hundred.
 * @param block what the text belongs to
 */
export function grownText(block: object, text: string, piece: string): string {
  let growing = texts.get(block)
  if (growing === undefined || growing.whole !== text) {
    growing = { joined: text, tail: '', pieces: 0, whole: text }
    texts.set(block, growing)
  }
  growing.tail += piece
  growing.pieces++
  if (growing.pieces === PIECES_JOINED) {
    // To look at a character V8 makes one text of the tree.
    growing.tail.charCodeAt(0)
    growing.joined += growing.tail
    growing.tail = ''
    growing.pieces = 0
  }
  growing.whole = growing.joined + growing.tail
  return growing.whole
}

interface StreamedArguments {
  text: string
  parse: (text: string) => unknown
  /** What the text says, once somebody has asked. */
  read: { readonly value: unknown } | undefined
}

const calls = new WeakMap<object, StreamedArguments>()

/**
 * Makes a call's `arguments` what the text of them says so far, read when somebody looks: hardly anybody looks before
 * the call is complete, and then they are set like any other property.
 */
export function streamArguments(call: { arguments: unknown }, text: string, parse: (text: string) => unknown): void {
  const known = calls.get(call)
  if (known !== undefined) {
    known.text = text
    known.read = undefined
    return
  }
  const streamed: StreamedArguments = { text, parse, read: undefined }
  calls.set(call, streamed)
  const put = (value: unknown): void => {
    calls.delete(call)
    Object.defineProperty(call, 'arguments', { value, writable: true, enumerable: true, configurable: true })
  }
  Object.defineProperty(call, 'arguments', {
    get: () => (streamed.read ??= { value: streamed.parse(streamed.text) }).value,
    set: put,
    enumerable: true,
    configurable: true,
  })
}
