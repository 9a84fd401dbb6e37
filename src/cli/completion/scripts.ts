/** The shells that have a script. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof SHELLS)[number]

/** Bash from 3.2 on: what it splits at colons and equal signs is put together again. */
const BASH = String.raw`# enso completion for bash:  eval "$(enso completion bash)"
_enso() {
  local line="\${COMP_LINE:0:COMP_POINT}" typed cut candidate about
  local -a typed_words
  read -ra typed_words <<< "$line"
  case "$line" in *[[:space:]]) typed_words+=("") ;; esac
  typed="\${typed_words[\${#typed_words[@]}-1]}"
  cut="\${typed%"\${typed##*[:=]}"}"
  COMPREPLY=()
  while IFS=$'\t' read -r candidate about; do
    case "$candidate" in
      :files|:folders)
        compopt -o filenames 2> /dev/null
        local kind=-f
        [ "$candidate" = :folders ] && kind=-d
        while IFS= read -r candidate; do COMPREPLY+=("$candidate"); done < <(compgen $kind -- "\${typed#"$cut"}")
        return ;;
      "$typed"*)
        case "$candidate" in */) compopt -o nospace 2> /dev/null ;; esac
        COMPREPLY+=("\${candidate#"$cut"}") ;;
    esac
  done < <("\${1:-enso}" __complete -- "\${typed_words[@]:1}" 2> /dev/null)
}
complete -F _enso enso
`

const ZSH = String.raw`#compdef enso
# enso completion for zsh:  eval "$(enso completion zsh)", or a file _enso in a folder of $fpath
_enso() {
  local line value
  local -a described
  for line in "\${(@f)$("\${words[1]}" __complete -- "\${(@)words[2,CURRENT]}" 2> /dev/null)}"; do
    case "$line" in
      '') ;;
      :files) _files; return ;;
      :folders) _files -/; return ;;
      *)
        value="\${line%%$'\t'*}"
        described+=("\${value//:/\\:}\${\${line#"$value"}/$'\t'/:}") ;;
    esac
  done
  _describe -V enso described
}
if [ "\${funcstack[1]}" = _enso ]; then _enso "$@"; else compdef _enso enso; fi
`

const FISH = String.raw`# enso completion for fish:  enso completion fish | source
function __enso_candidates
    set -l typed (commandline -ct)
    set -l before (commandline -opc)
    set -e before[1]
    for line in (enso __complete -- $before "$typed" 2> /dev/null)
        switch $line
            case ':files'
                __fish_complete_path $typed
            case ':folders'
                __fish_complete_directories $typed
            case '*'
                echo $line
        end
    end
end
complete -c enso -f -a '(__enso_candidates)'
`

/** The script that a shell reads to complete enso's command lines. It asks enso itself what could stand there. */
export function completionScript(shell: Shell): string {
  return { bash: BASH, zsh: ZSH, fish: FISH }[shell].replaceAll('\\${', '${')
}
