"""Runs a command in a folder whose name is not UTF-8, and says how it ended and whether it took less memory.

usage: odd-folder.py SOURCE MEGABYTES COMMAND..."""

import os
import resource
import shutil
import subprocess
import sys
import tempfile

source, megabytes, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
with tempfile.TemporaryDirectory() as scratch:
    folder = os.path.join(os.fsencode(scratch), b"d\xff\xfe")
    os.mkdir(folder)
    shutil.copy(os.fsencode(source), folder)
    # The name of the source is what results quote.
    odd = os.path.join(folder, b"\xfe-" + os.path.basename(os.fsencode(source)))
    os.rename(os.path.join(folder, os.path.basename(os.fsencode(source))), odd)
    words = [odd if word == os.path.basename(source) else word for word in command]
    status = subprocess.run(words, cwd=folder, check=False).returncode
most = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024
print(f"status {status},", "small" if most < megabytes else f"{most} MB", flush=True)
