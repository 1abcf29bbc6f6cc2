"""Sweeps and a recording on a Slurm cluster of this machine, with killed, requeued and timed-out tasks and a full disk."""

import argparse
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from common import ROOT, Report, heddle
from slurm import Cluster

SWEEP = """
input: {root}/test/kernels/matmul_tiled/matmul_tiled.cu
launch: {root}/test/kernels/matmul_tiled/matmul_tiled.yaml
vary:
  - model: [pipeline, simulate]
  - set.sm.count: {{from: 20, to: 76, step: 8}}
    set.dram.latency: {{from: 100, to: 170, step: 10}}
  - set.sm.max_warps: [16, 32, 64]
"""
MANY = """
input: {root}/test/kernels/vector_add/vector_add.cu
launch: {folder}/tiny.yaml
vary:
  - set.sm.count: {{from: 1, to: 80}}
  - set.dram.latency: {{from: 1, to: {latencies}}}
"""
TINY = """
kernel: vector_add
grid: [4]
block: [64]
args: [{buffer: {type: f32, count: 256, init: zero}}, {buffer: {type: f32, count: 256, init: zero}},
       {buffer: {type: f32, count: 256, init: zero}}, {i32: 256}]
"""
PROGRAM = """
__global__ void fill(float *a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    a[i] += i;
}
int main() {
  float *a, first;
  cudaMalloc(&a, 4 << 16);
  cudaMemset(a, 0, 4 << 16);
  for (int launch = 0; launch < 24; ++launch)
    fill<<<16 + launch % 8, 128>>>(a, 1 << 16);
  cudaMemcpy(&first, a, 4, cudaMemcpyDeviceToHost);
}
"""
TASKS = 4


def rows(database, uri=False):
    """All that a database holds, in order; of one that is being written, without its lock."""
    name = f"file:{database}?immutable=1" if uri else str(database)
    with sqlite3.connect(name, uri=uri) as connection:
        return [connection.execute(f"SELECT * FROM {table} ORDER BY 1").fetchall() for table in ("sweep", "points")]


def finished(part):
    try:
        return len(rows(part, uri=True)[1])
    except sqlite3.Error:
        return 0


