"""Size of the sources by folder, and CPU time of a full build, beside an earlier commit.

Options: --before REVISION (needed), --no-build (sizes alone). Both commits are checked out
and built one after the other, without a compiler cache, from what is installed."""

import argparse
import os
import subprocess
import tempfile

import common

FOLDERS = ["include", "lib", "runtime", "tools", "test", "utils"]
SOURCES = (".cpp", ".h", ".td", ".def", ".inc", ".c", ".py")
# Headers that stand in for those of CUDA, OpenCL and sample programs.
STANDINS = ("lib/Frontend/CUDA/", "lib/Frontend/OpenCL/")


def git(*words):
    return subprocess.run(["git", "-C", common.ROOT, *words], check=True, capture_output=True, text=True).stdout.strip()


class Checkout:
    """The files of one commit, in a folder of its own."""

    def __init__(self, revision, folder):
        self.commit, self.folder = git("rev-parse", "--short=8", revision), folder
        git("clone", "-q", "--shared", common.ROOT, folder)
        subprocess.run(["git", "-C", folder, "checkout", "-q", git("rev-parse", revision)], check=True)

    def size(self, prefix, standins):
        """Files and lines of the sources under `prefix`, the stand-ins alone or all others."""
        names = subprocess.run(["git", "-C", self.folder, "ls-files", prefix], check=True, capture_output=True, text=True)
        chosen = [name for name in names.stdout.split() if name.endswith(SOURCES) and name.startswith(STANDINS) == standins]
        lines = 0
        for name in chosen:
            with open(os.path.join(self.folder, name), "rb") as file:
                lines += file.read().count(b"\n")
        return len(chosen), lines

    def build_minutes(self):
        """CPU minutes of configuring and building all."""
        begin = os.times()
        environment = dict(os.environ, CCACHE_DISABLE="1")
        for command in (["cmake", "--preset", "release"], ["cmake", "--build", "--preset", "release"]):
            subprocess.run(command, cwd=self.folder, env=environment, check=True, stdout=subprocess.DEVNULL)
        end = os.times()
        return (end.children_user + end.children_system - begin.children_user - begin.children_system) / 60


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", required=True, metavar="REVISION")
    parser.add_argument("--no-build", action="store_true")
    arguments = parser.parse_args()
    report = common.Report("codebase", "The sources beside an earlier commit")
    with tempfile.TemporaryDirectory() as folder:
        pair = [Checkout(revision, os.path.join(folder, name))
                for name, revision in (("before", arguments.before), ("after", "HEAD"))]
        report.say(f"Before: {pair[0].commit}. After: {pair[1].commit}.")
        report.say("## Size")
        columns = ["folder", "files before", "files after", "lines before", "lines after"]
        rows = []
        for name in FOLDERS:
            before, after = (checkout.size(name, False) for checkout in pair)
            rows.append([name, before[0], after[0], before[1], after[1]])
        rows.append(["all", *(sum(row[i] for row in rows) for i in range(1, 5))])
        before, after = (checkout.size("lib/Frontend", True) for checkout in pair)
        rows.append(["headers that stand in for CUDA's and OpenCL's", before[0], after[0], before[1], after[1]])
        report.table(columns, rows)
        report.csv(columns, rows)
        if not arguments.no_build:
            times = [checkout.build_minutes() for checkout in pair]
            report.say("## Build")
            report.say("CPU time of a full build, preset `release`, one after the other, without a compiler cache.")
            report.table(["before, min", "after, min", "times"], [[*map(common.text, times), common.text(times[1] / times[0])]])
    report.write()


if __name__ == "__main__":
    main()
