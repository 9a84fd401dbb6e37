import { find, type Shell } from './context.js'
import { withHome } from './code-home.js'
import { environmentReads } from './code-environment.js'
import type { Language } from './code-language.js'
import { literalsOf } from './code-literals.js'
import { usesNetwork } from './code-network.js'
import { codeWrites } from './code-writes.js'
import { readScript } from './parse.js'
import { secretWordFinding } from './secret-words.js'
import { forkShell } from './state.js'
import { writeWordFinding } from './write-words.js'

/** Longer texts are programs, not one-liners: only their first part is looked into. */
const MAX_CODE = 64 * 1024

/** Calls that hand a text or a list of words to a shell. */
const SHELL_CALL =
  /\b(?:os\.(?:system|popen|exec\w*|spawn\w*)|subprocess\b|commands\.get|pty\.spawn|child_process\b|exec(?:Sync|File|FileSync)?\s*[('"]|spawn(?:Sync)?\s*\(|system\s*\(?|popen\s*\(|shell_exec|passthru|proc_open|pcntl_exec|IO\.popen|Open3|Kernel\.|qx\b|Deno\.(?:run|Command)|Bun\.(?:spawn|\$)|io\.popen|os\.execute|shell-command|do shell script|getline)|\bprint\b[^;}]*\|\s*["']/
/** Backquotes that run their text. */
const BACKQUOTED = /`|%x[[({]/

/**
 * Judges the text of a one-liner in another language by its literals: secret paths, connections, whole-environment
 * prints, writes outside the roots, and texts given to a shell. What it puts together at run time is not followed.
 */
export function judgeCode(code: string, language: Language, shell: Shell): void {
  const { run } = shell
  const text = withHome(code.slice(0, MAX_CODE), run.world.home)
  const literals = literalsOf(text)
  for (const literal of literalsOf(text.replace(ONLY_LOOKS, ' '))) {
    if (looksLikePath(literal)) find(run, secretWordFinding(expanded(literal, shell), shell))
  }
  if (PRINTS_DOTENV.test(text)) find(run, secretWordFinding('.env', shell))
  find(run, usesNetwork(text, literals, language))
  find(run, environmentReads(text, language))
  for (const path of codeWrites(text, language)) {
    const word = expanded(path, shell)
    find(run, secretWordFinding(word, shell))
    find(run, writeWordFinding(word, shell))
  }
  if (SHELL_CALL.test(text) || (/^(?:perl|ruby|php)$/.test(language) && BACKQUOTED.test(text))) {
    for (const command of [...literals, ...wordLists(text)]) {
      // A text with a blank or a bare program name can be a command; what does not parse as one is none.
      if (command.length > 1 && readScript(command).ok) shell.runText(command, forkShell(shell.state))
    }
  }
}

/** The library that reads `.env` by itself, with what it read printed. */
const PRINTS_DOTENV =
  /\bdotenv_values\s*\(\s*\)|\b(?:console\.\w+|print|puts)\s*\(?[^;\n]*\bdotenv\b[^;\n]*\.(?:config|parse|load)\b/

/** A look whether a file is there shows nothing of what is in it. */
const ONLY_LOOKS =
  /(?:\b(?:existsSync|exists|isfile|is_file|file_exists|accessSync|File\.exist\?)\s*\(\s*(['"`])[^'"`\n]*\1\s*\))|(?:\bPath\(\s*(['"])[^'"\n]*\2\s*\)\.(?:exists|is_file)\(\))/g

const looksLikePath = (text: string): boolean => text.length < 512 && !/[\n\0]/.test(text) && !/\s{2}/.test(text)

function expanded(path: string, shell: Shell): string {
  return path
    .replace(/^~(?=\/|$)/, shell.run.world.home)
    .replace(/^(?:\$HOME|\$\{HOME\})(?=\/|$)/, shell.run.world.home)
}

/** `["curl", "-s", url]`: a command as a list of words. */
function wordLists(text: string): string[] {
  const lists: string[] = []
  for (const match of text.matchAll(/\[\s*((?:'[^']*'|"[^"]*")(?:\s*,\s*(?:'[^']*'|"[^"]*"))*)/g)) {
    lists.push(
      literalsOf(match[1] ?? '')
        .map((word) => (/^[\w./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`))
        .join(' '),
    )
  }
  // `spawn("curl", ["…"])`: the program stands before its list.
  for (const match of text.matchAll(/\(\s*(['"])([\w./-]+)\1\s*,\s*\[([^\]]*)\]/g)) {
    lists.push(
      [match[2] ?? '', ...literalsOf(match[3] ?? '')].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' '),
    )
  }
  return lists
}
