import { type CommandFacts, currentFolder } from './context.js'
import { isGlob, isUnknown } from './marks.js'

/** Programs that can destroy: their resolved words go to the checker of destructive commands as well. */
const DESTRUCTIVE = /^(?:rm|rmdir|unlink|shred|wipe|srm|git|dd|truncate|mkfs(?:\..+)?|wipefs|chmod|chown|mv|find|docker|kubectl|terraform)$/

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
  if (isUnknown(folder) || argv.some(isGlob)) return
  const command = argv.map(quoted).join(' ')
  run.retold.add(folder === run.world.cwd ? command : `cd ${quoted(folder)} && ${command}`)
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
