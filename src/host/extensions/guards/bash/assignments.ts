import { judgeCode } from './code.js'
import type { Shell } from './context.js'
import { readScript } from './parse.js'
import { forkShell } from './state.js'

/** Variables whose value some program runs as a command. */
const EXECUTED =
  /^(?:GIT_(?:SSH_COMMAND|SSH|PAGER|EDITOR|SEQUENCE_EDITOR|EXTERNAL_DIFF|PROXY_COMMAND|ASKPASS|CONFIG_VALUE_\d+)|SSH_ASKPASS|SUDO_ASKPASS|PAGER|MANPAGER|SYSTEMD_PAGER|LESSOPEN|LESSCLOSE|EDITOR|VISUAL|FCEDIT|BROWSER|BASH_ENV|ENV|PROMPT_COMMAND|SHELL|RUSTC_WRAPPER|npm_config_script_shell)$/

/** Judges the value of a variable that some program will run. */
export function runAssigned(name: string, value: string, shell: Shell): void {
  if (EXECUTED.test(name)) runCommandValue(value.replace(/^\|+/, ''), shell)
  // A prompt is expanded like a word in double quotes.
  else if (/^PS[0-4]$/.test(name)) shell.runText(`: "${value.replaceAll('"', '')}"`, forkShell(shell.state))
  else if (name === 'NODE_OPTIONS' && value.includes('data:')) judgeCode(unescaped(value), 'javascript', shell)
}

/**
 * Judges a command that git or another program runs for the thread. A plain `ssh` there only says how a remote the
 * person set up is reached: of it, what ssh itself would run is judged.
 */
export function runCommandValue(text: string, shell: Shell): void {
  const inner = forkShell(shell.state)
  if (/^\s*ssh\s/.test(text)) {
    for (const match of text.matchAll(/(?:Proxy|Local)Command[= ]\s*([^\n]+)/gi))
      shell.runText(match[1]?.replace(/["']\s*$/, '') ?? '', inner)
    return
  }
  // What is no shell text is none for the program either.
  if (readScript(text).ok) shell.runText(text, inner)
}

function unescaped(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}
