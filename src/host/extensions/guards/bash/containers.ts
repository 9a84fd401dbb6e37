import { sortArguments, optionValues, hasOption } from './arguments.js'
import { type Finding, shown } from '../finding.js'
import { isSecretVariable } from '../secrets.js'
import { type CommandFacts, find, type Shell } from './context.js'
import { isLoopbackUrl } from './loopback.js'
import { unmarked } from './marks.js'
import { forkShell } from './state.js'
import { writeWordFinding } from './write-words.js'

const RUN_VALUED =
  '-v --volume --mount -e --env --env-file -p --publish -w --workdir -u --user --name --network --net --entrypoint -h --hostname --add-host -l --label -m --memory --cpus --platform --restart --tmpfs --device --cap-add --security-opt --pull -f --file --project-directory --profile --pid --ipc'

/**
 * A command in a container: it may not be given folders outside the write roots, and what it sends counts as sent from
 * here. Its own files are not this machine's.
 */
export function runContainer({ args, shell }: CommandFacts): void {
  const words = args[0] === 'compose' || args[0] === 'container' ? args.slice(1) : args
  if (words[0] === 'cp') find(shell.run, copiedOut(words.slice(1), shell))
  const at = words.findIndex((word) => /^(?:run|exec|create)$/.test(word))
  if (at === -1) return
  const rest = words.slice(at + 1)
  const { run } = shell
  // Everything before the image is an option; sorting stops there, since the words after it are another program's.
  const image = imageIndex(rest)
  const own = sortArguments(rest.slice(0, image), RUN_VALUED)
  for (const volume of optionValues(own, '-v --volume')) {
    const [host = '', , mode] = volume.split(':')
    if (/^[/~.]/.test(host) && mode !== 'ro') find(run, writeWordFinding(host, shell))
  }
  for (const mount of optionValues(own, '--mount')) {
    const host = /(?:^|,)(?:source|src)=([^,]+)/.exec(mount)?.[1]
    if (host?.startsWith('/') === true && !/readonly|ro(?:,|$)/.test(mount)) find(run, writeWordFinding(host, shell))
  }
  if (hasOption(own, '--privileged') || optionValues(own, '--pid').includes('host')) {
    find(run, {
      rule: 'write-confinement',
      reason: 'a privileged container can write anywhere on this machine. Run it without --privileged.',
    })
  }
  const before = run.findings.length
  const command = rest.slice(image + 1)
  if (command.length > 0) shell.runArgv(command, forkShell(shell.state))
  const inner = run.findings.splice(before)
  // A container that is there has its own keys; a new one has those that are handed in.
  const keyed = words[at] === 'exec' || hasOption(own, '--env-file') || optionValues(own, '-e --env').some(isHandedIn)
  run.findings.push(...inner.filter(({ rule }) => rule === 'network-egress' || (keyed && rule === 'environment-dump')))
  const url = command.find((word) => /^https?:\/\//i.test(word) && !isLoopbackUrl(word))
  if (words[at] !== 'create' && url !== undefined) {
    find(run, {
      rule: 'network-egress',
      reason: `the container is given ${shown(unmarked(url))} to connect to. Use web_fetch for a listed host; the person sends or fetches anything else.`,
    })
  }
}

/** `-e NAME` without a value takes it from here. */
const isHandedIn = (word: string): boolean => !word.includes('=') && isSecretVariable(word)

/** `docker cp container:/x here` writes here. */
function copiedOut(words: readonly string[], shell: Shell): Finding | undefined {
  const target = sortArguments(words).operands.at(-1) ?? ''
  return /^[\w.-]+:/.test(target) ? undefined : writeWordFinding(target, shell)
}

function imageIndex(words: readonly string[]): number {
  const valued = new Set(RUN_VALUED.split(' '))
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string
    if (!word.startsWith('-')) return at
    if (valued.has(word)) at++
  }
  return words.length
}
