import { hasOption, optionValues, sortArguments } from './arguments.js'
import type { CommandFacts } from './context.js'
import { isLoopbackHost, isLoopbackUrl } from './loopback.js'
import { isUnknown, unmarked } from './marks.js'

const ABOUT = /^(?:--version|--help|-V|--manual|-h|help|version)$/

/** Options of curl that take a value and change neither where it connects nor what else it reads. */
const CURL_VALUED =
  '-X --request -H --header -d --data --data-raw --data-binary --data-urlencode --json -F --form -o --output -m --max-time --connect-timeout -w --write-out -u --user -A --user-agent -b --cookie -c --cookie-jar -e --referer --retry --retry-delay --retry-max-time -r --range -T --upload-file -D --dump-header --url -y -Y -z --max-redirs --limit-rate'

/** Options of curl and wget that send the request elsewhere or read more options. */
const CURL_ELSEWHERE =
  /^(?:-x|--proxy|--preproxy|--socks\S*|--proxy\S*|--resolve|--connect-to|--interface|--dns-\S+|--doh-url|-K|--config|--unix-socket|--abstract-unix-socket|-q|--disable|--next|-:|--telnet-option|-L|--location\S*|-t|-P|--ftp-port)$/

/**
 * Is this use of a network program one that stays on this machine? A loopback `curl` or `wget` to plain URLs, a copy
 * between two folders, a look at the program's own version.
 */
export function staysLocal({ name, args, assigned, shell }: CommandFacts): boolean {
  if (
    [...assigned.keys(), ...shell.state.variables.keys()].some((variable) =>
      /^(?:all|https?|ftp)_proxy$/i.test(variable),
    )
  )
    return false
  if (args.length > 0 && args.every((word) => ABOUT.test(word)) && !(name === 'host' && args[0] === '-h')) return true
  switch (name) {
    case 'curl':
      return curlStaysLocal(args)
    case 'wget':
    case 'wget2':
      return wgetStaysLocal(args)
    case 'http':
    case 'https':
    case 'xh':
    case 'xhs':
    case 'httpie':
      return (
        args.some((word) => isLoopbackUrl(word) || isLocalShorthand(word)) &&
        args.every(
          (word) =>
            isLoopbackUrl(word) ||
            isLocalShorthand(word) ||
            /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|-[bvhp]|--body|--headers|--print=\w+)$/.test(word) ||
            /^[\w-]+(?:==?|:=?)(?!@)[^@]*$/.test(word),
        )
      )
    case 'rsync':
      return !args.some(
        (word) =>
          /^[^/]*:|^rsync:\/\//.test(word) || /^--(?:rsh|daemon|files-from=.*:)/.test(word) || /^-\w*e/.test(word),
      )
    case 'nc':
    case 'ncat':
    case 'netcat':
    case 'nc.openbsd':
    case 'ping':
    case 'ping6':
    case 'dig':
    case 'nslookup':
    case 'host':
    case 'telnet':
      return probesLoopback(name, args)
    case 'resolvectl':
      return args.length === 0 || args[0] === 'status' || args[0] === 'statistics'
    case 'rclone':
      return /^(?:version|listremotes)$/.test(args[0] ?? '')
    case 'ssh':
      return args[0] === '-V' || args[0] === '-G' || args[0] === '-Q'
    default:
      return false
  }
}

/** HTTPie's `:3000/path`. */
const isLocalShorthand = (word: string): boolean => /^:\d*(?:\/[^@]*)?$/.test(word)

function curlStaysLocal(args: readonly string[]): boolean {
  const sorted = sortArguments(args, CURL_VALUED)
  const urls = [...sorted.operands, ...optionValues(sorted, '--url')]
  if (urls.length === 0 || !urls.every(isLoopbackWord)) return false
  if (urls.some((url) => /[{}[\]*]/.test(unmarked(url).replace('[::1]', '')))) return false
  // Redirects lead wherever the answer says, so following them is not staying.
  return !sorted.options.some(({ name }) => CURL_ELSEWHERE.test(name)) && !/\blocalhost\b.*@/.test(urls.join(' '))
}

function wgetStaysLocal(args: readonly string[]): boolean {
  const sorted = sortArguments(
    args,
    '-O --output-document -o --output-file -P --directory-prefix -T --timeout -t --tries -U --user-agent --header --post-data --method --body-data',
  )
  const { operands } = sorted
  if (operands.length === 0 || !operands.every(isLoopbackWord)) return false
  return (
    !hasOption(
      sorted,
      '-e --execute -i --input-file --config -r -m --recursive --mirror -H --span-hosts --use-askpass',
    ) && !sorted.options.some(({ name }) => name.includes('proxy'))
  )
}

/** A loopback URL as it stands in a command; past its host it may hold what is not known yet. */
function isLoopbackWord(word: string): boolean {
  const [authority = '', path = ''] = /^((?:[a-z]+:\/\/)?[^/]*)(.*)$/is.exec(word)?.slice(1) ?? []
  return !isUnknown(authority) && isLoopbackUrl(unmarked(authority) + unmarked(path))
}

/** `nc -z localhost 5432`, `ping -c1 127.0.0.1`: is something listening here? */
function probesLoopback(name: string, args: readonly string[]): boolean {
  const { operands, options } = sortArguments(
    args.filter((word) => !/^\+\w+$/.test(word)),
    name === 'ping' ? '-c -i -W -w -s -t' : '-w -i -G -q -p',
  )
  const [target] = operands
  if (target === undefined || !isLoopbackHost(target)) return false
  if (!name.startsWith('n') || name === 'nslookup') return operands.length === 1
  return options.some((option) => option.name === '-z') && options.every((option) => /^-[zvnwGi4t]$/.test(option.name))
}
