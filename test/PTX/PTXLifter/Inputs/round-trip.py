"""Runs every kernel of a folder from its source and from its PTX, lifted again,
and compares all buffers: round-trip.py HEDDLE KERNELS SCRATCH"""

import pathlib
import re
import subprocess
import sys

heddle, kernels, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
sys.path.insert(0, str(kernels))
from least_arch import arch_options

same = 0
for launch in sorted(kernels.glob("*/*.yaml")):
    if launch.name.endswith("-large.yaml"):
        continue
    arch = arch_options(launch)
    names = sorted(set(re.findall(r"name: *(\w+)", launch.read_text())))
    for suffix in (".cl", ".cu"):
        source = launch.parent / (launch.parent.name + suffix)
        if not source.exists():
            continue
        ptx = scratch / (source.name + ".ptx")
        scratch.mkdir(parents=True, exist_ok=True)
        ptx.write_bytes(subprocess.run([heddle, "kernels", "--ptx", *arch, source], check=True, capture_output=True).stdout)
        contents = []
        for what in (source, ptx):
            dumps = [scratch / f"{name}.bin" for name in names]
            command = [heddle, "run", what, *arch, "--launch", launch, "-q"]
            for name, dump in zip(names, dumps):
                command += ["--dump", f"{name}={dump}"]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{what}: {done.stderr}")
            contents.append([dump.read_bytes() for dump in dumps])
        if contents[0] != contents[1]:
            sys.exit(f"{launch}: {source.name} and its PTX give other results")
        same += 1
print(same, "launches the same")
