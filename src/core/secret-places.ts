const words = (text: string): string[] => text.trim().split(/\s+/)

/**
 * Places of credentials: parts of a path, whole segments; one that ends in a slash is a folder in which everything is
 * secret, one that begins with `~` is tied to the home folder. By kind, since the list only grows.
 */
export const SECRET_PATH_FRAGMENTS: readonly string[] = [
  // Keys and their rings.
  ...words(`
    /.ssh/ /.gnupg/ /.password-store/ /.config/sops/ /.config/age/ /.local/share/keyrings/ /.gnome2/keyrings/
    /.local/share/kwalletd/ /library/keychains/ /.config/op/ /.config/keepassxc/ /.tsh/ /.electrum/ /.bitcoin/wallet.dat
    /.ethereum/keystore/ /.config/solana/
  `),
  // Clouds and platforms.
  ...words(`
    /.aws/ /.azure/ /.config/gcloud/ /.oci/ /.aliyun/config.json /.ibmcloud/ /.config/doctl/ /.config/hcloud/
    /.config/linode-cli /.config/scw/ ~/.fly/config.yml /.wrangler/config/ /.config/.wrangler/ /.config/netlify/
    /.netlify/config.json /.vercel/auth.json /.local/share/com.vercel.cli/auth.json /.config/configstore/
    /.config/stripe/ ~/.circleci/cli.yml /.terraform.d/credentials.tfrc.json /.pulumi/credentials.json /.snowsql/config
    /.snowflake/connections.toml /.dbt/profiles.yml /.kaggle/kaggle.json /.huggingface/token /.cache/huggingface/token
  `),
  // Containers and clusters.
  ...words(`
    /.docker/config.json /containers/auth.json /.kube/config /.rancher/ /.argocd/config /.config/argocd/config
    /run/secrets/ /var/run/secrets/
  `),
  // Package registries and code hosts.
  ...words(`
    /.config/gh/hosts.yml /.config/glab-cli/config.yml /.config/hub /.config/git/credentials /.cargo/credentials.toml
    /.gem/credentials /.m2/settings.xml /.m2/settings-security.xml /.gradle/gradle.properties /.composer/auth.json
    /.config/composer/auth.json ~/.nuget/nuget/nuget.config ~/.config/nuget/nuget.config ~/.yarnrc.yml
    ~/.config/pip/pip.conf ~/.pip/pip.conf /.subversion/auth/ /.ivy2/.credentials /.sbt/.credentials
    /.config/github-copilot/
  `),
  // Agents.
  ...words(`
    /.pi/agent/auth.json /.enso/agent/auth.json /.codex/auth.json /.claude/.credentials.json /.gemini/oauth_creds.json
    /.local/share/opencode/auth.json /.config/openai/
  `),
  // Browsers, mail and chat.
  ...words(`
    /.mozilla/firefox/ /.librewolf/ /.thunderbird/ /.config/google-chrome/ /.config/google-chrome-beta/
    /.config/chromium/ /.config/bravesoftware/ /.config/microsoft-edge/ /.config/vivaldi/ /.config/opera/
    /snap/chromium/common/ /library/cookies/ /.purple/accounts.xml /.config/weechat/sec.conf
    /.config/slack/ /.config/discord/
  `),
  '/library/application support/google/chrome/',
  '/library/application support/chromium/',
  '/library/application support/bravesoftware/',
  '/library/application support/microsoft edge/',
  '/library/application support/firefox/',
  // Files copied about, and the system's own.
  ...words(`
    /.config/rclone/ /.config/filezilla/ /etc/shadow /etc/shadow- /etc/gshadow /etc/sudoers /etc/ssl/private/
    /proc/kcore
  `),
]
