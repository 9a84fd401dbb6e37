import { type Finding, shown } from '../../finding.js'
import type { CommandFacts } from '../context.js'
import { configWrite, isSteeringSetting, readGitCall } from '../git.js'
import { writeFindings } from '../write-targets.js'
import type { BashRule } from './rule.js'

/** What the command leaves behind to run later, as words for the reason; or `undefined`. */
function installed({ name, args }: CommandFacts): string | undefined {
  const first = args.find((word) => !word.startsWith('-')) ?? ''
  const flags = args.filter((word) => word.startsWith('-'))
  switch (name) {
    case 'crontab':
      return flags.includes('-l') && flags.length === args.length ? undefined : 'crontab'
    case 'at':
    case 'batch':
      return flags.some((flag) => /^-[lV]$/.test(flag)) ? undefined : name
    case 'systemctl':
      return /^(?:enable|reenable|link|edit|set-property|preset|mask|unmask|add-wants|add-requires|import-environment|set-environment)$/.test(
        first,
      )
        ? `systemctl ${first}`
        : undefined
    case 'systemd-run':
      return flags.some((flag) => /^--(?:on-|timer)/.test(flag)) ? 'systemd-run with a timer' : undefined
    case 'loginctl':
      return first === 'enable-linger' ? 'loginctl enable-linger' : undefined
    case 'launchctl':
      return /^(?:load|bootstrap|enable|submit)$/.test(first) ? `launchctl ${first}` : undefined
    case 'defaults':
      return first === 'write' ? 'defaults write' : undefined
    case 'schtasks':
      return 'schtasks'
    case 'update-rc.d':
    case 'chkconfig':
    case 'rc-update':
    case 'chsh':
    case 'usermod':
    case 'useradd':
    case 'adduser':
    case 'visudo':
    case 'passwd':
    case 'chpasswd':
    case 'update-alternatives':
    case 'insmod':
    case 'modprobe':
      return name
    case 'pm2':
      return /^(?:startup|save)$/.test(first) ? `pm2 ${first}` : undefined
    case 'gh':
      return /^(?:alias (?:set|import)|extension install)\b/.test(args.join(' ')) ? `gh ${first}` : undefined
    case 'code':
    case 'codium':
    case 'cursor':
      return flags.includes('--install-extension') ? `${name} --install-extension` : undefined
    case 'direnv':
      return first === 'allow' ? 'direnv allow' : undefined
    default:
      return undefined
  }
}

/** Nothing is installed that runs later, outside the thread and as the person. */
export const persistenceWriteRule: BashRule = {
  rule: 'persistence-write',
  match: [
    'echo x >> .bashrc',
    'cp x .vscode/tasks.json',
    'crontab -',
    'systemctl --user enable x',
    'printf x > .claude/settings.json',
    'mv x .PI/settings.json',
    'echo x > .cc-safety-net/rules.json',
    'at now',
    'git config alias.x "!sh" --global',
  ],
  notMatch: [
    'crontab -l',
    'systemctl status x',
    'cat .bashrc',
    'cat .vscode/settings.json',
    'echo x > .vscodeignore',
    'ls .pi',
    'git config --global --get user.name',
  ],
  judge(facts) {
    const findings: Finding[] = [...writeFindings(facts, 'persistence-write')]
    const what = installed(facts)
    if (what !== undefined) {
      findings.push({
        rule: 'persistence-write',
        reason: `${shown(what)} changes what runs later on this machine. Put the text in a file of the workspace; the person installs it.`,
      })
    }
    const setting = facts.name === 'git' ? configWrite(readGitCall(facts.args)) : undefined
    if (
      setting !== undefined &&
      setting.scope !== 'local' &&
      (setting.scope !== 'file' || isSteeringSetting(setting.name))
    ) {
      findings.push({
        rule: 'persistence-write',
        reason: `git config ${setting.scope} ${shown(setting.name)} changes git for every repository of the person. Set it for one command with git -c, or let the person set it.`,
      })
    }
    return findings
  },
}
