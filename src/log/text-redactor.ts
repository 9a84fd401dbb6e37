import { readFileSync } from 'node:fs'
import { credentialFilesOf } from './credential-files.js'
import { createKnownSecrets } from './redact/known-secrets.js'
import { redactText } from './redact/redact-text.js'

/** Takes out of a text what a log line would not show: the environment's secrets, the agent folder's, and their shapes. */
export function textRedactor(
  env: Readonly<Record<string, string | undefined>>,
  agentDir: string,
): (text: string) => string {
  const secrets = createKnownSecrets()
  secrets.addEnvironment(env)
  for (const file of credentialFilesOf(agentDir)) {
    try {
      secrets.addCredentialFile(readFileSync(file, 'utf8'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return (text) => redactText(text, secrets)
}
