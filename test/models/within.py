"""within.py HEDDLE MODEL PERCENT ARGUMENTS: MODEL is within PERCENT of `simulate`."""
import json
import subprocess
import sys

heddle, model, percent, *arguments = sys.argv[1:]


def result(*command):
    command = [heddle, *command, *arguments, "-q", "--json", "-"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


truth, guess = result("simulate"), result("estimate", "--model", model)
off = 100 * (guess["cycles"] / truth["cycles"] - 1)
print(f"off {off:.1f} %")
print("DRAM writes", truth["dram"]["writes"], guess["dram"].get("write_sectors"))
if abs(off) > float(percent):
    sys.exit(f"{model} is {off:.1f} % off `simulate`")
