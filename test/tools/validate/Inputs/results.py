"""Writes five small results.

usage: results.py FOLDER"""

import json
import os
import subprocess
import sys

version = subprocess.run(["heddle", "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
for name, kernel, gpu, cycles in [("a", "add", "v100", 110), ("b", "add", "t4", 240), ("c", "mul", "v100", 600),
                                  ("d", "mul", "t4", 500), ("e", "div", "v100", 7),
                                  ("f", "void gemm<float, 4>(float *, int)", "v100", 50),
                                  ("g", "void gemm<double, 8>(double *, int)", "v100", 70)]:
    with open(os.path.join(sys.argv[1], name + ".json"), "w", encoding="utf-8") as file:
        json.dump({"tool": "heddle", "version": version, "kernel": kernel, "gpu": gpu, "cycles": cycles,
                   "time_us": cycles / 1000}, file)
