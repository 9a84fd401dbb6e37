import { select } from '@clack/prompts'
import { type EnsoLocalServer, type FoundLocalServer, localChoices, localModelName } from '../../core/index.js'
import type { Palette } from '../print/palette.js'
import { sanitizeLine } from '../print/sanitize.js'
import type { Asked, Asking } from './asking.js'

const SHOWN = 12

function lineOf({ label, url, strangerUid }: FoundLocalServer, palette: Palette): string {
  const line = `${label} answers at ${new URL(url).host}`
  return strangerUid === undefined ? line : palette.yellow(`${line}, run by another user (uid ${strangerUid})`)
}

/**
 * Asks once whether a server of this machine may be used, and which of its models. A stray Enter says no.
 * Answers nothing where the person says no.
 */
export async function chooseLocalServer(
  asking: Pick<Asking, 'ask' | 'write'>,
  servers: readonly FoundLocalServer[],
  palette: Palette,
  closed: AbortSignal,
): Promise<Asked<EnsoLocalServer | undefined>> {
  const choices = localChoices(servers)
  asking.write('Model servers of this machine:')
  for (const server of servers) asking.write(`  ${lineOf(server, palette)}`)
  asking.write('Whoever runs it reads what you and the agent say.')
  const asked = await asking.ask(
    (streams) =>
      select({
        ...streams,
        message: 'Use it from now on?',
        maxItems: SHOWN,
        options: [
          { value: -1, label: 'No' },
          ...choices.map((choice, value) => ({ value, label: `Yes: ${sanitizeLine(localModelName(choice))}` })),
        ],
      }),
    closed,
  )
  return asked.kind === 'value' ? { kind: 'value', value: choices[asked.value] } : asked
}
