import picomatch from 'picomatch'

/**
 * Does a path (with `/`) match a glob? A pattern without a slash is matched against names, one with a slash against the
 * end of paths, `!` in front takes what doesn't match: as the searches of the agent library have it.
 */
export function pathMatcher(pattern: string): (path: string) => boolean {
  if (pattern.startsWith('!')) {
    const excluded = pathMatcher(pattern.slice(1))
    return (path) => !excluded(path)
  }
  const options = { dot: true }
  if (!pattern.includes('/')) {
    const matches = picomatch(pattern, options)
    return (path) => matches(path.slice(path.lastIndexOf('/') + 1))
  }
  const anchored = /^(\/|\*\*)/.test(pattern) ? pattern.replace(/^\//, '') : `**/${pattern}`
  return picomatch(anchored, options)
}
