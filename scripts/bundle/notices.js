// The licences of everything that is bundled, in one text: what a bundle leaves out of a package is its licence.
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

const HEAD = 'This package contains the packages below, whole or in part. Each is under its own licence.\n'
const LICENCE_FILE = /^(?:licen[cs]e|copying|notice)/i

/** The folder of the package that a bundled file belongs to. @param {string} file */
function packageOf(file) {
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]
}

/** @param {string} folder */
function noticeOf(folder) {
  const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && LICENCE_FILE.test(entry.name))
    .map((entry) => readFileSync(join(folder, entry.name), 'utf8').trim())
  const by = typeof author === 'string' ? author : author?.name
  const licence = typeof license === 'string' ? license : license?.type
  if (licence === undefined && texts.length === 0) throw new Error(`${name} is bundled and says no licence`)
  // Without a text of its own: the licence by its name, and whose it is.
  const body = texts.length > 0 ? texts.join('\n\n') : `Licence: ${licence}${by ? `\nCopyright: ${by}` : ''}`
  return { title: `${name} ${version} (${licence ?? 'see below'})`, body }
}

/**
 * @param {readonly import('esbuild').Metafile[]} metafiles of everything that is shipped
 * @param {string} root what their paths are relative to
 */
export function noticesOf(metafiles, root) {
  const folders = new Set(
    metafiles.flatMap(({ outputs }) =>
      Object.values(outputs).flatMap(({ inputs }) =>
        Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => {
          const folder = bytesInOutput > 0 ? packageOf(resolve(root, file)) : undefined
          return folder === undefined ? [] : [folder]
        }),
      ),
    ),
  )
  /** @type {Map<string, Set<string>>} packages by the text they share */
  const texts = new Map()
  for (const { title, body } of [...folders].sort().map(noticeOf)) {
    texts.set(body, (texts.get(body) ?? new Set()).add(title))
  }
  const rule = '-'.repeat(80)
  const sections = [...texts].map(([body, titles]) => `${rule}\n${[...titles].join('\n')}\n${rule}\n\n${body}\n`)
  return [HEAD, ...sections].join('\n')
}
