"""Opens a page in headless Chromium without a network and checks it.

usage: browse.py PAGE TEXT...
Every TEXT must stand in the page as it is after its scripts ran, outside of the scripts;
nothing may be written to the console; nothing may be fetched."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

page, texts = sys.argv[1], sys.argv[2:]
source = open(page, encoding="utf-8").read()
outside = re.sub(r"<(script|style)\b.*?</\1>", "", source, flags=re.S)
assert "http" not in outside, "the page names an address"
for attribute in re.findall(r'<(?:script|link|img)[^>]*(?:src|href)="([^"]*)"', outside):
    assert attribute == "data:,", f"the page fetches {attribute}"
assert not re.search(r"\b(fetch|XMLHttpRequest|importScripts)\(", source), "a script fetches"

browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
with tempfile.TemporaryDirectory() as home:
    run = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr",
         f"--user-data-dir={home}", "--dump-dom", "file://" + os.path.abspath(page)],
        capture_output=True, text=True, timeout=300, env={**os.environ, "HOME": home})
messages = [line for line in run.stderr.split("\n") if "CONSOLE" in line]
assert not messages, "\n".join(messages)
shown = re.sub(r"<(script|style)\b.*?</\1>", "", run.stdout, flags=re.S)
assert 'data-ready="yes"' in shown, "the scripts did not come to their end:\n" + run.stdout[-2000:]
words = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", shown))
assert "cannot be shown" not in words, "a part of the page failed"
for number in re.findall(r"\b(?:NaN|undefined|Infinity|null)\b", words):
    sys.exit(f"the page shows {number}")
for text in texts:
    assert text in words or text in shown, f"not in the page: {text}"
