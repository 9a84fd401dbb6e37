/** Plain data with each text longer than `limit` characters cut, and its length said where it was. */
export function capStrings(value: unknown, limit: number): unknown {
  if (typeof value === 'string') return cut(value, limit)
  if (Array.isArray(value)) return value.map((item) => capStrings(item, limit))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, capStrings(item, limit)]))
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text
  const high = text.charCodeAt(limit - 1)
  const end = high >= 0xd800 && high <= 0xdbff ? limit - 1 : limit
  return `${text.slice(0, end)}… [${text.length} characters]`
}
