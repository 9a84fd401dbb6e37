/** Words at the end of a variable's name, after nothing or an underscore, that say it holds a secret. */
const SECRET_WORDS =
  /(?:^|_)(?:(?:API|ACCESS|PRIVATE|SECRET|AUTH|ENCRYPTION|SIGNING|MASTER|SERVICE|SERVICE_ROLE|ACCOUNT|STORAGE|CLIENT|WEBHOOK|DEPLOY|ADMIN)_?KEYS?|TOKEN|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?|PAT|(?<=_)(?:PASS|PWD|AUTH))(?:_(?:ID|FILE|BASE64|B64|PROD|DEV|TEST|STAGING|[0-9]+))?$/i

/** Services whose own key is called after them alone. */
const SERVICE_KEY =
  /^(?:OPENAI|ANTHROPIC|CLAUDE|GEMINI|GOOGLE|GROQ|MISTRAL|COHERE|DEEPSEEK|OPENROUTER|AZURE|STRIPE|SENDGRID|MAILGUN|TWILIO|DATADOG|DD|ALGOLIA|SUPABASE|FIREBASE|LINEAR|NOTION|HF|TAVILY|SERPAPI)_KEY$/i

const SECRET_NAMES = new Set([
  'PGPASSWORD',
  'SSHPASS',
  'DATABASE_URL',
  'REDIS_URL',
  'MONGODB_URI',
  'SENTRY_DSN',
  'KUBECONFIG_DATA',
])

/** Stands in every name that the patterns know: making those ready takes a start long, and most names have none of it. */
const LIKELY = /KEY|TOKEN|SECRET|PASS|CREDENTIAL|(?:^|_)PAT(?:_|$)|_PWD|_AUTH/i

/** Does an environment variable of this name hold a secret, as far as its name tells? */
export function isSecretVariable(name: string): boolean {
  if (SECRET_NAMES.has(name.toUpperCase())) return true
  return LIKELY.test(name) && (SECRET_WORDS.test(name) || SERVICE_KEY.test(name))
}
