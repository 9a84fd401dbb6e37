/** Is this host, as a URL parser gives it or as typed, this machine? */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase()
  return name === 'localhost' || name === '[::1]' || name === '::1' || /^127(?:\.\d{1,3}){3}$/.test(name)
}

/** Is every part of the URL plain and its host this machine? A name before `@`, or what does not parse, is not. */
export function isLoopbackUrl(text: string): boolean {
  const written = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(written)) return false
  const url = new URL(written)
  const plain = url.username === '' && url.password === '' && (url.protocol === 'http:' || url.protocol === 'https:')
  return plain && isLoopbackHost(url.hostname)
}
