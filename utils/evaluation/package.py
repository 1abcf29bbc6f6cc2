"""Builds the Debian packages, installs them in a bare Debian 12, runs README's example from there and removes them."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from common import ROOT, Report

BUILD = pathlib.Path(ROOT) / "build/release"
EXAMPLE = "/usr/share/doc/heddle/examples/reduction/reduction"
PROGRAM = """
#include <cstdio>
__global__ void twice(int *a) { a[threadIdx.x] *= 2; }
int main() {
  int host[4] = {1, 2, 3, 4}, *device;
  cudaMalloc(&device, sizeof(host));
  cudaMemcpy(device, host, sizeof(host), cudaMemcpyHostToDevice);
  twice<<<1, 4>>>(device);
  cudaMemcpy(host, device, sizeof(host), cudaMemcpyDeviceToHost);
  std::printf("%d %d %d %d\\n", host[0], host[1], host[2], host[3]);
}
"""


def output(*command, **more):
    run = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if run.returncode:
        sys.exit(f"{' '.join(map(str, command))}: status {run.returncode}\n{run.stdout[-3000:]}")
    return run.stdout


class Debian:
    """A Debian 12 in a folder, from the package sources of this machine."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        if os.geteuid() or not shutil.which("mmdebstrap"):
            sys.exit("needs root and mmdebstrap: apt-get install mmdebstrap")
        sources = "/etc/apt/sources.list.d/debian.sources"
        output("mmdebstrap", "--variant=minbase", "bookworm", self.folder,
               *([sources] if os.path.exists(sources) else []))
        shutil.copy("/etc/resolv.conf", self.folder / "etc/resolv.conf")

    def __enter__(self):
        output("mount", "-t", "proc", "proc", self.folder / "proc")
        return self

    def __exit__(self, *_):
        output("umount", "-l", self.folder / "proc")

    def run(self, *command):
        return output("chroot", self.folder, *command, env={"PATH": "/usr/bin:/usr/sbin:/bin:/sbin", "HOME": "/root",
                                                            "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"})

    def apt(self, *words):
        return self.run("apt-get", "-q", "-y", "--no-install-recommends", *words)

    def files(self):
        """All paths but what apt and dpkg keep of themselves."""
        own = ("var/lib/dpkg", "var/lib/apt", "var/cache", "var/log", "tmp", "proc", "sys", "dev", "root")
        found = set()
        for folder, folders, names in os.walk(self.folder):
            relative = os.path.relpath(folder, self.folder)
            folders[:] = [f for f in folders if os.path.normpath(os.path.join(relative, f)) not in own]
            found.update(os.path.normpath(os.path.join(relative, name)) for name in names + folders)
        return found


def try_out(bare, packages):
    """What installing, using and removing the package shows, and whether all is as it should be."""
    bare.apt("update")
    command = next(p for p in packages if p.name.startswith("heddle_"))
    # What it depends on first, so that what is left behind is the package's own.
    shutil.copy(command, bare.folder / "tmp")
    depends = [word.split()[0] for word in output("dpkg-deb", "-f", command, "Depends").split(",")]
    bare.apt("install", *depends)
    before = bare.files()
    bare.apt("install", f"/tmp/{command.name}")
    installed = len(bare.files() - before)

    version = bare.run("heddle", "--version").splitlines()
    simulate = ("simulate", EXAMPLE + ".cu", "--launch", EXAMPLE + ".yaml", "--gpu", "v100")
    there = bare.run("heddle", *simulate)
    here = output(BUILD / "bin/heddle", "simulate", "test/kernels/reduction/reduction.cu", "--launch",
                  "test/kernels/reduction/reduction.yaml", "--gpu", "v100", cwd=ROOT, env={**os.environ, "HEDDLE_PTXAS": ""})
    (bare.folder / "tmp/twice.cu").write_text(PROGRAM, encoding="utf-8")
    bare.run("heddle", "cc", "/tmp/twice.cu", "-o", "/tmp/twice")
    program = bare.run("/tmp/twice").strip()
    bare.run("heddle", "record", "-o", "/tmp/recording", "--", "/tmp/twice")
    recorded = next(line for line in bare.run("heddle", "simulate", "/tmp/recording").splitlines() if "cycles" in line)
    bare.apt("purge", "heddle")
    rest = sorted(bare.files() - before)
    results = [["`heddle --version`", "; ".join(version)], ["files and folders installed", str(installed)],
               ["README's example says what the build says", "yes" if there == here else "no"],
               ["`heddle cc`: 1 2 3 4 twice", program], ["its recording, simulated", recorded],
               ["left after purging", ", ".join(rest) or "nothing"]]
    return results, not rest and there == here and program == "2 4 6 8"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", help="scratch folder outside the repository")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as scratch:
        output("cpack", "-G", "DEB", "-B", scratch, cwd=BUILD)
        packages = sorted(pathlib.Path(scratch).glob("*.deb"))
        rows = [[p.name, f"{p.stat().st_size / 2**20:.1f}", output("dpkg-deb", "-f", p, "Depends").strip()] for p in packages]
        with Debian(pathlib.Path(scratch) / "root") as bare:
            results, good = try_out(bare, packages)
    report = Report("package", "The Debian packages in a bare Debian 12")
    report.say(
        "The packages are made by `cpack -G DEB` and installed in a Debian 12 that `mmdebstrap --variant=minbase` made, without "
        "recommended packages. README's example runs from what is installed; a CUDA program is built by `heddle cc`, run, recorded and "
        "simulated; then the package is purged.")
    report.table(["package", "MiB", "depends on"], rows)
    report.table(["step", "result"], results)
    report.write()
    if not good:
        sys.exit("the package does not do what it should: see docs/Evaluation/package.md")


if __name__ == "__main__":
    main()
