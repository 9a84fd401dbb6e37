#!/bin/sh
# One unattended run for any CI:  run.sh "update the changelog"
# Prints the reply, keeps the whole result in enso-result.json, and ends with enso's exit code.
set -u
enso --output-format json --max-turns "${MAX_TURNS:-30}" --timeout "${TIMEOUT:-20m}" "$@" > enso-result.json
code=$?
jq -r '.text' enso-result.json
case $code in
  0) ;;
  3) echo "blocked: add a rule, or an answer: $(jq -c '.denials' enso-result.json)" >&2 ;;
  4) echo "stopped at its limit: $(jq -c '.limit' enso-result.json)" >&2 ;;
  5) echo "the provider: $(jq -r '.reason' enso-result.json)" >&2 ;;
  *) echo "$(jq -r '"\(.outcome): \(.reason)"' enso-result.json)" >&2 ;;
esac
exit "$code"
