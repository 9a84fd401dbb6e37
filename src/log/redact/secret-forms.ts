/**
 * The spellings under which a secret's value turns up in text that somebody else wrote: as it is, escaped for JSON once
 * and twice, for HTML and for URLs, and in base64 and hexadecimal.
 *
 * Base64 is given for the three places in a group at which the value can begin inside a longer text, without the edge
 * characters that its neighbours decide; so `user:password` encoded whole is found by the password alone.
 */
export function secretForms(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8')
  const base64 = [0, 1, 2].map((offset) => base64At(bytes, offset))
  return [
    ...new Set([
      value,
      ...jsonForms(value),
      htmlForm(value),
      // A lone surrogate is no text that a URL can hold; as bytes it has been replaced.
      ...urlForms(bytes.toString('utf8')),
      ...base64,
      ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
      // A URL or a JSON text escapes base64's own signs.
      ...base64.map((text) => encodeURIComponent(text)),
      ...base64.map((text) => text.replaceAll('/', '\\/')),
      bytes.toString('hex'),
      bytes.toString('hex').replaceAll(/../g, '%$&'),
    ]),
  ]
}

function jsonForms(value: string): string[] {
  const once = jsonEscaped(value)
  return [
    once,
    jsonEscaped(once),
    // Some writers escape the slash, some everything that HTML could read, some all beyond ASCII.
    once.replaceAll('/', '\\/'),
    once.replace(/[<>&'+=]/g, unicodeEscape),
    once.replace(/[\u0080-\uffff]/g, unicodeEscape),
  ]
}

/** A text as it stands inside a JSON string. */
export function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}

function unicodeEscape(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const HTML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function htmlForm(value: string): string {
  return value.replace(/[&<>"']/g, (char) => HTML[char] ?? char)
}

function urlForms(value: string): string[] {
  const component = encodeURIComponent(value)
  const strict = component.replace(/[!'()*~]/g, percentEscape)
  return [
    component,
    strict,
    strict.replaceAll('%20', '+'),
    component.replaceAll('%20', '+'),
    encodeURI(value),
    encodeURIComponent(component),
  ]
}

function percentEscape(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

function base64At(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replaceAll('=', '')
  const whole = (offset + bytes.length) % 3 === 0
  return text.slice(offset === 0 ? 0 : offset + 1, whole ? undefined : -1)
}
