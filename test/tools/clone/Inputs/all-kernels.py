"""Clones of every kernel of a folder, both kinds: our PTX reader takes them, the
leak check lets the synthetic ones pass, the same input gives the same files, and
ptxas assembles them where it is given.

usage: all-kernels.py HEDDLE KERNELS SCRATCH [PTXAS]"""

import pathlib
import subprocess
import sys

heddle, kernels, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
sys.path.insert(0, str(kernels))
from least_arch import arch_options

ptxas = sys.argv[4] if len(sys.argv) > 4 else None


def call(*command):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def contents(folder):
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def check(folder):
    call(heddle, "run", folder / "clone.ptx", "--launch", folder / "clone.launch.yaml", "-q")
    if ptxas:
        call(ptxas, "-arch=sm_75", folder / "clone.ptx", "-o", scratch / "clone.cubin")


clones = 0
for launch in sorted(kernels.glob("*/*.yaml")):
    if launch.name.endswith("-large.yaml"):
        continue
    sources = [launch.parent / (launch.parent.name + suffix) for suffix in (".cl", ".cu")]
    sources = [source for source in sources if source.exists()]
    for source in sources:
        if source.stem.startswith("half_product") or arch_options(launch):
            continue  # tensor cores are refused: opcodes.test
        place = scratch / (source.name + "-" + launch.stem)
        place.mkdir(parents=True, exist_ok=True)
        original = (source, "--launch", launch, "--arch", "sm_75")
        call(heddle, "clone", *original, "-q", "-o", place / "a")
        check(place / "a")
        clones += 1
        if source != sources[0]:
            continue
        # The way through a profile executes it again.
        call(heddle, "profile", "--behavior", *original, "-q", "-o", place / "p.json")
        call(heddle, "clone", place / "p.json", "--arch", "sm_75", "-q", "-o", place / "b")
        if contents(place / "a") != contents(place / "b"):
            sys.exit(f"{source}, {launch}: the files differ from run to run")
        call(heddle, "clone", *original, "--mode", "inplace", "-q", "-o", place / "c")
        check(place / "c")
        clones += 1
print(clones, "clones are taken")
