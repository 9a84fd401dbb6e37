import { performance } from 'node:perf_hooks'
import type { CorpusCase } from './cases.js'
import { type LogCase, runLogCase } from './log.js'
import { type CaseOutcome, runCase } from './run-case.js'
import { runWebFetchCase, type WebFetchCase } from './web-fetch.js'

/** Runs one case with the part that its tool belongs to: the guards, the web tool, or the log's writer. */
export async function runFamilyCase(item: CorpusCase, attended: boolean): Promise<CaseOutcome> {
  const start = performance.now()
  const outcome = async (
    run: Promise<{ denied: boolean; code?: string | undefined; problems: readonly string[] }>,
    eitherWay = false,
  ): Promise<CaseOutcome> => {
    const { denied, code, problems } = await run
    const kind: 'allow' | 'deny' = denied ? 'deny' : 'allow'
    const wanted = 'reasonCode' in item ? item.reasonCode : undefined
    return {
      item,
      decision: { kind, problems },
      right: (eitherWay || kind === item.expect) && problems.length === 0,
      rightRule: denied ? wanted === undefined || wanted === code : eitherWay,
      milliseconds: performance.now() - start,
    }
  }
  if (item.tool === 'log') return outcome(runLogCase(item as unknown as LogCase))
  if (item.tool === 'web_fetch') {
    const line = item as unknown as WebFetchCase
    // A name that changes its address is as well refused as fetched from the address that was checked.
    return outcome(runWebFetchCase(line), line.net?.dnsSequence !== undefined)
  }
  return runCase(item, attended)
}
