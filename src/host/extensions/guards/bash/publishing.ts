import { existsSync } from 'node:fs'
import { hasOption, optionValues, sortArguments } from './arguments.js'
import { absolutePath, type CommandFacts } from './context.js'
import { configWrite, readGitCall } from './git.js'
import { isLoopbackHost, isLoopbackUrl } from './loopback.js'

/** Subcommands that send something away, by program: a pattern over the words joined by blanks. */
const PUBLISHING: Readonly<Record<string, RegExp>> = {
  npm: /^(?:publish|pub|login|adduser|deprecate|dist-tag (?:add|rm)|unpublish|owner|access|team|profile|star)\b/,
  pnpm: /^(?:publish|login)\b/,
  yarn: /^(?:publish|npm publish|login)\b/,
  bun: /^publish\b/,
  cargo: /^(?:publish|login|owner|yank)\b/,
  twine: /^upload\b/,
  flit: /^publish\b/,
  poetry: /^publish\b/,
  pdm: /^publish\b/,
  uv: /^publish\b/,
  hatch: /^publish\b/,
  gem: /^(?:push|yank|signin)\b/,
  mvn: /\bdeploy\b/,
  gradle: /\bpublish\b/,
  dotnet: /^nuget push\b/,
  nuget: /^push\b/,
  vsce: /^publish\b/,
  ovsx: /^publish\b/,
  jsr: /^publish\b/,
  docker: /^(?:image )?(?:push|login)\b|^buildx? .*--push\b|^build .*--push\b/,
  podman: /^(?:image )?(?:push|login)\b/,
  skopeo: /^(?:copy|sync|login)\b/,
  aws: /(?:^| )(?:s3 (?:cp|mv|sync|presign|rm|mb|rb|website)|s3api (?:put|get|copy|upload|create|delete)-\S+|lambda (?:invoke|update-\S+|create-\S+)|sns publish|sqs send-message\S*|ses send-\S+|sesv2 send-\S+|ssm (?:send-command|put-\S+|start-session)|kinesis put-\S+|events put-\S+|logs put-\S+|dynamodb (?:put|batch-write)-\S+|deploy push)/,
  gcloud:
    /(?:^| )(?:storage (?:cp|mv|rsync)|compute (?:scp|ssh)|pubsub .*publish|functions (?:call|deploy)|run deploy|app deploy|builds submit|artifacts .*upload)/,
  az: /(?:^| )(?:storage (?:blob|file|copy|fs) (?:upload\S*|sync|directory|copy)|functionapp|webapp (?:deploy|up)|rest\b)/,
  gh: /^(?:gist (?:create|edit)|release (?:create|upload)|secret set|variable set|ssh-key add|gpg-key add|repo (?:create|fork|sync|deploy-key)|workflow run|codespace (?:cp|ssh)|auth (?:login|refresh|setup-git)|extension install)\b/,
  glab: /^(?:snippet create|release (?:create|upload)|variable set|ssh-key add|repo create|auth login)\b/,
  firebase: /^(?:deploy|login)\b/,
  vercel: /^(?!(?:--version|--help|dev|build|env|whoami|ls|list|inspect|logs)\b)/,
  netlify: /^(?:deploy|login)\b/,
  wrangler: /^(?:deploy|publish|login|pages deploy|r2 object put|kv key put)\b/,
  flyctl: /^(?:deploy|ssh|sftp|proxy)\b/,
  fly: /^(?:deploy|ssh|sftp|proxy)\b/,
  heroku: /^(?:container:push|run|ps:exec|builds:create)\b/,
  surge: /./,
  tailscale: /^(?:up|file|funnel|serve|ssh)\b/,
  openssl: /^(?:s_client|s_time|ocsp)\b/,
  gpg: /(?:^| )--(?:send-keys|keyserver|recv-keys|search-keys)\b/,
  conda: /^(?:upload|token)\b/,
  anaconda: /^(?:upload|login)\b/,
  'huggingface-cli': /^(?:upload|login|repo)\b/,
  hf: /^(?:upload|auth login|repo)\b/,
  wandb: /^(?:login|sync|artifact put)\b/,
  dvc: /^push\b/,
  'git-lfs': /^push\b/,
  vscode: /^tunnel\b/,
  code: /^tunnel\b/,
  adb: /^(?:push|connect)\b/,
}

/** Programs that open whatever URL they are given, in a browser or by a download. */
const OPENERS =
  /^(?:open|xdg-open|gio|sensible-browser|www-browser|x-www-browser|firefox|chromium|chromium-browser|google-chrome(?:-stable)?|brave-browser|safari|start|wslview|youtube-dl|yt-dlp|ffmpeg|ffplay|vlc|mpv|wkhtmltopdf|lighthouse|gallery-dl|httrack)$/

