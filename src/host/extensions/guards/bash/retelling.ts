import { isInside } from '../paths.js'
import { absolutePath, type CommandFacts, currentFolder, type Shell } from './context.js'
import { isGlob, isUnknown } from './marks.js'

/** Programs that can destroy: their resolved words go to the checker of destructive commands as well. */
const DESTRUCTIVE =
  /^(?:rm|rmdir|unlink|shred|wipe|srm|git|dd|truncate|mkfs(?:\..+)?|wipefs|chmod|chown|mv|find|docker|kubectl|terraform)$/

/**
 * Tells a destructive command again as it runs once everything is resolved (`c=rm; "$c" -rf ~`), for the checker that
 * reads text. What can't be resolved is left to its own reading of the original.
 */
export function retell({ name, argv, shell }: CommandFacts): void {
  if (!DESTRUCTIVE.test(name)) return
  const { run } = shell
  if (argv.some(isUnknown)) {
    run.unknownRemoval ||= name === 'rm'
    return
  }
  const folder = currentFolder(shell)
  if (name === 'rm' && argv.slice(1).every((word) => word.startsWith('-') || isTemporary(word, shell))) return
  if (isUnknown(folder) || argv.some(isGlob)) return
  const command = argv.map(quoted).join(' ')
  run.retold.add(folder === run.world.cwd ? command : `cd ${quoted(folder)} && ${command}`)
}

/** The temporary folder is there to be emptied; the checker knows only the system's own. */
function isTemporary(word: string, shell: Shell): boolean {
  const path = absolutePath(word, shell)
  return path !== undefined && shell.run.world.tempDirs.some((folder) => path !== folder && isInside(path, folder))
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
