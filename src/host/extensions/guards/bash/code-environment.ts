import { type Finding, shown } from '../finding.js'
import { isSecretVariable } from '../secrets.js'
import type { Language } from './code-language.js'

/** The whole environment taken as one value, by language. */
const WHOLE: Readonly<Record<Language, RegExp>> = {
  python: /\bos\.environb?\b(?!\s*(?:\[|\.(?:get|setdefault|pop|update)\b))|\bfrom\s+os\s+import\s+[^\n;]*\benviron\b/,
  javascript:
    /\bprocess(?:\.env\b|\s*(?:\?\.)?\[\s*['"`]env['"`]\s*\])(?!\s*(?:\?\.|\.|\[))|\bDeno\.env\.toObject\b|\bBun\.env\b(?!\s*[.[])/,
  perl: /%ENV\b|\bkeys\s+%?ENV\b/,
  ruby: /\bENV\b(?!\s*(?:\[|\.(?:fetch|key\?|has_key\?|include\?)))/,
  php: /\$_ENV\b(?!\s*\[)|\bgetenv\s*\(\s*\)|\bphpinfo\b|\$_SERVER\b(?!\s*\[)/,
  awk: /\bENVIRON\b(?!\s*\[\s*")/,
  other:
    /\bSys\.getenv\s*\(\s*\)|\bENV\b(?!\s*[[.])|\bprocess-environment\b|\bSystem\.getenv\(\)|\bSystem\.get_env\(\)/,
}

const ONE =
  /(?:os\.environ(?:\.get)?\s*[[(]\s*|os\.getenv\s*\(\s*|process\.env\s*\[?\s*\.?\s*|\$ENV\{\s*|ENV\s*(?:\[|\.fetch\()\s*|ENVIRON\s*\[\s*|\$_(?:ENV|SERVER)\s*\[\s*|getenv\s*\(\s*|Deno\.env\.get\s*\(\s*)['"`]?(\w+)/g

/** `const { env } = process`, after which `env` is the environment. */
const TAKEN_APART =
  /\{[^{}]*\benv\b(?:\s*:\s*(\w+))?[^{}]*\}\s*(?:=\s*|from\s*)(?:require\(\s*)?['"]?(?:node:)?process\b['"]?\)?/

function takenApart(text: string): boolean {
  const match = TAKEN_APART.exec(text)
  if (match === null) return false
  const rest = text.slice(0, match.index) + text.slice(match.index + match[0].length)
  return new RegExp(`\\b${match[1] ?? 'env'}\\b(?!\\s*(?:\\?\\.|\\.|\\[|['"\`:]))`).test(rest)
}

/** Why a one-liner may not run: it takes the environment whole, or a variable that holds a key. */
export function environmentReads(text: string, language: Language): Finding | undefined {
  if (WHOLE[language].test(text) || (language === 'javascript' && takenApart(text))) {
    return {
      rule: 'environment-dump',
      reason:
        'this code reads the whole environment, which may hold keys. Ask for one variable by its name, for example printenv PATH.',
    }
  }
  for (const match of text.matchAll(ONE)) {
    if (!isSecretVariable(match[1] ?? '')) continue
    return {
      rule: 'environment-dump',
      reason: `${shown(match[1] ?? '')} is a variable that holds a secret. Leave its value to the program that needs it; to see whether it is set, use test -n.`,
    }
  }
  return undefined
}
