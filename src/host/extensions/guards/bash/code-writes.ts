import type { Language } from './code-language.js'

const LITERAL = String.raw`(?:[rbfu]{0,2})(['"\`])((?:(?!\1)[^\\\n]|\\.)+)\1`
/** A path may stand inside calls that only complete it: `os.path.expanduser("~/x")`, `Path("x")`. */
const WRAPPED = String.raw`(?:[\w.]*\(\s*)*` + LITERAL + String.raw`\s*\)*`

const WRITERS: Readonly<Record<Language, readonly RegExp[]>> = {
  python: [
    calls(String.raw`\bopen\(\s*` + WRAPPED + String.raw`\s*,\s*(?:mode\s*=\s*)?['"][rbt+]*[wax+]`),
    calls(
      String.raw`\b(?:rmtree|os\.(?:remove|unlink|rmdir|removedirs|mkdir|makedirs|truncate|chmod|chown|mkfifo)|shutil\.chown)\(\s*` +
        WRAPPED,
    ),
    calls(
      String.raw`\bPath\(\s*` +
        LITERAL +
        String.raw`\s*\)(?:\.expanduser\(\))?\.(?:write_text|write_bytes|unlink|rmdir|mkdir|touch|rename|replace|chmod|symlink_to)`,
    ),
    calls(String.raw`\b(?:copy\w*|move|rename|replace|symlink|link)\([^,()]*(?:\([^()]*\))?[^,()]*,\s*` + WRAPPED),
    calls(String.raw`\b(?:os\.(?:rename|replace|renames)|shutil\.move)\(\s*` + WRAPPED),
  ],
  javascript: [
    calls(
      String.raw`\b(?:writeFile|appendFile|createWriteStream|rm|rmdir|unlink|mkdir|mkdtemp|truncate|chmod|chown|writeTextFile|outputFile|ensureFile|remove)(?:Sync)?\(\s*` +
        WRAPPED,
    ),
    calls(String.raw`\b(?:copyFile|cp|rename|symlink|link)(?:Sync)?\([^,()]*(?:\([^()]*\))?[^,()]*,\s*` + WRAPPED),
    calls(String.raw`\bopen(?:Sync)?\(\s*` + WRAPPED + String.raw`\s*,\s*['"][wa]`),
    calls(String.raw`\bBun\.write\(\s*` + WRAPPED),
  ],
  perl: [
    calls(String.raw`\bopen\b[^;]*?,\s*['"]\+?>>?['"]?\s*(?::\w+)?['"]?\s*,\s*` + LITERAL),
    /\bopen\b[^;]*?,\s*(['"])\s*>>?\s*([^'"]+)\1/g,
    calls(String.raw`\b(?:unlink|rmdir|mkdir|truncate|rmtree|remove_tree|make_path)\b\s*\(?\s*` + LITERAL),
    calls(String.raw`\b(?:rename|copy|move|symlink|link)\b\s*\(?[^,;]*,\s*` + LITERAL),
  ],
  ruby: [
    calls(String.raw`\b(?:File|IO)\.(?:write|binwrite|delete|unlink|truncate|chmod)\(?\s*` + WRAPPED),
    calls(String.raw`\b(?:File\.(?:open|new)|open)\(?\s*` + WRAPPED + String.raw`\s*,\s*['"][wa]`),
    calls(String.raw`\bFileUtils\.(?:rm\w*|mkdir\w*|touch|remove\w*)\(?\s*` + WRAPPED),
    calls(String.raw`\bFileUtils\.(?:cp\w*|mv|ln\w*|install)\(?[^,;]*,\s*` + WRAPPED),
  ],
  php: [
    calls(String.raw`\b(?:file_put_contents|unlink|rmdir|mkdir|touch|chmod)\(\s*` + LITERAL),
    calls(String.raw`\bfopen\(\s*` + LITERAL + String.raw`\s*,\s*['"][waxc]`),
    calls(String.raw`\b(?:copy|rename|symlink|link)\([^,]*,\s*` + LITERAL),
  ],
  awk: [calls(String.raw`(?:print|printf)\b[^;|}]*?>>?\s*` + LITERAL)],
  other: [
    calls(String.raw`\b(?:io\.)?open\(\s*` + LITERAL + String.raw`\s*,\s*['"][wa]`),
    calls(
      String.raw`\b(?:os\.remove|os\.rename|writeLines|write|unlink|file\.remove|rm|write-region|delete-file)\s*\(?[^;]*?` +
        LITERAL,
    ),
  ],
}

function calls(source: string): RegExp {
  return new RegExp(source, 'g')
}

/** The literal paths that a one-liner writes, removes or changes. */
export function codeWrites(text: string, language: Language): string[] {
  return WRITERS[language].flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[2] ?? ''))
}