def tasks_of(part):
    """Processes that write \\p part."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            words = (folder / "cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        if str(part).encode() in words and words[0].endswith(b"/heddle"):
            found.append(int(folder.name))
    return found


class Sweep:
    """A sweep that was submitted, and what is done to its tasks."""

    def __init__(self, cluster, database, *options):
        self.cluster, self.database = cluster, database
        self.parts = [pathlib.Path(f"{database}.parts/part-{n}-of-{TASKS}.db") for n in range(1, TASKS + 1)]
        heddle("sweep", "sweep.yaml", "-o", database, "--slurm", TASKS, "-q", *options)
        self.job = pathlib.Path(f"{database}.parts/jobs").read_text().split()[1]

    def after(self, part, points):
        """The process of a part when it has finished some points."""
        path = self.parts[part - 1]
        self.cluster.wait(lambda: finished(path) >= points and tasks_of(path), f"part {part}", 600)
        return tasks_of(path)[0]

    def end(self):
        self.cluster.wait(self.cluster.drained, "the end of all jobs", 1200)

    def held(self):
        return [finished(path) for path in self.parts]


def disturbed(cluster, reference):
    """A task killed, one requeued, one stopped until its time is up."""
    sweep = Sweep(cluster, "disturbed.db", "--sbatch=--time=1")
    slow = sweep.after(1, 1)
    os.kill(slow, signal.SIGSTOP)
    held = finished(sweep.parts[0])
    os.kill(sweep.after(2, 2), signal.SIGKILL)
    subprocess.run(["scontrol", "requeue", f"{sweep.job}_3"], check=sweep.after(3, 2) > 0)
    sweep.end()
    log = pathlib.Path("disturbed.db.parts/task-1.log").read_text()
    result = [["time-out of a task that had finished", f"{held} points"],
              ["Slurm said so, and Heddle ended with what it had", "yes" if "TIME LIMIT" in log and "interrupted with" in log else "no"],
              ["points of the tasks when all jobs had ended", str(sweep.held())]]
    if finished(sweep.parts[1]) < len(reference[1]) // TASKS:
        result.append(["task 2, killed by SIGKILL, left as it was", f"{finished(sweep.parts[1])} points"])
        Sweep(cluster, "disturbed.db")
        sweep.end()
    result.append(["database equals that of one process", "yes" if rows("disturbed.db") == reference else "no"])
    return result


def full_disk(cluster, reference):
    """Parts on a file system that has room for some points only."""
    folder = pathlib.Path("full.db.parts")
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", folder], check=True)
    try:
        sweep = Sweep(cluster, "full.db")
        sweep.end()
        held = sweep.held()
        messages = {line for path in folder.glob("task-*.log") for line in path.read_text().splitlines() if "error" in line}
        subprocess.run(["mount", "-o", "remount,size=16m", folder], check=True)
        Sweep(cluster, "full.db")
        sweep.end()
        same = rows("full.db") == reference
    finally:
        subprocess.run(["umount", "-l", folder], check=True)
    return [["points of the tasks on the full disk", str(held)], ["what they said", "; ".join(sorted(messages))],
            ["with more room, the same command: database equals that of one process", "yes" if same else "no"]]


def recording(cluster):
    pathlib.Path("program.cu").write_text(PROGRAM, encoding="utf-8")
    heddle("cc", "program.cu", "-o", "program")
    heddle("record", "-o", "recording", "-q", "--", "./program")
    heddle("simulate", "recording", "--cold", "--json", "one.json", "-q")
    heddle("simulate", "recording", "--cold", "--resume", "launches.db", "--slurm", 2, "--json", "split.json", "-q")
    cluster.wait(cluster.drained, "the end of all jobs", 600)
    parts = [finished(path) for path in sorted(pathlib.Path("launches.db.parts").glob("part-*.db"))]
    same = pathlib.Path("one.json").read_bytes() == pathlib.Path("split.json").read_bytes()
    return [["launches that each task simulated or knew", str(parts)], ["result equals that of one process", "yes" if same else "no"]]


def many(points):
    """How long a large sweep takes, and how large it is."""
    pathlib.Path("tiny.yaml").write_text(TINY, encoding="utf-8")
    pathlib.Path("many.yaml").write_text(MANY.format(root=ROOT, folder=os.getcwd(), latencies=points // 80), encoding="utf-8")
    begin = time.monotonic()
    run = heddle("sweep", "many.yaml", "-o", "many.db", "--threads", 2, "-q", limit_s=7200)
    size = os.path.getsize("many.db")
    return [["configurations", f"{len(rows('many.db')[1]):,}"], ["seconds on two cores", f"{time.monotonic() - begin:.0f}"],
            ["CPU seconds", f"{run.cpu_seconds:.0f}"], ["MiB", f"{size / 2**20:.0f}"], ["bytes each", f"{size / points:.0f}"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--points", type=int, default=100000, help="configurations of the large sweep, a multiple of 80")
    options = parser.parse_args()
    results = []
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        pathlib.Path("sweep.yaml").write_text(SWEEP.format(root=ROOT), encoding="utf-8")
        heddle("sweep", "sweep.yaml", "-o", "one.db", "-q")
        reference = rows("one.db")
        with Cluster(pathlib.Path(folder) / "cluster") as cluster:
            plain = Sweep(cluster, "plain.db")
            plain.end()
            results.append((f"{len(reference[1])} configurations in {TASKS} tasks", [
                ["points of the tasks", str(plain.held())],
                ["database equals that of one process", "yes" if rows("plain.db") == reference else "no"]]))
            results.append(("Killed, requeued, timed out", disturbed(cluster, reference)))
            results.append(("A full disk", full_disk(cluster, reference)))
            results.append(("A recording of 24 launches in two tasks", recording(cluster)))
        results.append(("A large sweep with the pipeline model, in one process", many(options.points)))
        os.chdir(ROOT)
    report = Report("cluster", "Sweeps and recordings on a Slurm cluster")
    report.say("Debian's Slurm with munge on the loopback: one controller and two node daemons of one CPU each. The tasks are those that "
               "`heddle sweep --slurm` and `heddle simulate --slurm` submit.")
    for title, table in results:
        report.say(f"## {title}\n")
        report.table(["", "result"], table)
    report.write()
    if any(row[1] == "no" for _, table in results for row in table):
        sys.exit("something is not as it should be: see docs/Evaluation/cluster.md")


if __name__ == "__main__":
    main()
