import { type Finding, shown } from '../../finding.js'
import type { CommandFacts } from '../context.js'
import { configWrite, isDetour, isSteeringSetting, readGitCall } from '../git.js'
import { writeFindings } from '../write-targets.js'
import { turnsOnHarness } from './own-process.js'
import type { BashRule } from './rule.js'

/** Variables that give git other settings or other programs for this command. */
function detours({ assigned, shell }: CommandFacts): string[] {
  const own = [...shell.state.variables].map(([name, { texts }]) => [name, texts.join('')] as const)
  return [...assigned, ...own]
    .filter(
      ([name, value]) =>
        /^GIT_(?:CONFIG_(?:GLOBAL|SYSTEM)|CONFIG|TEMPLATE_DIR|EXEC_PATH)$/.test(name) &&
        !/^(?:\/dev\/null)?$/.test(value),
    )
    .map(([name]) => name)
}

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
    'echo x > $GIT_DIR/hooks/x',
    'GIT_CONFIG_GLOBAL=./x git status',
    'kill -9 $PPID',
    'pkill -f enso',
    'enso config set guard.writeRoots /',
    'npx enso --permission-mode bypassPermissions x',
  ],
  notMatch: [
    'git add . && git commit -m x',
    'cat .git/config',
    'git config user.name',
    'ls .git/hooks',
    'cat enso.config.json',
    'echo x > .gitignore',
    'git -c user.name=x commit -m y',
    'GIT_CONFIG_GLOBAL=/dev/null git status',
    'pre-commit install',
    'pkill -f vite',
    'kill 4711',
    'enso --version',
    'enso config',
  ],
  judge(facts) {
    const findings: Finding[] = [...writeFindings(facts, 'protected-internals')]
    const turned = turnsOnHarness(facts)
    if (turned !== undefined) {
      findings.push({
        rule: 'protected-internals',
        reason: `${shown(turned)} is the person's to do. To end a program you started, name its process or its own command line.`,
      })
    }
    if (facts.name !== 'git') return findings
    const call = readGitCall(facts.args)
    const set = configWrite(call)
    const names = call.settings
      .filter(([name, value]) => isDetour(name) && value !== '/dev/null')
      .map(([name]): string => name)
    if (/^(?:init|clone)$/.test(call.subcommand) && call.args.some((word) => /^--template(?:=.|$)/.test(word)))
      names.push('--template')
    names.push(...detours(facts))
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
