"""Clones kernels from their profiles and again from the clone.mlir that was
written, and compares all files: through-text.py HEDDLE KERNELS SCRATCH NAME..."""

import pathlib
import subprocess
import sys

heddle, kernels, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
for name in sys.argv[4:]:
    source = next(s for suffix in ("cu", "cl") if (s := kernels / name / f"{name}.{suffix}").exists())
    first, second = scratch / name, scratch / (name + "-again")
    factor = [] if name == "lu_step" else ["--factor", "2"]
    subprocess.run([heddle, "clone", source, "--launch", kernels / name / f"{name}.yaml", "-o", first, "-q",
                    "--grid-factor", "2", *factor], check=True)
    subprocess.run([heddle, "clone", first / "clone.mlir", "-o", second, "-q"], check=True)
    for file in sorted(first.iterdir()):
        if file.read_bytes() != (second / file.name).read_bytes():
            sys.exit(f"{name}: {file.name} differs")
print(len(sys.argv) - 4, "kernels the same")
