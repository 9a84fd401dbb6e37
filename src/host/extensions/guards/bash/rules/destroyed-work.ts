import { type Finding, shown } from '../../finding.js'
import type { CommandFacts } from '../context.js'
import { readGitCall } from '../git.js'
import type { BashRule } from './rule.js'

/** What the command destroys for good, as words for the reason; or `undefined`. Beside what the checker knows. */
function destroyed({ name, args }: CommandFacts): string | undefined {
  const text = args.join(' ')
  switch (name) {
    case 'git':
      return destroyedByGit(args)
    case 'terraform':
    case 'tofu':
    case 'pulumi':
    case 'cdk':
      return /(?:^| )(?:destroy|apply .*-destroy)\b/.test(text) && !/--?help\b/.test(text)
        ? `${name} destroy`
        : undefined
    case 'kubectl':
    case 'oc':
      return /(?:^| )delete (?:.* )?(?:ns|namespaces?|pvc?|persistentvolume\S*|crds?|--all)\b/.test(text) &&
        !/--dry-run/.test(text)
        ? `${name} delete`
        : undefined
    case 'docker':
    case 'podman':
      return /^(?:system prune .*--volumes|volume prune .*(?:-\w*a|--all))\b/.test(text)
        ? `${name} ${args[0]}`
        : undefined
    case 'gh':
      return /^repo (?:delete|archive)\b/.test(text) ? 'gh repo delete' : undefined
    default:
      return undefined
  }
}

function destroyedByGit(args: readonly string[]): string | undefined {
  const { subcommand, args: words } = readGitCall(args)
  const text = words.join(' ')
  const gone: Readonly<Record<string, RegExp>> = {
    reflog: /^(?:delete\b|drop\b|expire\b.*(?:--expire(?:-unreachable)?=(?:now|all|0)|--all\b))/,
    gc: /--prune=(?:now|all)\b/,
    prune: /^(?!.*(?:-n\b|--dry-run))/,
    'update-ref': /(?:^| )(?:-d|--stdin)\b/,
    'filter-branch': /./,
    'filter-repo': /./,
    'read-tree': /--reset\b|(?:^| )-\w*u/,
    'checkout-index': /(?:^| )-\w*f/,
  }
  const pattern = Object.hasOwn(gone, subcommand) ? gone[subcommand] : undefined
  return pattern?.test(text) === true && !/(?:^| )(?:--dry-run|--help|-h)\b/.test(text)
    ? `git ${subcommand}`
    : undefined
}

/** Nothing is destroyed that can't be had back: commits without a name, volumes, what runs elsewhere. */
export const destroyedWorkRule: BashRule = {
  rule: 'cc-safety-net',
  match: [
    'git reflog expire --expire=now --all',
    'git gc --prune=now',
    'git update-ref -d refs/heads/main',
    'git filter-branch --tree-filter x HEAD',
    'git read-tree --reset -u HEAD',
    'terraform destroy -auto-approve',
    'kubectl delete ns production',
    'docker system prune -af --volumes',
  ],
  notMatch: [
    'git gc',
    'git reflog',
    'git remote prune origin',
    'git worktree prune',
    'git prune -n',
    'terraform plan',
    'kubectl delete pod x',
    'docker system prune -f',
    'docker volume ls',
  ],
  judge(facts) {
    const findings: Finding[] = []
    const what = destroyed(facts)
    if (what !== undefined) {
      findings.push({
        rule: 'cc-safety-net',
        reason: `${shown(what)} destroys what nobody can bring back. Leave it to the person; say what should go and why.`,
      })
    }
    return findings
  },
}
