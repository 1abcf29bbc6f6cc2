"""Runs a command and succeeds if it exits with the status that is expected.

usage: status.py STATUS COMMAND..."""

import subprocess
import sys

expected = int(sys.argv[1])
status = subprocess.run(sys.argv[2:], stdin=subprocess.DEVNULL, check=False).returncode
if status != expected:
    sys.exit(f"exit status {status} instead of {expected}: {' '.join(sys.argv[2:])}")
