"""Holds times that a program takes by events to those of its recording.

usage: event_times.py HEDDLE PROGRAM FOLDER MACHINE

The host waits at the end of each thing that the program times, and prints what it is and its microseconds.
The program runs with HEDDLE_TIMING=simulate; MACHINE has no launch.host_time, which only events have.
"""

import json
import os
import subprocess
import sys

heddle, program, folder, machine = sys.argv[1:]
recording = f"{folder}/recording"
printed = subprocess.run([heddle, "record", "-q", "-o", recording, "--", program], check=True, capture_output=True,
                         text=True, env={**os.environ, "HEDDLE_TIMING": "simulate", "HEDDLE_GPU": machine}).stdout
subprocess.run([heddle, "simulate", "-q", recording, "--gpu", machine, "--json", f"{folder}/result.json"], check=True)
with open(f"{folder}/result.json") as f:
    operations = json.load(f)["overlap"]["operations"]
waits = [o["end_us"] for o in operations if o["kind"] == "host"]
expected = [end - begin for begin, end in zip([waits[0]] + waits, waits)]
times = {line.split()[0]: float(line.split()[1]) for line in printed.splitlines() if len(line.split()) == 2}
if len(times) != len(expected):
    sys.exit(f"{len(times)} times and {len(expected)} waits of the host")
for (what, us), other in zip(times.items(), expected):
    if abs(us - other) > 0.001 + 1e-5 * other:
        sys.exit(f"{what}: {us} us by events, {other:.4f} us in the recording")
one = times["one"]
for what, least, most in (("serial", 1.99, 2.01), ("parallel", 0.99, 1.1), ("ordered", 1.99, 2.01), ("graph", 0.99, 1.1), ("late", 0.99, 1.01)):
    if not least * one <= times[what] <= most * one:
        sys.exit(f"{what}: {times[what]} us, and one kernel takes {one}")
if times["beside"] >= one + 0.9 * times["copy"]:
    sys.exit(f"a copy does not run beside a kernel: {times}")
