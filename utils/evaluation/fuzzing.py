"""CPU time of all fuzzers, and what they found

Each fuzzer of test/fuzz in turn, one process at a time, from its kept corpus. The
time of runs on the same commit adds up in the table, which is written after each
run, so that hours can be reached in several sittings. A finding stops nothing: its
input stays in the folder, and test/fuzz/findings.csv says what mended it.

Options: --hours H of CPU time in this run (0: only write the page), --seconds N
of each fuzzer in a round (300), --fuzzers A,B, --folder F for corpora and findings,
--programs F of the built fuzzers (build/fuzz/bin), --table F (docs/Evaluation/
fuzzing.csv), --collect F adds another table's rows."""

import argparse
import csv
import datetime
import glob
import os
import re
import resource
import subprocess
import sys

import common

FUZZ = os.path.join(common.ROOT, "test", "fuzz")
SEEDS = {"PTXFuzzer": ["test/PTX/PTXLifter/Inputs"], "MachineFileFuzzer": ["runtime/arch/specs"],
         "SASSFuzzer": ["test/MachineCode/Inputs"]}
COLUMNS = ["commit", "last_day", "fuzzer", "cpu_seconds", "executions", "corpus", "findings"]
WANTED_HOURS = 8


def fuzzers():
    return sorted(os.path.basename(path)[:-4] for path in glob.glob(os.path.join(FUZZ, "*Fuzzer.cpp")))


def read(path):
    """Rows by commit and fuzzer; none without the file."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row["cpu_seconds"] = float(row["cpu_seconds"])
        for key in ("executions", "corpus", "findings"):
            row[key] = int(row[key])
    return {(row["commit"], row["fuzzer"]): row for row in rows}


def store(path, rows):
    with open(path + ".new", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows({**row, "cpu_seconds": f"{row['cpu_seconds']:.1f}"} for _, row in sorted(rows.items()))
    os.replace(path + ".new", path)


def commit():
    text = subprocess.run(["git", "log", "-1", "--format=%H"], cwd=common.ROOT, capture_output=True, text=True, check=False).stdout
    return text[:12] or "unknown"


def stops(folder):
    """Files of inputs at which a fuzzer stopped. It only notes slow ones, which a busy machine makes."""
    return [file for file in os.listdir(folder) if not file.startswith("slow-unit-")]


def fuzz(name, options, at, rows):
    """Runs a fuzzer once and adds what it did to its row."""
    corpus, found = (os.path.join(options.folder, what, name) for what in ("corpus", "findings"))
    for path in (corpus, found):
        os.makedirs(path, exist_ok=True)
    seeds = [os.path.join(FUZZ, "seeds", name.removesuffix("Fuzzer"))] + [os.path.join(common.ROOT, s) for s in SEEDS.get(name, [])]
    before, had = resource.getrusage(resource.RUSAGE_CHILDREN), len(stops(found))
    run = subprocess.run(
        [os.path.join(options.programs, name), corpus, *filter(os.path.isdir, seeds), f"-max_total_time={options.seconds}",
         f"-artifact_prefix={found}/", "-print_final_stats=1", "-rss_limit_mb=2048", "-timeout=60"],
        capture_output=True, text=True, errors="replace", check=False,
        env={**os.environ, "ASAN_OPTIONS": "allow_user_poisoning=0", "UBSAN_OPTIONS": "halt_on_error=1:print_stacktrace=1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = re.findall(r"stat::number_of_executed_units: (\d+)|^#(\d+)", run.stderr, re.MULTILINE)
    new = len(stops(found)) - had
    if run.returncode != 0:
        with open(os.path.join(found, f"{name}-{had}.log"), "w", encoding="utf-8") as file:
            file.write(run.stderr[-20000:])
    row = rows.setdefault((at, name), {"commit": at, "fuzzer": name, "cpu_seconds": 0.0, "executions": 0, "findings": 0})
    row["cpu_seconds"] += after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    row["executions"] += max((int(a or b) for a, b in done), default=0)
    row["findings"] += new
    row["corpus"] = len(os.listdir(corpus))
    row["last_day"] = datetime.date.today().isoformat()
    print(f"{name}: {row['cpu_seconds']:.0f} s in all, {row['executions']} executions, {new} new findings", file=sys.stderr, flush=True)


def findings():
    with open(os.path.join(FUZZ, "findings.csv"), encoding="utf-8") as file:
        return list(csv.reader(file))


def page(rows):
    report = common.Report("fuzzing", "Fuzzing of all readers")
    report.say("CPU time of the libFuzzer targets in `test/fuzz`, with AddressSanitizer and UndefinedBehaviorSanitizer, one process at a "
               "time, over all runs in `fuzzing.csv`. *Commits*: on how many commits the runs were. *Findings*: inputs at which one "
               "stopped; the second table says what they were.")
    table, known = [], fuzzers()
    for name in known:
        of = [row for (_, fuzzer), row in sorted(rows.items()) if fuzzer == name]
        last = max(of, key=lambda row: row["last_day"], default=None)
        table.append([name, len(of), last["last_day"] if last else "-", sum(r["cpu_seconds"] for r in of) / 3600,
                      sum(r["executions"] for r in of), max((r["corpus"] for r in of), default=0), sum(r["findings"] for r in of)])
    report.table(["fuzzer", "commits", "last run", "CPU hours", "executions", "corpus, files", "findings"], table)
    hours, found = sum(row[3] for row in table), sum(row[6] for row in table)
    idle = [row[0] for row in table if row[3] == 0]
    text = f"In all {hours:.2f} CPU hours, {sum(row[4] for row in table):,} executions and {found} findings. "
    text += f"{WANTED_HOURS} hours are wanted{': reached' if hours >= WANTED_HOURS else f'; {WANTED_HOURS - hours:.2f} are missing'}."
    report.say(text + (f" Not run: {', '.join(idle)}." if idle else ""))
    report.say("## What they found\n")
    columns, *lines = findings()
    report.table(columns, lines)
    report.write()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=0.5)
    parser.add_argument("--seconds", type=int, default=300)
    parser.add_argument("--fuzzers")
    parser.add_argument("--folder", default=os.path.join(common.ROOT, "build", "fuzz", "evaluation"))
    parser.add_argument("--programs", default=os.path.join(common.ROOT, "build", "fuzz", "bin"))
    parser.add_argument("--table", default=os.path.join(common.EVALUATION, "fuzzing.csv"))
    parser.add_argument("--collect")
    parser.add_argument("--commit", help="of the built fuzzers, where it is not that of this tree")
    options = parser.parse_args()
    names = options.fuzzers.split(",") if options.fuzzers else fuzzers()
    rows, at = read(options.table), options.commit or commit()
    for key, row in read(options.collect).items() if options.collect else []:
        if key not in rows or rows[key]["cpu_seconds"] < row["cpu_seconds"]:
            rows[key] = row
    if options.collect:
        store(options.table, rows)
    elif options.hours > 0 and options.programs.startswith(common.ROOT):
        subprocess.run(["cmake", "--preset", "fuzz"], cwd=common.ROOT, check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["cmake", "--build", "build/fuzz", "--target", *names], cwd=common.ROOT, check=True)
    total = lambda: sum(row["cpu_seconds"] for row in rows.values()) / 3600
    end = total() + (0 if options.collect else options.hours)
    while total() < end:
        for name in names:
            fuzz(name, options, at, rows)
            store(options.table, rows)
    if os.path.dirname(os.path.abspath(options.table)) == common.EVALUATION:
        page(rows)


if __name__ == "__main__":
    main()
