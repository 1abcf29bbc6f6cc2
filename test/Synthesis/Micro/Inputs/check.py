"""Simulates hand-written kernels and prints what one can reckon by hand:
check.py HEDDLE FOLDER"""

import json
import subprocess
import sys

heddle, folder = sys.argv[1:]


def simulate(name):
    command = [heddle, "simulate", f"{folder}/{name}.mlir", "--gpu", "v100", "--json", "-", "-q"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def verdict(name, value, least, most):
    print(f"{name}: {'plausible' if least <= value <= most else f'{value:.1f} is not in [{least}, {most}]'}")


# Eight dependent instructions of 4 cycles, and at least a taken branch (8).
chain = simulate("fma-chain")
iteration = chain["cycles"] / 1000
verdict("cycles of eight dependent instructions in a loop", iteration, 8 * 4, 8 * 4 + 20)
verdict("instructions of the chain", chain["warp_instructions"], 11000, 11010)

# Each of 262,144 lanes' loads needs a sector of its own from DRAM: no more than
# 900 GB/s at 1380 MHz, and not less than half of it.
stream = simulate("load-stream")
sectors = 64 * 256 * 16
bytes_per_cycle = sectors * 32 / stream["cycles"]
verdict("bytes per cycle from DRAM", bytes_per_cycle, 326, 652)
verdict("loads and stores", stream["l1"]["accesses"], sectors, 1.1 * sectors)
