"""usage: modes.py HEDDLE KERNELS FOLDER MODE [ENGINE]: compares the trace that MODE
makes of every kernel, in each language that it has, with the executed one."""

import os
import subprocess
import sys

heddle, kernels, folder, mode = sys.argv[1:5]
engine = sys.argv[5] if len(sys.argv) > 5 else "auto"
sys.path.insert(0, kernels)
from least_arch import arch_options

executed, other = (os.path.join(folder, f"{name}.hdlt") for name in ("executed", "other"))
count = different = 0
for name in sorted(os.listdir(kernels)):
    base = os.path.join(kernels, name, name)
    for source in (base + e for e in (".cl", ".cu")):
        if not os.path.exists(source):
            continue
        arch = arch_options(base + ".yaml")
        if arch and mode == "static":
            continue  # mbarriers: test/Exec/mbarrier.test
        count += 1
        for path, how in ((executed, ["--mode", "executed"]),
                          (other, ["--mode", mode, "--engine", engine])):
            subprocess.run([heddle, "trace", source, "--launch", base + ".yaml", "-q", *how, *arch,
                            "-o", path], check=True)
        diff = subprocess.run([heddle, "trace", "diff", executed, other], check=False,
                              stdout=subprocess.PIPE, text=True)
        if diff.returncode != 0:
            different += 1
            print(f"{os.path.basename(source)}: {diff.stdout.strip()}")
print(f"{count} kernels, {different or 'no'} difference{'s' if different > 1 else ''}")
