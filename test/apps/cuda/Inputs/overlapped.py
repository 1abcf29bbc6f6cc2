"""Records a program, simulates the recording and compares how its work overlaps with what is expected.

usage: overlapped.py HEDDLE PROGRAM FOLDER ARGUMENT LEAST MOST NUMBER

NUMBER launches and copies from the host take LEAST to MOST of the sum of their times, from the first's begin
to the last one's end. FOLDER/ARGUMENT is the recording, FOLDER/ARGUMENT.json the result.
"""

import json
import subprocess
import sys

heddle, program, folder, argument = sys.argv[1:5]
least, most, number = float(sys.argv[5]), float(sys.argv[6]), int(sys.argv[7])
recording = f"{folder}/{argument}"
subprocess.run([heddle, "record", "-q", "-o", recording, "--", program, argument], check=True)
subprocess.run([heddle, "simulate", "-q", recording, "--json", recording + ".json"], check=True)
with open(recording + ".json") as f:
    result = json.load(f)
overlap = result["overlap"]
# Stream 0 is the host: what buffers are created with.
work = [o for o in overlap["operations"] if o["kind"] in ("launch", "to_device") and o["stream"]]
if len(work) != number:
    sys.exit(f"{argument}: {len(work)} launches and copies, not {number}")
alone = sum(l["time_us"] for l in result["launches"])
alone += sum(o["end_us"] - o["begin_us"] for o in work if o["kind"] != "launch")
together = max(o["end_us"] for o in work) - min(o["begin_us"] for o in work)
if not least <= together / alone <= most:
    sys.exit(f"{argument}: {together:.3f} us for {alone:.3f} us of work, {together / alone:.3f}, "
             f"not {least} to {most}")
if overlap["end_us"] > overlap["serial_us"] * (1 + 1e-9):
    sys.exit(f"{argument}: operations take longer than one after the other")
