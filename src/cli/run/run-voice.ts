import type { EnsoLocalServer, EnsoResultLine, FoundLocalServer } from '../../core/index.js'
import type { Asked } from '../dialogs/asking.js'
import type { DialogLedger, DialogPolicyOptions } from './dialog-policy.js'
import type { RequestSource } from './run-door.js'
import type { RunSurface } from './run-surface.js'

/** How a run speaks, how it can be answered, and where its further requests come from. */
export interface RunVoice {
  readonly surface: RunSurface
  readonly channel: DialogPolicyOptions['channel']
  /** Is there, now, a way an answer could come in? */
  readonly channelOpen: () => boolean
  /** Where requests come from beside the command line; `undefined` where there is nothing. */
  source(ledger: DialogLedger, openDialogs: () => readonly string[]): RequestSource | undefined
  /** A person's prompts come one after another: the thread opens also without a model, to log in first. */
  readonly converses?: true
  /** Asks once whether a model server of this machine may be used; absent where no person can be asked. */
  chooseLocalServer?(
    servers: readonly FoundLocalServer[],
    closed: AbortSignal,
  ): Promise<Asked<EnsoLocalServer | undefined>>
  /** The result as the one line of a process that must end at once; '' where a result is no line. */
  lastLine(result: EnsoResultLine): string
}
