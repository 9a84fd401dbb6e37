#!/usr/bin/env bash
# Runs one prompt; lets commands that begin with "npm " run and cancels every other question. Ends as enso ended.
set -euo pipefail
coproc ENSO { exec enso --json "$@"; }
pid=$ENSO_PID
exec {lines}<&"${ENSO[0]}" {requests}>&"${ENSO[1]}"

reply='.observation | select(.blocking) | {type: "dialog", id} +
  if (.dialog.message // "") | startswith("npm ") then {value: "Allow once"} else {cancelled: true} end'

while IFS= read -r line <&"$lines"; do
  case $(jq -r '.observation.kind // .type' <<< "$line") in
    text-delta) jq -j '.observation.delta' <<< "$line" ;;
    extension-ui-request) jq -c "$reply" <<< "$line" >&"$requests" ;;
    result) jq -r '"\n\(.outcome), \(.turns) turns"' <<< "$line" >&2 ;;
  esac
done
wait "$pid"
