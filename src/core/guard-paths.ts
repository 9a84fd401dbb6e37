/**
 * File names whose writing installs something that runs later, outside the thread and as the person: a shell's start
 * file, git's configuration, an agent's. Matched as the whole name, in any case, in any folder.
 *
 * The first ten are those of the permission extension `@ladbabynpm/picc-permission-modes` (MIT, Ladbaby), in its order.
 */
export const PERSISTENCE_WRITE_BASENAMES: readonly string[] = [
  '.gitconfig',
  '.gitmodules',
  '.bashrc',
  '.bash_profile',
  '.zshrc',
  '.zprofile',
  '.profile',
  '.ripgreprc',
  '.mcp.json',
  '.claude.json',
  '.bash_login',
  '.bash_logout',
  '.bash_aliases',
  '.zshenv',
  '.zlogin',
  '.zlogout',
  '.kshrc',
  '.cshrc',
  '.tcshrc',
  '.xprofile',
  '.xsession',
  '.xinitrc',
  '.gdbinit',
  '.crontab',
]

/**
 * Folder names whose contents run or steer something later: an editor's tasks, an agent's settings, git's hooks.
 * Matched as one whole segment of a path, in any case. Same provenance as the names above.
 */
export const PERSISTENCE_WRITE_DIRECTORIES: readonly string[] = ['.git', '.vscode', '.idea', '.claude']

/**
 * The same for the agent library under this harness, for this harness, for the tool that checks destructive commands,
 * and for other agents that read a folder of the project. The person's own programs still write there.
 */
export const ENSO_PERSISTENCE_WRITE_DIRECTORIES: readonly string[] = [
  '.pi',
  '.agents',
  '.enso',
  '.cc-safety-net',
  '.codex',
  '.cursor',
  '.gemini',
  '.opencode',
]

/** File names that deny a read in any folder. A name with a template's ending (see `isTemplateName`) is never one. */
export const SECRET_BASENAME_PATTERNS: readonly RegExp[] = [
  /^\.env(?:rc)?~?$/i,
  /^\.env(?:rc)?(?:\.(?!(?:md|rst|d\.ts)$)[\w-]+)+~?$/i,
  /^\.env[_-]\w+$/i,
  /^\.dev\.vars$/i,
  /^[._]netrc$/i,
  /^\.pgpass$/i,
  /^\.npmrc$/i,
  /^\.pypirc$/i,
  /^\.(?:git-)?credentials(?:\.json)?$/i,
  /^\.htpasswd$/i,
  /^\.my(?:login)?\.cnf$/i,
  /^\.boto$/i,
  /^\.s3cfg$/i,
  /^\.dockercfg$/i,
  /^\.vault-token$/i,
  /^credentials\.tfrc\.json$/i,
  /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?:\.(?:bak|old|orig|pem|key))?$/i,
  /^.+\.(?:pem|p12|pfx|jks|kdbx|ppk|ovpn)$/i,
  /^[^.].*\.(?:key|keystore)$/i,
  /^service[-_]?account(?:[-_.]?key)?(?:[-_.].*)?\.json$/i,
  /^(?:[\w-]+[-_])?(?:google|gcp|gcloud|firebase|aws)[-_](?:application[-_])?credentials\.json$/i,
  /^credentials\.json$/i,
  /^[\w-]*firebase-adminsdk[\w-]*\.json$/i,
  /^client_secret.*\.json$/i,
  /^application_default_credentials\.json$/i,
  /^oauth_creds\.json$/i,
  /^\.\w+[_-]history$|^fish_history$/i,
  /^\.(?:msmtprc|fetchmailrc|authinfo|databrickscfg|wakatime\.cfg|xauthority|iceauthority|vault_pass|rhosts)(?:\.\w+)?$/i,
]

/** Endings that make a secret's name that of a template: `.env.example` holds no values. */
export const SECRET_TEMPLATE_SUFFIXES: readonly string[] = ['.example', '.sample', '.template', '.dist']
