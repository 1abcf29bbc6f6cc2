"""Random programs: both engines, their PTX read back and host code do the same

10,000 kernels of test/Exec/Differential. A kernel that differs stays in the folder
with what each did; the generator's seed makes it again. The table has a row for each
chunk of seeds, written when it is done, so that the run goes on where it was stopped;
rows of another generator do not count.

Options: --first N (1), --count N (10000) of seeds, --jobs N, --chunk N (20), --folder F,
--programs F of the built programs, --table F (docs/Evaluation/random-programs.csv),
--collect F adds another table's rows, --again runs what differed once more."""

import argparse
import concurrent.futures
import csv
import hashlib
import os
import subprocess
import sys

import common

DIFFERENTIAL = os.path.join(common.ROOT, "test", "Exec", "Differential")
COLUMNS = ["generator", "first", "last", "commit", "cpu_seconds", "differ"]
WANTED = 10000


def generator():
    """Names what makes the kernels and what they must do."""
    digest = hashlib.sha256()
    for name in ("generate.py", "device.py", "preludes.py", "host.h"):
        with open(os.path.join(DIFFERENTIAL, name), "rb") as file:
            digest.update(file.read())
    return digest.hexdigest()[:12]


def read(path):
    if not path or not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return {(row["generator"], int(row["first"]), int(row["last"])): row for row in csv.DictReader(file)}


def store(path, rows):
    with open(path + ".new", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(row for _, row in sorted(rows.items()))
    os.replace(path + ".new", path)


def commit():
    text = subprocess.run(["git", "log", "-1", "--format=%H"], cwd=common.ROOT, capture_output=True, text=True, check=False).stdout
    return text[:12] or "unknown"


def compare(options, first, last):
    """The row of seeds FIRST to LAST, and what was printed of those that differ."""
    script = ("import resource, runpy, sys, os; sys.argv = sys.argv[1:]; sys.path.insert(0, os.path.dirname(sys.argv[0]))\n"
              "try: runpy.run_path(sys.argv[0], run_name='__main__')\n"
              "finally:\n  u = resource.getrusage(resource.RUSAGE_CHILDREN); print('cpu', u.ru_utime + u.ru_stime)")
    run = subprocess.run([sys.executable, "-B", "-c", script, os.path.join(DIFFERENTIAL, "compare.py"),
                          os.path.join(options.programs, "engine-compare"), options.folder, str(first), str(last)],
                         capture_output=True, text=True, check=False)
    *lines, count, cpu = run.stdout.strip().splitlines() or ["", ""]
    if not cpu.startswith("cpu ") or not count.startswith(f"{last - first + 1} kernels"):
        raise RuntimeError(f"seeds {first} to {last}: {run.stdout[-500:]}{run.stderr[-2000:]}")
    differ = count.split("[")[1].rstrip("]").replace(",", "")
    return {"generator": generator(), "first": first, "last": last, "commit": options.commit,
            "cpu_seconds": f"{float(cpu[4:]):.1f}", "differ": differ}, lines


def page(rows):
    """Says what the rows of this generator cover, and no more."""
    rows = [row for row in rows.values() if row["generator"] == generator()]
    seeds, differing = set(), set()
    for row in rows:
        seeds |= set(range(int(row["first"]), int(row["last"]) + 1))
        differing |= set(map(int, row["differ"].split()))
    commits = sorted({row["commit"] for row in rows})
    report = common.Report("random-programs", "Random programs")
    report.say("Each kernel runs on the interpreter and on the JIT: by its number plain, with counters or with trace hooks. Its PTX is "
               "read back and runs. CUDA kernels of even seeds and all of OpenCL also run as host code. All buffers, the counters and "
               "the trace must be equal. Every model takes the trace at levels ptx and machine, without an error; the timing model "
               "issues at level ptx what was executed. The last twenty of each hundred seeds are OpenCL C. "
               "The JIT generates host code as users get it for each tenth kernel, for the others as "
               "`EngineOptions::QuickHostCode` says; the lowering before it is the same.")
    state = "" if len(seeds) >= WANTED else f" **{WANTED:,} are wanted: {WANTED - len(seeds):,} have not run.**"
    report.say(f"{len(seeds):,} kernels ran, of which {len(differing)} differ"
               + (f": seeds {', '.join(map(str, sorted(differing)))}" if differing else "") + f".{state}")
    report.say(f"CPU time: {sum(float(row['cpu_seconds']) for row in rows) / 3600:.2f} hours. Commits: {', '.join(commits) or 'none'}.")
    report.write()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=WANTED)
    parser.add_argument("--chunk", type=int, default=20)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--folder", default=os.path.join(common.BUILD, "random-programs"))
    parser.add_argument("--programs", default=os.path.join(common.BUILD, "bin"))
    parser.add_argument("--table", default=os.path.join(common.EVALUATION, "random-programs.csv"))
    parser.add_argument("--collect")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--commit", default=commit())
    options = parser.parse_args()
    rows, last = read(options.table), options.first + options.count - 1
    rows.update(read(options.collect))
    chunks = [(s, min(s + options.chunk - 1, last)) for s in range(options.first, last + 1, options.chunk)]
    key = lambda c: (generator(), *c)
    missing = [] if options.collect else [c for c in chunks if key(c) not in rows or (options.again and rows[key(c)]["differ"])]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for row, lines in pool.map(lambda c: compare(options, *c), missing):
            rows[key((row["first"], row["last"]))] = row
            store(options.table, rows)
            print("\n".join([*lines, f"{row['first']} to {row['last']}: {row['cpu_seconds']} s of CPU, differ: {row['differ'] or 'none'}"]),
                  file=sys.stderr, flush=True)
    store(options.table, rows)
    if os.path.dirname(os.path.abspath(options.table)) == common.EVALUATION:
        page(rows)
    sys.exit(any(row["differ"] for k, row in rows.items() if k[0] == generator()))


if __name__ == "__main__":
    main()
