import type { CommandFacts } from './context.js'

/** Programs that print a stored credential, by program: the words after it, as a pattern over them joined by blanks. */
const PRINTING: Readonly<Record<string, RegExp>> = {
  gh: /^(?:auth token\b|auth status\b.*(?:--show-token|-t\b)|secret list|config get oauth_token)/,
  glab: /^(?:auth status\b.*(?:--show-token|-t\b)|config get token)/,
  hub: /^api .*token/,
  gcloud:
    /^(?:beta )?(?:auth (?:application-default )?print-(?:access|identity|refresh)-token|config config-helper|secrets versions access|auth describe)/,
  aws: /^(?:\S+ )*(?:configure (?:get \S*(?:key|token)|export-credentials)|sts (?:get-session-token|assume-role\S*|get-federation-token)|ecr(?:-public)? get-(?:login|authorization)\S*|secretsmanager (?:get-secret-value|batch-get\S*)|ssm get-parameters?\S*|codeartifact get-authorization-token|sso get-role-credentials|rds generate-db-auth-token|iam create-access-key|eks get-token)/,
  az: /^(?:account get-access-token|keyvault secret (?:show|download)|acr (?:login .*--expose-token|credential show)|ad sp create-for-rbac|storage account keys list)/,
  vault: /^(?:read|kv (?:get|export)|print token|token (?:create|lookup)|unwrap)\b/,
  op: /^(?:read|get|item get|document get|inject|user get|signin .*--raw)\b/,
  pass: /^(?!(?:ls|list|find|search|init|git|help|version|insert|generate|edit|rm|mv|cp|grep)\b).+|^(?:show|otp)\b/,
  gopass: /^(?:show|cat|otp)\b/,
  bw: /^(?:get|list|export|unlock|login)\b/,
  lpass: /^(?:show|export)\b/,
  'keepassxc-cli': /^(?:show|export|clip)\b/,
  'secret-tool': /^(?:lookup|search)\b/,
  security: /^(?:find-(?:generic|internet)-password|dump-keychain|export)\b/,
  keyring: /^get\b/,
  kubectl:
    /^(?:(?:-\S+ \S+ )*(?:get|describe) (?:\S*,)?secrets?\b|config view .*--raw|create token|get .*\bsecrets?\/)/,
  oc: /^(?:whoami (?:-t|--show-token)|(?:get|describe|extract) secrets?\b)/,
  heroku: /^(?:auth:token|config(?::get)?)\b/,
  vercel: /^env (?:pull|ls)\b/,
  netlify: /^env:(?:get|list)\b/,
  flyctl: /^auth token\b/,
  fly: /^auth token\b/,
  doctl: /^(?:auth list|registry docker-config)\b/,
  doppler: /^(?:secrets|configs tokens|run)\b/,
  infisical: /^(?:secrets|export|run)\b/,
  chamber: /^(?:read|list|export|env|exec)\b/,
  sops: /^(?:-d\b|--decrypt\b|decrypt\b|exec-(?:env|file)\b|.*(?: -d\b| --decrypt\b))/,
  age: /^(?:-d\b|--decrypt\b)/,
  'ansible-vault': /^(?:view|decrypt|edit)\b/,
  npm: /^(?:token (?:list|create|ls)|config get .*(?:_auth|token)|get .*_auth)/,
  firebase: /^login:ci\b/,
  rclone: /^config (?:show|dump|reveal)\b/,
  gpg: /(?:^| )(?:--export-secret-\S+|-d|--decrypt)\b/,
  gpg2: /(?:^| )(?:--export-secret-\S+|-d|--decrypt)\b/,
  git: /^(?:-\S+ (?:\S+ )?)*credential(?:-\S+)? (?:fill|get)\b/,
  'git-credential-store': /get\b/,
  'git-credential-osxkeychain': /get\b/,
  'docker-credential-desktop': /^(?:get|list)\b/,
  terraform: /^output .*(?:-raw|-json)|^state pull\b/,
  pulumi: /--show-secrets\b/,
  snyk: /^config get api\b/,
  stripe: /^config --list\b/,
  databricks: /^auth token\b/,
  cf: /^oauth-token\b/,
  'aws-vault': /^(?:export|exec)\b/,
  getent: /^g?shadow\b/,
  nmcli: /(?:^| )(?:-s|--show-secrets)\b/,
}

/** The command that prints a credential, shortened; or `undefined`. */
export function printsCredential({ name, args }: CommandFacts): string | undefined {
  const pattern = Object.hasOwn(PRINTING, name) ? PRINTING[name] : undefined
  if (pattern === undefined || !pattern.test(args.join(' '))) return undefined
  return [name, ...args.filter((word) => !word.startsWith('-')).slice(0, 2)].join(' ')
}
