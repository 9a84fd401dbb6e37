#!/usr/bin/env python3
"""Runs one prompt, asks you its questions, and ends as enso ended:  driver.py -m local/x "tidy up" """
import json, subprocess, sys

enso = subprocess.Popen(["enso", "--json", *sys.argv[1:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                        encoding="utf-8")

def answer(question, **reply):
    enso.stdin.write(json.dumps({"type": "dialog", "id": question["id"], **reply}) + "\n")
    enso.stdin.flush()

for line in enso.stdout:
    frame = json.loads(line)
    seen = frame.get("observation", {})
    if seen.get("kind") == "text-delta":
        print(seen["delta"], end="", flush=True)
    elif seen.get("kind") == "extension-ui-request" and seen["blocking"]:
        options = seen["dialog"].get("options")
        print(f"\n{seen['dialog']['title']} {seen['dialog'].get('message', '')} {options or ''}", file=sys.stderr)
        answer(seen, **({"value": input()} if options else {"cancelled": True}))
    elif frame["type"] == "result":
        print(f"\n{frame['outcome']}, {frame['turns']} turns", file=sys.stderr)
sys.exit(enso.wait())
