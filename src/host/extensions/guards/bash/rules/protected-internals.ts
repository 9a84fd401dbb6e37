import { type Finding, shown } from '../../finding.js'
import { configWrite, isDetour, isSteeringSetting, readGitCall } from '../git.js'
import { writeFindings } from '../write-targets.js'
import type { BashRule } from './rule.js'

/** Git's own files, the harness's home and its configuration stay as they are. */
export const protectedInternalsRule: BashRule = {
  rule: 'protected-internals',
  match: [
    'echo x > .git/hooks/pre-commit',
    'cp x .GIT/hooks/post-merge',
    'git config core.hooksPath /tmp/h',
    'rm enso.config.json',
    'chmod +x .git/hooks/x',
    'git -c core.hooksPath=/tmp/h commit -m x',
    'echo x > "$(git rev-parse --git-dir)/hooks/x"',
  ],
  notMatch: [
    'git add . && git commit -m x',
    'cat .git/config',
    'git config user.name',
    'ls .git/hooks',
    'cat enso.config.json',
    'echo x > .gitignore',
    'git -c user.name=x commit -m y',
  ],
  judge(facts) {
    const findings: Finding[] = [...writeFindings(facts, 'protected-internals')]
    if (facts.name !== 'git') return findings
    const call = readGitCall(facts.args)
    const set = configWrite(call)
    const names = call.settings
      .filter(([name, value]) => isDetour(name) && value !== '/dev/null')
      .map(([name]): string => name)
    if (/^(?:init|clone)$/.test(call.subcommand) && call.args.some((word) => /^--template(?:=.|$)/.test(word)))
      names.push('--template')
    if (set !== undefined && set.scope === 'local' && isSteeringSetting(set.name)) names.push(set.name)
    for (const name of names) {
      findings.push({
        rule: 'protected-internals',
        reason: `${shown(name)} decides which programs git runs here and is set by the person. Use git's ordinary commands without it.`,
      })
    }
    return findings
  },
}
