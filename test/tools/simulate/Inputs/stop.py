"""Starts a command again and again, and stops each run when it has written its
database: the first by SIGTERM, the second by SIGKILL, and so on.

usage: stop.py DATABASE TIMES COMMAND..."""

import os
import signal
import subprocess
import sys
import time

database, times, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
signal.signal(signal.SIGINT, signal.SIG_DFL)  # lit may ignore it


def state():
    try:
        status = os.stat(database)
        return status.st_mtime_ns, status.st_size
    except FileNotFoundError:
        return None


stops = 0
while stops < times:
    before = state()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while process.poll() is None and state() == before:
        time.sleep(0.001)
    process.send_signal(signal.SIGKILL if stops % 2 else signal.SIGTERM)
    if process.wait() == 0:
        break
    stops += 1
print(f"stopped {stops} times")
