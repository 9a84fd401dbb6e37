import { type Finding, shown } from '../../finding.js'
import { holdsCredentials } from '../../secrets.js'
import { absolutePath, type CommandFacts } from '../context.js'
import { isUnknown, unmarked } from '../marks.js'
import { operandsToRead } from '../operands.js'
import { printsCredential } from '../credential-commands.js'
import { environmentFinding, secretFinding, secretKindOfWord } from '../secret-words.js'
import type { BashRule } from './rule.js'

/** Commands that read whole trees: from the home folder up they reach every credential there is. */
const TREE_READERS = /^(?:tar|gtar|bsdtar|zip|7z|7za|rsync|cp|scp|grep|egrep|fgrep|rg|ag|ack|cpio|ditto|pax)$/

/** No command reads credentials, whatever it is called and however the path is written. */
export const secretPathRule: BashRule = {
  rule: 'secret-path',
  match: [
    'cat .env',
    'head -c 9 ~/.aws/credentials',
    'f=.env; cat "$f"',
    'cat .e*',
    "cat .e''nv",
    'while read -r l; do :; done < .env',
    'cp .env /tmp/x',
    'tar czf - ~/.ssh',
    'git show HEAD:.env',
    'find . -name .env -exec cat {} \\;',
    'find . -name id_rsa | xargs cat',
    'gh auth token',
    'ls ~/.ssh',
    'grep -r key ~',
    `node -p "require('fs').readFileSync('.env','utf8')"`,
    'cat /proc/self/cwd/.env',
    'echo A=b >> .env',
  ],
  notMatch: [
    'cat .env.example',
    'test -f .env',
    'ls -la .env',
    'echo .env >> .gitignore',
    'grep -n .env README.md',
    'jq .env package.json',
    'git check-ignore .env',
    'git rm --cached .env',
    'cat src/token.ts',
    'cat docs/secrets.md',
    'find . -name .env',
    'sed -n /.env/p .gitignore',
    'git commit -m "ignore .env"',
    'rg -g "!.env" key src',
    'tar czf x.tgz --exclude=.env .',
    'cat test/id_rsa.pub',
  ],
  judge(facts) {
    const findings: Finding[] = []
    for (const { word, listed } of operandsToRead(facts)) {
      const kind = secretKindOfWord(word, facts.shell)
      if (kind === 'file' && listed) continue
      const finding = secretFinding(kind, word)
      if (finding !== undefined) findings.push(finding)
      else if (readsTree(facts) && /^\/proc(?:\/[^/]+)?\/*$/.test(absolutePath(word, facts.shell) ?? '')) {
        findings.push(environmentFinding(word))
      } else if (isWholeHome(word, facts)) {
        findings.push({
          rule: 'secret-path',
          reason: `${shown(unmarked(word))} holds the credentials of the home folder. Name the folder inside it that is meant.`,
        })
      }
    }
    const credential = printsCredential(facts)
    if (credential !== undefined) {
      findings.push({
        rule: 'secret-path',
        reason: `${shown(credential)} prints a credential. Let the program that needs it find it by itself; the person signs in.`,
      })
    }
    return findings
  },
}

function readsTree({ name, args }: CommandFacts): boolean {
  if (!TREE_READERS.test(name)) return false
  const plain = /^(?:grep|egrep|fgrep|cp)$/.test(name)
  return !plain || args.some((arg) => /^-\w*[rRa]/.test(arg) || /^--(?:recursive|archive)$/.test(arg))
}

function isWholeHome(word: string, facts: CommandFacts): boolean {
  const { name, args, shell } = facts
  if (isUnknown(word) || !readsTree(facts)) return false
  if (
    name.endsWith('tar') &&
    args.some((arg, index) => arg === '--extract' || /^-\w*x/.test(arg) || (index === 0 && /^[a-z]*x/.test(arg)))
  )
    return false
  if (/^(?:cp|rsync)$/.test(name) && word === args.at(-1)) return false
  const path = absolutePath(word, shell)
  return path !== undefined && /^(?:\/|~|\.\.)/.test(word) && holdsCredentials(path, shell.run.world)
}
