import { isInside, realPathOf } from '../paths.js'
import { isCleaning } from './cleaning.js'
import { readFind } from './find-command.js'
import { absolutePath, type CommandFacts, currentFolder, type Shell } from './context.js'
import { isGlob, isUnknown, unmarked } from './marks.js'

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
  if (name === 'find' && countFind(argv.slice(1), shell)) return
  if (argv.some(isUnknown)) {
    run.unknownRemoval ||= name === 'rm'
    run.unfollowed ||= name !== 'git'
    return
  }
  const folder = currentFolder(shell)
  if (name === 'rm' && argv.slice(1).every((word) => word.startsWith('-') || isTemporary(word, shell))) return
  if (isUnknown(folder)) {
    run.unfollowed ||= name !== 'git'
    return
  }
  const command = argv.map(quoted).join(' ')
  run.retold.add(folder === run.world.cwd ? command : `cd ${quoted(folder)} && ${command}`)
}

/** Counts a `find` that removes; does it remove only what can be made again, in the workspace? */
function countFind(args: readonly string[], shell: Shell): boolean {
  const search = readFind(args)
  if (!search.deletes && search.commands.length === 0) return false
  shell.run.finds++
  const inWorkspace = (start: string): boolean => {
    const path = absolutePath(start, shell)
    const { world } = shell.run
    return (
      path !== undefined &&
      !isUnknown(path) &&
      [world.cwd, ...world.tempDirs].some((root) => isInside(realPathOf(path, world.cwd, shell.state.links), root))
    )
  }
  const starts = search.starts.length === 0 ? ['.'] : search.starts
  const only = isCleaning(args, search) && starts.every(inWorkspace)
  if (only) shell.run.cleanings++
  return only
}

/** The temporary folder is there to be emptied; the checker knows only the system's own. */
function isTemporary(word: string, shell: Shell): boolean {
  const path = absolutePath(word, shell)
  return path !== undefined && shell.run.world.tempDirs.some((folder) => path !== folder && isInside(path, folder))
}

function quoted(word: string): string {
  // A wildcard only works outside quotes.
  if (isGlob(word)) return unmarked(word).replace(/[^\w@%+=:,./~*?[\]-]/g, '\\$&')
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