/** Package installers: from their registry they may, from a URL of the model's they may not. */
const INSTALLERS =
  /^(?:npm|pnpm|yarn|bun|npx|pip[\d.]*|pipx|uv|uvx|poetry|pdm|conda|mamba|gem|cargo|go|composer|brew|deno|apt|apt-get|dnf|yum|dpkg|rpm|snap|flatpak|cpan|cpanm|luarocks|nix|helm|code)$/

const URL =
  /^(?:git\+)?(?:https?|ftp|ssh|git|svn|hg|s3|gs|sftp):\/\/|^git@|^(?:github|gitlab|bitbucket|gist):|^--?[\w-]+=(?:git\+)?https?:\/\/|^@?[\w./-]+@(?:git\+)?https?:\/\//i

/** What connects to a host by something else than a denied program; `undefined` for everything local. */
export function publishes(facts: CommandFacts): string | undefined {
  const { name, args } = facts
  const words = args.filter((word) => word !== '')
  const text = words.join(' ')
  if (name === 'git') return gitConnects(facts)
  if (name === 'getent')
    return /^(?:hosts|ahosts(?:v[46])?)$/.test(args[0] ?? '') && !isLoopbackHost(args[1] ?? '')
      ? 'getent hosts'
      : undefined
  const pattern = Object.hasOwn(PUBLISHING, name) ? PUBLISHING[name] : undefined
  if (pattern?.test(text) === true && !hasOption(sortArguments(args), '--dry-run --help')) {
    return `${name} ${words[0] ?? ''}`.trim()
  }
  if (name === 'gh' && args[0] === 'api') return ghApiSends(args) ? 'gh api' : undefined
  if (OPENERS.test(name) && args.some((word) => URL.test(word) && !isLoopbackUrl(word))) return `${name} with a URL`
  if (/^(?:kubectl|oc)$/.test(name) && words.some((word) => URL.test(word) && !isLoopbackUrl(word)))
    return `${name} with a URL`
  if (
    /^(?:docker|podman|buildah)$/.test(name) &&
    /^(?:buildx? )?(?:build|import|load)\b/.test(text) &&
    words.some((word) => URL.test(word) && !isLoopbackUrl(word))
  )
    return `${name} build from a URL`
  if (/^(?:g|bsd)?tar$/.test(name)) return archivesElsewhere(args) ? 'tar to another host' : undefined
  if (INSTALLERS.test(name)) return installsFromUrl(facts)
  return undefined
}

/** `tar -f host:file` goes over a remote shell. */
function archivesElsewhere(args: readonly string[]): boolean {
  const [first = ''] = args
  const bundled = /^[a-zA-Z]+$/.test(first) ? [`-${first}`, ...args.slice(1)] : args
  const sorted = sortArguments(bundled, '-f --file -C --directory -T -X')
  return (
    !hasOption(sorted, '--force-local') && optionValues(sorted, '-f --file').some((file) => /^[\w.@-]{2,}:/.test(file))
  )
}

function ghApiSends(args: readonly string[]): boolean {
  const sorted = sortArguments(
    args.slice(1),
    '-X --method -f --raw-field -F --field --input -H --header -q --jq --hostname -t --template --cache -p --preview',
  )
  const methods = optionValues(sorted, '-X --method').map((method) => method.toUpperCase())
  if (hasOption(sorted, '--hostname --input') || methods.some((method) => method !== 'GET')) return true
  return methods.length === 0 && hasOption(sorted, '-f --raw-field -F --field')
}

const INSTALLING =
  /^(?:install|i|add|ci|download|wheel|get|dlx|x|tool|require|global|create|update|upgrade|inject|fetch)$/

/** Variables that name the registry an installer takes packages from. */
const REGISTRY_VARIABLE =
  /^(?:npm_config_(?:\w+_)?registry|(?:YARN|BUN|COREPACK)_\w*REGISTRY\w*|PIP_(?:EXTRA_)?INDEX_URL|PIP_FIND_LINKS|UV_(?:DEFAULT_|EXTRA_)?INDEX(?:_URL)?|GOPROXY|CARGO_REGISTRIES_\w+|GEM_SOURCE|BUNDLE_MIRROR\w*|HOMEBREW_\w+_(?:REMOTE|DOMAIN))$/i

function registryOf({ assigned, shell }: CommandFacts): string | undefined {
  const own = [...shell.state.variables].map(([name, { texts }]) => [name, texts.join(' ')] as const)
  return [...assigned, ...own].find(
    ([name, value]) => REGISTRY_VARIABLE.test(name) && /https?:\/\//i.test(value) && !isLoopbackUrl(value),
  )?.[0]
}

