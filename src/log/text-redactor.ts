import { readFileSync } from 'node:fs'
import { credentialFilesOf } from './credential-files.js'
import { createKnownSecrets } from './redact/known-secrets.js'
import { createRedactor, type Redactor } from './redact/redactor.js'

/** Takes out what a log line would not show: the environment's secrets, the agent folder's, and their shapes. */
export function secretsRedactor(env: Readonly<Record<string, string | undefined>>, agentDir: string): Redactor {
  const secrets = createKnownSecrets()
  secrets.addEnvironment(env)
  for (const file of credentialFilesOf(agentDir)) {
    try {
      secrets.addCredentialFile(readFileSync(file, 'utf8'))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
  return createRedactor(secrets)
}

/** The same, for texts alone. */
export function textRedactor(
  env: Readonly<Record<string, string | undefined>>,
  agentDir: string,
): (text: string) => string {
  return secretsRedactor(env, agentDir).text
}
