"""Sends SIGINT, as Ctrl-C does, to a command as soon as it catches the signal.

usage: interrupt.py [--kill] COMMAND...

--kill then kills it outright, a little later. Prints the exit status and what the command said on standard error."""

import signal
import subprocess
import sys
import time


def catches(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as file:
        mask = next(line for line in file if line.startswith("SigCgt:")).split()[1]
    return int(mask, 16) >> (signal.SIGINT - 1) & 1


command = sys.argv[1:]
kill = command[0] == "--kill"
if kill:
    del command[0]

# Whoever runs the tests may ignore the signal, and children would too.
process = subprocess.Popen(
    command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
    text=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
while process.poll() is None and not catches(process.pid):
    time.sleep(0.01)
if kill:
    time.sleep(0.2)
process.send_signal(signal.SIGKILL if kill else signal.SIGINT)
try:
    print(process.communicate(timeout=60)[1], end="")
    print("exit status", process.returncode)
except subprocess.TimeoutExpired:
    process.kill()
    sys.exit("did not end")
