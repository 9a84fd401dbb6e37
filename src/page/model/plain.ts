/** Characters that turn the direction of what follows, and control characters: they can make a text look like another. */
// oxlint-disable-next-line no-misleading-character-class
const MISLEADING = /[\u202a-\u202e\u2066-\u2069\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g

/** A text with nothing hidden in it: what would turn its direction or do something to a screen is spelled out. */
export function plain(text: string): string {
  return text.replace(MISLEADING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const ESCAPE_SEQUENCES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[@-Z\\^_])/g

/** What a terminal would be left with: no colours, no titles, and of an overwritten line its last state. */
export function terminalText(text: string): string {
  const bare = text.includes('\u001b') ? text.replace(ESCAPE_SEQUENCES, '') : text
  if (!bare.includes('\r')) return plain(bare)
  const lines = bare.replaceAll('\r\n', '\n').split('\n')
  return plain(
    lines.map((line) => line.slice(line.replace(/\r+$/, '').lastIndexOf('\r') + 1).replace(/\r+$/, '')).join('\n'),
  )
}
