"""Changes a bit of a state here and there, and cuts it there: the command must
refuse each with one line and status 1. Leaves the state as it was.

usage: damage-state.py STATE COMMAND..."""

import subprocess
import sys

state, command = sys.argv[1], sys.argv[2:]
with open(state, "rb") as file:
    good = file.read()


def refused(data):
    with open(state, "wb") as file:
        file.write(data)
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 1 and run.stdout == "", (run.returncode, run.stdout)
    assert run.stderr.startswith("heddle: error: ") and run.stderr.count("\n") == 1, run.stderr
    assert "damaged, or not the state of a simulation; remove it" in run.stderr, run.stderr


for share in (0.005, 0.5, 1):
    place = int(share * (len(good) - 1))
    refused(good[:place] + bytes([good[place] ^ 1]) + good[place + 1 :])
    refused(good[:place])
with open(state, "wb") as file:
    file.write(good)
print("refused")
