"""Runs a command, sends it a signal, and says how it ended and how soon.

usage: interrupt.py SIGNAL SECONDS COMMAND..."""

import signal
import subprocess
import sys
import time

signal.signal(signal.SIGINT, signal.SIG_DFL)  # lit may ignore it
process = subprocess.Popen(sys.argv[3:])
time.sleep(float(sys.argv[2]))
begin = time.monotonic()
process.send_signal(getattr(signal, sys.argv[1]))
status = process.wait()
late = time.monotonic() - begin
# A second is promised; machines that run tests are busy.
print(f"status {status}", "in time" if late < 5 else f"after {late} s", flush=True)
