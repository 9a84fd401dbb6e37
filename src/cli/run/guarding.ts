import type { CliIo } from '../io.js'
import type { HostRequest } from '../threads-request.js'
import { inFolder } from './run-thread.js'
import type { GuardingOptions } from './run-options.js'

/** What of a run's options the host guards by, its folders made absolute. */
export function guardingOf(
  options: GuardingOptions,
  folder: string,
  io: CliIo,
): Pick<HostRequest, keyof GuardingOptions> {
  const { sandbox, allowBypass, addDirs, allowTools, denyTools } = options
  return {
    sandbox,
    ...(allowBypass === undefined ? {} : { allowBypass }),
    ...(addDirs === undefined ? {} : { addDirs: addDirs.map((dir) => inFolder(dir, folder, io)) }),
    ...(allowTools === undefined ? {} : { allowTools }),
    ...(denyTools === undefined ? {} : { denyTools }),
  }
}
