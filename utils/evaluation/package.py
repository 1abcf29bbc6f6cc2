"""Builds the packages, installs them in a bare Debian 12, uses them as README, docs/Python.md and a project do, and removes them."""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from common import ROOT, Report

BUILD = pathlib.Path(ROOT) / "build/release"
EXAMPLE = "share/doc/heddle/examples/reduction/reduction"
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


def depends(packages):
    """What all of them depend on, without each other."""
    words = ",".join(output("dpkg-deb", "-f", p, "Depends") for p in packages).split(",")
    return sorted({word.split()[0] for word in words} - {"heddle"})


def example(bare, prefix):
    """README's example from what is installed at \\p prefix."""
    return bare.run(f"{prefix}/bin/heddle", "simulate", f"{prefix}/{EXAMPLE}.cu", "--launch", f"{prefix}/{EXAMPLE}.yaml")


def try_program(bare):
    """A CUDA program: what it prints, and its recording, simulated."""
    (bare.folder / "tmp/twice.cu").write_text(PROGRAM, encoding="utf-8")
    bare.run("heddle", "cc", "/tmp/twice.cu", "-o", "/tmp/twice")
    bare.run("heddle", "record", "-o", "/tmp/recording", "--", "/tmp/twice")
    simulated = bare.run("heddle", "simulate", "/tmp/recording")
    return bare.run("/tmp/twice").strip(), next(line for line in simulated.splitlines() if "cycles" in line)


def try_python(bare):
    """The tutorial of docs/Python.md; the last line that it prints."""
    code = output(sys.executable, f"{ROOT}/test/python/Inputs/page-code.py", f"{ROOT}/docs/Python.md")
    (bare.folder / "tmp/tutorial.py").write_text(code, encoding="utf-8")
    return bare.run("python3", "/tmp/tutorial.py").splitlines()[-1]


def try_project(bare):
    """The project that the tests build, with the compiler and CMake of Debian; its best block size."""
    shutil.copytree(f"{ROOT}/test/install/Inputs/consumer", bare.folder / "tmp/consumer")
    shutil.copytree(f"{ROOT}/test/examples", bare.folder / "tmp/examples")
    bare.run("cmake", "-S", "/tmp/consumer", "-B", "/tmp/build", "-DEXAMPLES=/tmp/examples")
    bare.run("cmake", "--build", "/tmp/build")
    shutil.copy(f"{ROOT}/test/kernels/vector_add/vector_add.cu", bare.folder / "tmp")
    shutil.copy(f"{ROOT}/test/kernels/vector_add/vector_add.yaml", bare.folder / "tmp")
    said = bare.run("/tmp/build/search-block-size", "/tmp/vector_add.cu", "/tmp/vector_add.yaml", "v100")
    return next(line for line in said.splitlines() if line.startswith("best: "))


def try_completion(bare):
    """What bash offers after `heddle simulate --gpu h200`."""
    return bare.run("bash", "-c", "source /usr/share/bash-completion/completions/heddle; "
                    "COMP_WORDS=(heddle simulate --gpu h20); COMP_CWORD=3; _heddle; echo ${COMPREPLY[@]}").strip()


def try_out(bare, packages, archive):
    """What installing, using and removing the packages shows, and whether all is as it should be."""
    bare.apt("update")
    # What they depend on first, so that what is left behind is their own.
    bare.apt("install", *depends(packages), "python3-pandas", "cmake", "make", "g++", "zstd")
    for package in packages:
        shutil.copy(package, bare.folder / "tmp")
    before = bare.files()
    bare.apt("install", *(f"/tmp/{package.name}" for package in packages))
    installed = len(bare.files() - before)

    here = output(BUILD / "bin/heddle", "simulate", "test/kernels/reduction/reduction.cu", "--launch",
                  "test/kernels/reduction/reduction.yaml", cwd=ROOT, env={**os.environ, "HEDDLE_PTXAS": ""})
    version = bare.run("heddle", "--version").splitlines()
    same = example(bare, "/usr") == here
    program, recorded = try_program(bare)
    completion, tutorial, best = try_completion(bare), try_python(bare), try_project(bare)
    manuals = len(list((bare.folder / "usr/share/man/man1").glob("heddle*.1*")))
    bare.apt("purge", "heddle", "libheddle-dev", "python3-heddle")
    rest = sorted(bare.files() - before)

    # The archive is put somewhere else, when the packages are gone.
    shutil.copy(archive, bare.folder / "tmp/heddle.tar.zst")
    bare.run("mkdir", "/tmp/heddle")
    bare.run("tar", "-C", "/tmp/heddle", "--strip-components=1", "-xf", "/tmp/heddle.tar.zst")
    unpacked = example(bare, "/tmp/heddle/usr") == here
    results = [["`heddle --version`", "; ".join(version)], ["files and folders installed", str(installed)],
               ["README's example says what the build says", "yes" if same else "no"],
               ["`heddle cc`: 1 2 3 4 twice", program], ["its recording, simulated", recorded],
               ["manual pages", str(manuals)], ["`heddle simulate --gpu h20`, then Tab", completion],
               ["the tutorial of docs/Python.md, last line", tutorial],
               ["the consumer project, built by CMake and g++", best],
               ["left after purging the three", ", ".join(rest) or "nothing"],
               ["the archive, unpacked in another folder: README's example says the same", "yes" if unpacked else "no"]]
    return results, not rest and same and unpacked and program == "2 4 6 8" and manuals and completion == "h200"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", help="scratch folder outside the repository")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.folder) as scratch:
        output("cpack", "-G", "DEB", "-B", scratch, cwd=BUILD)
        output("cpack", "-G", "TZST", "-B", scratch, cwd=BUILD)
        packages = sorted(pathlib.Path(scratch).glob("*.deb"))
        archive = next(pathlib.Path(scratch).glob("*.tar.zst"))
        rows = [[p.name, f"{p.stat().st_size / 2**20:.1f}", output("dpkg-deb", "-f", p, "Depends").strip()] for p in packages]
        with Debian(pathlib.Path(scratch) / "root") as bare:
            results, good = try_out(bare, packages, archive)
    report = Report("package", "The Debian packages in a bare Debian 12")
    report.say(
        "The packages are made by `cpack -G DEB` and installed in a Debian 12 that `mmdebstrap --variant=minbase` made, without "
        "recommended packages. README's example runs from what is installed; a CUDA program is built by `heddle cc`, run, recorded and "
        "simulated; the Python tutorial runs, and the tests' consumer project is built and run; then the packages are purged. The archive "
        "is made by `cpack -G TZST`.")
    report.table(["package", "MiB", "depends on"], rows)
    report.table(["step", "result"], results)
    report.write()
    if not good:
        sys.exit("the package does not do what it should: see docs/Evaluation/package.md")


if __name__ == "__main__":
    main()
