"""Starts the simulation of a recording again and again, and stops each run when
its database has three more launches: the first by SIGTERM, the second by
SIGKILL, and so on.

usage: stop.py DATABASE TIMES COMMAND..."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

database, times, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
signal.signal(signal.SIGINT, signal.SIG_DFL)  # lit may ignore it


def launches():
    """The simulation holds the lock, so a copy is read."""
    copy = database + ".copy"
    try:
        for suffix in ("", "-journal"):
            if os.path.exists(database + suffix):
                shutil.copyfile(database + suffix, copy + suffix)
        with sqlite3.connect(copy) as connection:
            return connection.execute("SELECT count(*) FROM points").fetchone()[0]
    except (sqlite3.Error, OSError):
        return 0


stops = 0
while stops < times:
    before = launches()
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    while process.poll() is None and launches() < before + 3:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL if stops % 2 else signal.SIGTERM)
    if process.wait() == 0:
        break
    stops += 1
print(f"stopped {stops} times, with {launches()} launches")
