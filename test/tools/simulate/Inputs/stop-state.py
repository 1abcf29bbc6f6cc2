"""Starts a simulation again and again, and stops each run a while after it has
written its state: by the signals that are named, in turn.

usage: stop-state.py STATE TIMES SIGNAL[,SIGNAL...] COMMAND..."""

import os
import signal
import subprocess
import sys
import time

state, times, names, command = sys.argv[1], int(sys.argv[2]), sys.argv[3].split(","), sys.argv[4:]
signal.signal(signal.SIGINT, signal.SIG_DFL)  # lit may ignore it


def written():
    """When the state was written last."""
    try:
        return os.stat(state).st_mtime_ns
    except OSError:
        return 0


def used(pid):
    """Seconds of the CPU, of all threads."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


statuses = []
while len(statuses) < times:
    before = written()
    process = subprocess.Popen(command)
    while process.poll() is None and written() == before:
        time.sleep(0.002)
    begin = used(process.pid)
    while process.poll() is None and used(process.pid) < begin + 0.1:
        time.sleep(0.002)
    process.send_signal(getattr(signal, names[len(statuses) % len(names)]))
    statuses.append(process.wait())
    if statuses[-1] == 0:
        break
print("statuses", *statuses)
