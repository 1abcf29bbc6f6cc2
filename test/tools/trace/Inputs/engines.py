"""usage: engines.py HEDDLE KERNELS FOLDER: compares the traces that the engines
make of every kernel, in the first language that it has."""

import os
import subprocess
import sys

heddle, kernels, folder = sys.argv[1:]
sys.path.insert(0, kernels)
from least_arch import arch_options

jit, interpreter = (os.path.join(folder, f"{name}.hdlt") for name in ("jit", "interpreter"))
count = different = 0
for name in sorted(os.listdir(kernels)):
    base = os.path.join(kernels, name, name)
    source = next((base + e for e in (".cl", ".cu") if os.path.exists(base + e)), None)
    if source is None:
        continue
    count += 1
    for path, engine in ((jit, "jit"), (interpreter, "interpreter")):
        subprocess.run([heddle, "trace", source, "--launch", base + ".yaml", "-q",
                        "--engine", engine, *arch_options(base + ".yaml"), "-o", path], check=True)
    with open(jit, "rb") as a, open(interpreter, "rb") as b:
        same = a.read() == b.read()
    if not same:
        different += 1
        print(name)
        subprocess.run([heddle, "trace", "diff", jit, interpreter], check=False)
    subprocess.run([heddle, "trace", "verify", "--replay", "-q", jit], check=True)
print(f"{count} kernels, {different or 'no'} difference{'s' if different > 1 else ''}")
