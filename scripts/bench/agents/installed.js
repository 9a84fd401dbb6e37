// Other agents' command lines, where they are installed, as subjects beside enso.
import { behind, onPath, versionOf } from './native.js'
import { prepare, waysTo } from './ways.js'

/**
 * @typedef {object} Agent
 * @property {string} name
 * @property {string} version
 * @property {string} command
 * @property {readonly string[]} argv for one prompt, the reply as text
 * @property {readonly string[]} json for one prompt, the reply as JSON lines
 * @property {Readonly<Record<string, string>>} env
 */

/**
 * @param {string} url the endpoint
 * @param {string} home where they may keep what they want
 * @param {string} path the environment's
 * @returns {Agent[]}
 */
export function installedAgents(url, home, path) {
  return waysTo(url).flatMap((way) => {
    const launcher = onPath(way.name, path)
    if (launcher === undefined) return []
    prepare(way, home)
    const command = behind(launcher, way.natives) ?? launcher
    const { name, env } = way
    return [
      {
        name,
        version: versionOf(command),
        command,
        argv: [...way.argv, 'hello'],
        json: [...way.json, 'hello'],
        env,
      },
    ]
  })
}
