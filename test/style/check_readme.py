"""Whether README.md's example is what its command prints: check_readme.py ROOT HEDDLE [--update]

The first `simulate` of the README is run; what follows it in the block must be its output. --update puts the output there."""

import os
import re
import subprocess
import sys

root, heddle = sys.argv[1], sys.argv[2]
path = os.path.join(root, "README.md")
with open(path, encoding="utf-8") as file:
    text = file.read()
block = re.search(r"```console\n\$ build/release/bin/heddle (simulate [^\n]*)\n(.*?)```", text, re.S)
run = subprocess.run([heddle, *block.group(1).split()], cwd=root, capture_output=True, text=True, check=True)
total = re.search(r"^  total +([\d.]+)$", run.stdout, re.M).group(1)
new = text[:block.start(2)] + run.stdout + text[block.end(2):]
new = re.sub(r"Of a warp's [\d.]+ cycles", f"Of a warp's {total} cycles", new)
if new != text and "--update" in sys.argv:
    with open(path, "w", encoding="utf-8") as file:
        file.write(new)
elif new != text:
    for n, (old, line) in enumerate(zip(text.splitlines(), new.splitlines()), 1):
        if old != line:
            sys.exit(f"README.md:{n}: '{old}' is now '{line}'; python3 test/style/check_readme.py . {heddle} --update mends it")
