import { dirname } from 'node:path'
import type { EnsoGuardRule } from '../../../../core/index.js'
import type { Finding } from '../finding.js'
import type { CommandFacts } from './context.js'
import { secretWordFinding } from './secret-words.js'
import { writeWordFinding } from './write-words.js'
import { writtenWords } from './writers.js'

const found = new WeakMap<CommandFacts, readonly Finding[]>()

/** What the command writes, held against the rules over paths; the findings of one rule. */
export function writeFindings(facts: CommandFacts, rule: EnsoGuardRule): readonly Finding[] {
  let findings = found.get(facts)
  if (findings === undefined) {
    findings = judged(facts)
    found.set(facts, findings)
  }
  return findings.filter((finding) => finding.rule === rule)
}

function judged(facts: CommandFacts): Finding[] {
  const { name, shell } = facts
  const findings: Finding[] = []
  for (const word of writtenWords(facts)) {
    const secret = secretWordFinding(word, shell)
    if (secret !== undefined) findings.push(secret)
    let finding = writeWordFinding(word, shell)
    // A folder of a settings' name may be made: it holds nothing yet.
    if (name === 'mkdir' && finding?.rule === 'persistence-write') {
      finding = writeWordFinding(dirname(word), shell)
    }
    if (finding !== undefined) findings.push(finding)
  }
  return findings
}
