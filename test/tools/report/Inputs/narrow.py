"""Opens a page in headless Chromium in a window 420 pixels wide: it must not be wider than that.

usage: narrow.py PAGE"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

browser = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
with tempfile.TemporaryDirectory() as home:
    # A browser's own window is 500 wide at least; a frame is as wide as it is told.
    frame = os.path.join(home, "frame.html")
    with open(frame, "w", encoding="utf-8") as out:
        out.write(f"""<!doctype html><iframe width="420" height="900" style="border: none" src="file://{os.path.abspath(sys.argv[1])}" onload="
            const page = this.contentDocument.documentElement;
            document.body.dataset.sizes = this.contentWindow.innerWidth + ' ' + page.scrollWidth"></iframe>""")
    shown = subprocess.run(
        [browser, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--allow-file-access-from-files",
         "--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={home}/profile", "--dump-dom", "file://" + frame],
        capture_output=True, text=True, timeout=300, env={**os.environ, "HOME": home}).stdout
window, wide = map(int, re.search(r'data-sizes="(\d+) (\d+)"', shown).groups())
assert window == 420, f"the window is {window} wide"
assert wide <= window, f"the page is {wide} wide in a window of {window}"
