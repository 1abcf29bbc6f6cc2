"""Interrupts a simulation when its trace has been kept.

usage: stop-kept.py TRACE COMMAND..."""

import os
import signal
import subprocess
import sys
import time

signal.signal(signal.SIGINT, signal.SIG_DFL)  # lit may ignore it
trace, command = sys.argv[1], sys.argv[2:]
process = subprocess.Popen(command)
while process.poll() is None and not os.path.exists(trace + ".json"):
    time.sleep(0.005)
time.sleep(0.3)  # some cycles
process.send_signal(signal.SIGINT)
print("status", process.wait())
