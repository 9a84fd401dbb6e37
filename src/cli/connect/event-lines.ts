/** Most bytes of one event: more than any snapshot should be, and less than would exhaust memory. */
const EVENT_MAX_CHARACTERS = 512 * 1024 * 1024

/** Reads server-sent events out of text as it comes; each one's data goes to `onData`. Comments and ids are passed over. */
export function createEventLines(onData: (data: string) => void): (text: string) => void {
  let rest = ''
  let data: string[] = []

  function take(line: string): void {
    if (line === '') {
      const whole = data
      data = []
      if (whole.length > 0) onData(whole.join('\n'))
    } else if (line.startsWith('data:')) {
      data.push(line.charCodeAt(5) === 0x20 ? line.slice(6) : line.slice(5))
    }
  }

  return (text) => {
    // Looked through only from where the new text begins: a snapshot comes in many pieces.
    let from = 0
    let at = text.indexOf('\n')
    if (at === -1) {
      rest += text
      if (rest.length > EVENT_MAX_CHARACTERS) throw new Error('an event is too large')
      return
    }
    for (; at !== -1; at = text.indexOf('\n', from)) {
      const line = rest + text.slice(from, at)
      rest = ''
      from = at + 1
      take(line.endsWith('\r') ? line.slice(0, -1) : line)
    }
    rest = text.slice(from)
  }
}
