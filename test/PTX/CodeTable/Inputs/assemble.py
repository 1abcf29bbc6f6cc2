"""Gives what `kernels --ptx` writes of every kernel of a folder to ptxas:
assemble.py HEDDLE PTXAS KERNELS SCRATCH"""

import pathlib
import subprocess
import sys

heddle, ptxas, kernels, scratch = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), pathlib.Path(sys.argv[4])
scratch.mkdir(parents=True, exist_ok=True)
sys.path.insert(0, str(kernels))
from least_arch import arch_options

taken = 0
for source in sorted(kernels.glob("*/*.c[lu]")):
    arch = (arch_options(source.parent / (source.parent.name + ".yaml")) or ["--arch", "sm_80"])[1]
    ptx = scratch / (source.name + ".ptx")
    ptx.write_bytes(subprocess.run([heddle, "kernels", "--ptx", "--no-ptxas", "--arch", arch, source], check=True,
                                   capture_output=True).stdout)
    done = subprocess.run([ptxas, "-c", "-arch", arch, ptx, "-o", "/dev/null"], capture_output=True, text=True)
    if done.returncode:
        print(f"{source.name}: {(done.stdout + done.stderr).strip()}")
    taken += done.returncode == 0
print(taken, "files assembled")
