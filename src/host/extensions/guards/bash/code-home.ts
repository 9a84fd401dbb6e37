/** The home folder as code asks for it. */
const HOME = String.raw`(?:(?:require\(\s*['"](?:node:)?os['"]\s*\)|\bos)\.homedir\(\)|\bhomedir\(\)|\bprocess\.env\.HOME\b|\b(?:pathlib\.)?Path\.home\(\)|\bos\.environ\[\s*['"]HOME['"]\s*\]|\bos\.getenv\(\s*['"]HOME['"]\s*\)|\bDir\.home\b|\$?\bENV\[\s*['"]HOME['"]\s*\]|\$ENV\{\s*['"]?HOME['"]?\s*\})`

/** Inside a text: `${os.homedir()}/x`, `#{ENV["HOME"]}/x`, `{Path.home()}/x`. */
const WITHIN = new RegExp(String.raw`[#$]?\{\s*${HOME}\s*\}`, 'g')
/** Perl's own way inside a text. */
const PERL_WITHIN = /\$ENV\{\s*['"]?HOME['"]?\s*\}(?=\/)/g
/** Before a text it is joined to: `os.homedir() + '/x'`, `Path.home() / 'x'`, `path.join(os.homedir(), 'x')`. */
const JOINED = new RegExp(String.raw`${HOME}(\s*[+/.,]\s*[rbfu]?(['"\`])\/?)?`, 'g')

/** Code with the home folder written out, so that its literals are the paths they come to. */
export function withHome(text: string, home: string): string {
  if (!/home|HOME/.test(text)) return text
  return text
    .replace(WITHIN, () => home)
    .replace(PERL_WITHIN, () => home)
    .replace(JOINED, (_, joined: string | undefined, quote: string | undefined) =>
      joined === undefined ? `'${home}' ` : `${quote}${home}/`,
    )
}
