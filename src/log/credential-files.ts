import { join } from 'node:path'

/** The files of the agent's folder that can hold credentials. They need not exist. */
export function credentialFilesOf(agentDir: string): readonly string[] {
  return ['auth.json', 'models.json'].map((name) => join(agentDir, name))
}
