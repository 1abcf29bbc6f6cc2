"""Prints a page in headless Chromium and checks the PDF.

usage: print.py PAGE MOST_SHEETS
The page has to come out on at least two sheets (everything is open in print) and on at most
MOST_SHEETS (what does not fit on a sheet goes on on the next instead of leaving one empty)."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

page, most = sys.argv[1], int(sys.argv[2])
browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
with tempfile.TemporaryDirectory() as home:
    pdf = os.path.join(home, "page.pdf")
    subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
         "--host-resolver-rules=MAP * ~NOTFOUND", "--no-pdf-header-footer",
         f"--user-data-dir={home}", f"--print-to-pdf={pdf}",
         "file://" + os.path.abspath(page) + "#theme=dark"],
        capture_output=True, timeout=300, check=True, env={**os.environ, "HOME": home})
    with open(pdf, "rb") as file:
        data = file.read()
assert data.startswith(b"%PDF"), "no PDF"
sheets = len(re.findall(rb"/Type\s*/Page\b", data))
assert 2 <= sheets <= most, f"{sheets} sheets"
