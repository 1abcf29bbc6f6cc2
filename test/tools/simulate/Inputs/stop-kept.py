"""Interrupts a simulation when its trace has been kept.

usage: stop-kept.py TRACE COMMAND..."""

import os
import signal
import subprocess
import sys
import time

signal.signal(signal.SIGINT, signal.SIG_DFL)  # lit may ignore it
trace, command = sys.argv[1], sys.argv[2:]


def used(pid):
    """Seconds of the CPU, of all threads."""
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


process = subprocess.Popen(command)
while process.poll() is None and not os.path.exists(trace + ".json"):
    time.sleep(0.005)
begin = used(process.pid)
while process.poll() is None and used(process.pid) < begin + 0.3:  # some cycles
    time.sleep(0.005)
process.send_signal(signal.SIGINT)
print("status", process.wait())
