// Finds other agents' command lines on the PATH. Most put a launcher on node before their program; what is measured is
// the program itself, which is the better rival.
import { accessSync, constants, existsSync, readFileSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** @param {string} name @param {string} path the environment's */
export function onPath(name, path) {
  return path
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => {
      try {
        accessSync(file, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

/** Every folder above a file, the nearest first. @param {string} file @returns {string[]} */
function above(file) {
  const parent = dirname(file)
  return parent === file ? [] : [parent, ...above(parent)]
}

/**
 * The program behind a launcher of an npm package: a file of a package that is installed for this machine only.
 * @param {string} launcher @param {readonly string[]} candidates paths inside a node_modules folder
 */
export function behind(launcher, candidates) {
  return above(realpathSync(launcher))
    .flatMap((folder) => [folder, join(folder, 'node_modules')])
    .flatMap((folder) => candidates.map((candidate) => join(folder, candidate)))
    .find((file) => existsSync(file))
}

/** The version of the package a file belongs to. @param {string} file */
export function versionOf(file) {
  const manifest = above(realpathSync(file))
    .map((folder) => join(folder, 'package.json'))
    .find((path) => existsSync(path) && 'version' in JSON.parse(readFileSync(path, 'utf8')))
  return manifest === undefined ? 'unknown' : String(JSON.parse(readFileSync(manifest, 'utf8')).version)
}