/** `npm config set registry URL`, `go env -w GOPROXY=URL`: every later install comes from there. */
const SETS_REGISTRY =
  /^(?:config set|set|env -w|config --global)\b.*(?:registry|index[-_]url|proxy|GOPROXY|source|mirror)/i

/** `owner/repository` is GitHub's to these installers, unless a folder is meant. */
function isShorthand(word: string, shell: CommandFacts['shell']): boolean {
  return /^[\w][\w.-]*\/[\w.-]+(?:#.+)?$/.test(word) && !existsSync(absolutePath(word, shell) ?? word)
}

function installsFromUrl(facts: CommandFacts): string | undefined {
  const { name, args, shell } = facts
  const sorted = sortArguments(
    args,
    '--registry --index-url -i --extra-index-url --find-links -f --git --source -p --package',
  )
  const sources = optionValues(sorted, '--registry --index-url --extra-index-url --find-links --git --source')
  if (name.startsWith('pip')) sources.push(...optionValues(sorted, '-i -f'))
  if (name === 'npx' || name === 'uvx')
    sources.push(...optionValues(sorted, '-p --package'), ...sorted.operands.slice(0, 1))
  else if (/^(?:deno|dpkg|rpm|cpanm)$/.test(name) || args.some((word) => INSTALLING.test(word))) sources.push(...args)
  const registry = registryOf(facts)
  if (registry !== undefined) return `${name} with ${registry}`
  if (
    SETS_REGISTRY.test(args.join(' ')) &&
    args.some((word) => /https?:\/\//i.test(word) && !isLoopbackUrl(word.replace(/^[^=]*=/, '')))
  )
    return `${name} with a registry`
  if (/^(?:npm|pnpm|yarn|bun|npx|bunx)$/.test(name)) {
    const { operands } = sortArguments(args, '-w --workspace -C --dir -F --filter --prefix --cwd -p --package')
    const given = /^(?:npx|bunx)$/.test(name)
      ? operands.slice(0, 1)
      : INSTALLING.test(operands[0] ?? '')
        ? operands.slice(1)
        : []
    if (given.some((word) => isShorthand(word, shell))) return `${name} from a repository`
  }
  const chosen = sources.find((word) => URL.test(word) && !isLoopbackUrl(word.replace(/^--?[\w-]+=/, '')))
  return chosen === undefined ? undefined : `${name} with a URL`
}

/** Subcommands of git that talk to a remote. To one the person set up, reading is fine; sending never is. */
function gitConnects({ args }: CommandFacts): string | undefined {
  const { subcommand, args: words, settings } = readGitCall(args)
  const set = configWrite(readGitCall(args))
  const named = [...settings.map(([name]) => name), ...(set === undefined ? [] : [set.name])]
  const elsewhere = named.find((name) => /^(?:url\..+\.(?:push)?insteadof|https?\.(?:.+\.)?proxy)$/.test(name))
  if (elsewhere !== undefined) return `git with ${elsewhere}`
  if (
    /^(?:push|send-email|imap-send|send-pack|daemon|http-push|svn|p4|cvsserver|request-pull|instaweb)$/.test(subcommand)
  ) {
    return words.length === 1 && /^(?:--help|-h)$/.test(words[0] ?? '')
      ? undefined
      : pushesAway(words)
        ? `git ${subcommand}`
        : undefined
  }
  if (subcommand === 'lfs')
    return /^(?:push|fetch|pull|clone)$/.test(words[0] ?? '') && words[0] === 'push' ? 'git lfs push' : undefined
  if (subcommand === 'archive')
    return words.some((word) => word.startsWith('--remote')) ? 'git archive --remote' : undefined
  const remote =
    subcommand === 'remote'
      ? words[0] === 'update' || words[0] === 'show'
      : /^(?:fetch|pull|clone|ls-remote|submodule|fetch-pack|subtree)$/.test(subcommand)
  if (!remote) return undefined
  const chosen = words.some(
    (word) => (URL.test(word) || /^[\w.-]+@[\w.-]+:|^[\w-]+(?:\.[\w-]+)+:(?!\\)/.test(word)) && !isLoopbackUrl(word),
  )
  return chosen ? `git ${subcommand} with a URL` : undefined
}

/** A push to a folder of this machine stays here. */
function pushesAway(words: readonly string[]): boolean {
  const target = words.find((word) => !word.startsWith('-'))
  return target === undefined || !/^(?:\.{0,2}\/|file:\/\/\/)/.test(target)
}
