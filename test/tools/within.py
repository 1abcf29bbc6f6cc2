"""Runs a command that has to end in time, and exits with its status.

usage: within.py SECONDS COMMAND...    HEDDLE_SLOWER: how many times as long it may take"""

import os
import sys

seconds = float(sys.argv[1]) * int(os.environ.get("HEDDLE_SLOWER", "1"))
os.execvp("timeout", ["timeout", str(seconds), *sys.argv[2:]])
