"""What the evaluations share: kernels, runs of heddle, statistics, tables.

Run through utils/reproduce, in the repository's root. Python's standard library
only."""

import csv
import hashlib
import json
import math
import os
import platform
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("HEDDLE_BUILD", os.path.join(ROOT, "build", "release"))
HEDDLE = os.path.join(BUILD, "bin", "heddle")
KERNELS = os.path.join(ROOT, "test", "kernels")
REFERENCE = os.path.join(ROOT, "test", "reference")
HARDWARE = os.path.join(ROOT, "test", "hw")
EVALUATION = os.path.join(ROOT, "docs", "Evaluation")


sys.path.insert(0, KERNELS)
from least_arch import arch_options  # noqa: E402


class Kernel:
    """A kernel of test/kernels in one language with one of its launches."""

    def __init__(self, name, source, launch):
        self.name, self.source, self.launch = name, source, launch
        self.language = "OpenCL" if source.endswith(".cl") else "CUDA"

    def __repr__(self):
        return f"{self.name} ({self.language})"


def kernels(size="large", language=None, names=None):
    """Our kernels by name; `size` is "test" or "large". Where a kernel has both
    languages, OpenCL comes first. Those that need an architecture are left out."""
    found = []
    for name in sorted(os.listdir(KERNELS)):
        folder = os.path.join(KERNELS, name)
        launch = os.path.join(folder, name + ("-large.yaml" if size == "large" else ".yaml"))
        if not os.path.exists(launch) or (names and name not in names) or arch_options(launch):
            continue
        for extension in ("cl", "cu"):
            source = os.path.join(folder, f"{name}.{extension}")
            if os.path.exists(source):
                kernel = Kernel(name, source, launch)
                if language in (None, kernel.language):
                    found.append(kernel)
    return found


class Run:
    """A finished process: `seconds` wall, `cpu_seconds` user and system,
    `peak_bytes` of memory, `output`, `errors`, `status`."""

    def __init__(self, command, env=None, limit_s=600):
        begin = time.monotonic()
        # Files instead of pipes, so that wait4 can tell what this process used.
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            process = subprocess.Popen(
                [str(word) for word in command], stdin=subprocess.DEVNULL, stdout=out,
                stderr=err, env=env)
            while True:
                pid, status, usage = os.wait4(process.pid, os.WNOHANG)
                if pid:
                    break
                if time.monotonic() - begin > limit_s:
                    process.kill()
                time.sleep(0.002)
            process.returncode = self.status = os.waitstatus_to_exitcode(status)
            self.seconds = time.monotonic() - begin
            self.cpu_seconds = usage.ru_utime + usage.ru_stime
            self.peak_bytes = usage.ru_maxrss * 1024
            out.seek(0)
            err.seek(0)
            self.output, self.errors = out.read(), err.read()


def heddle(*arguments, check=True, limit_s=600):
    """Runs heddle; a failure ends the evaluation with heddle's message."""
    run = Run([HEDDLE, *arguments], limit_s=limit_s)
    if check and run.status != 0:
        sys.exit(f"heddle {' '.join(map(str, arguments))}\n{run.errors}exit status {run.status}")
    return run


def heddle_json(*arguments, limit_s=600):
    """Runs heddle with --json and returns (result, Run)."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.json")
        run = heddle(*arguments, "--json", path, "-q", limit_s=limit_s)
        with open(path, encoding="utf-8") as file:
            return json.load(file), run


# The level of code and the rules for loops that earlier builds know.
LIKE_BEFORE = ["--isa", "ptx", "--compiler", "clang"]


def add_before(parser):
    """The options of evaluations that compare with an earlier build's CPU time."""
    parser.add_argument("--before", metavar="BUILD", help="build folder of an earlier build to compare CPU time with")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="compare on every N th kernel only")


def result_of(build, words):
    """Result of a command of a build, or None where it refuses."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "result.json")
        if Run([os.path.join(build, "bin", "heddle"), *words, "--json", path, "-q"]).status != 0:
            return None
        with open(path, encoding="utf-8") as file:
            return json.load(file)


def seconds_of_both(before, words, rounds, like_before=LIKE_BEFORE):
    """CPU seconds of a command's model in an earlier build and in this one: the least of runs that
    take turns, as other work only makes them longer. None where one refuses."""
    turns = [(result_of(before, words), result_of(BUILD, [*words, *like_before])) for _ in range(rounds)]
    if any(None in turn for turn in turns):
        return None
    return [min(turn[i]["seconds"] for turn in turns) for i in range(2)]


def counts_branches(build=BUILD):
    """Whether the models of a build are compiled with branch counts (HEDDLE_PROFILE in earlier sources).
    Fields that CMake sets itself, as where it cannot count, have the type INTERNAL."""
    with open(os.path.join(build, "CMakeCache.txt"), encoding="utf-8") as file:
        return any(re.match(r"(HEDDLE_COUNT_BRANCHES:BOOL=ON|HEDDLE_PROFILE:\w+=use)", line) for line in file)


def say_ratios(report, what, options, command, wanted, rounds=3, like_before=LIKE_BEFORE):
    """A section with the CPU time of `command` on the kernels' large launches, in the earlier build of the
    `options` of add_before() and in this one; `command` makes words from a kernel."""
    if not options.before:
        return
    counts = ["with" if counts_branches(build) else "without" for build in (options.before, BUILD)]
    rows, chosen = [], kernels("large", names=options.kernel)[::options.every]
    for kernel in chosen:
        seconds = seconds_of_both(options.before, command(kernel), rounds, like_before)
        if seconds and min(seconds) > 0:
            rows.append([repr(kernel), *seconds, seconds[1] / seconds[0]])
            print(what, *rows[-1], file=sys.stderr, flush=True)
    version = Run([os.path.join(options.before, "bin", "heddle"), "--version"]).output.strip()
    report.say(f"## {what} beside an earlier build")
    report.say(f"CPU seconds of {version} (before, {counts[0]} counted branches) and of this build, {counts[1]} them: the least of {rounds} runs that take turns. All on "
               f"PTX, with Clang's rules for loops, one of {options.every} launches of the kernels in alphabetical order. "
               f"{len(chosen) - len(rows)} of {len(chosen)} are refused by one.")
    report.table(["launch", "before s", "after s", "after / before"], rows)
    ratios = [row[3] for row in rows]
    report.say(f"{what}, after / before: geometric mean of the ratios {geometric_mean(ratios):.2f}, median {median(ratios):.2f}, over "
               f"{len(rows)} launches; wanted {wanted}.")


class Cache:
    """Files in the build folder that hold until heddle or the test programs are built anew: what a long
    evaluation that was cut off, or is made again, need not compute twice."""

    def __init__(self, name):
        digest = hashlib.sha256()
        apps = os.path.join(BUILD, "bin", "apps")
        for path in [HEDDLE] + sorted(os.path.join(apps, f) for f in os.listdir(apps)):
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    digest.update(file.read())
        folder = os.path.join(BUILD, "evaluation", name)
        self.folder = os.path.join(folder, digest.hexdigest()[:16])
        if os.path.isdir(folder):
            for old in os.listdir(folder):
                if old != os.path.basename(self.folder):
                    shutil.rmtree(os.path.join(folder, old))
        os.makedirs(self.folder, exist_ok=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def json(self, name, *arguments):
        """The result of a run of heddle, made if it is not there."""
        path = self.path(name)
        if not os.path.exists(path):
            heddle(*arguments, "--json", path + ".part", "-q")
            os.rename(path + ".part", path)
        with open(path, encoding="utf-8") as file:
            return json.load(file)


def median(values):
    return statistics.median(values)


def geometric_mean(values):
    values = [v for v in values if v > 0]
    return math.exp(sum(math.log(v) for v in values) / len(values)) if values else 0.0


def machine():
    """One line about the machine that measures: CPU, vector width, cores."""
    model, flags = platform.machine(), ""
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name") and model == platform.machine():
                    model = line.split(":", 1)[1].strip()
                if line.startswith("flags") and not flags:
                    flags = line
    except OSError:
        pass
    vector = "AVX-512" if "avx512f" in flags else "AVX2" if "avx2" in flags else "SSE"
    return f"{model}, {vector}, {os.cpu_count()} CPUs"


def peak_of_children():
    """Largest resident size of any process that this one has waited for."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024


def text(value):
    if isinstance(value, float):
        if value == 0 or not math.isfinite(value):
            return f"{value:g}"
        digits = max(0, 2 - int(math.floor(math.log10(abs(value)))))
        return f"{value:,.{min(digits, 6)}f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def markdown(columns, rows):
    """A Markdown table; numbers are aligned to the right."""
    def numeric(i):
        return rows and all(isinstance(row[i], (int, float)) for row in rows)
    lines = ["| " + " | ".join(columns) + " |",
             "| " + " | ".join("---:" if numeric(i) else "---" for i in range(len(columns))) + " |"]
    lines += ["| " + " | ".join(text(value) for value in row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


class Report:
    """docs/Evaluation/NAME.md and NAME.csv; what is said is also printed."""

    def __init__(self, name, title):
        self.name = name
        self.parts = [f"# {title}\n\nGenerated by `utils/reproduce {name}` on {machine()}.\n"]
        print(title, flush=True)

    def say(self, paragraph):
        self.parts.append(paragraph.rstrip("\n") + "\n")
        print(paragraph, flush=True)

    def table(self, columns, rows):
        self.say(markdown(columns, rows))

    def csv(self, columns, rows):
        os.makedirs(EVALUATION, exist_ok=True)
        with open(os.path.join(EVALUATION, f"{self.name}.csv"), "w", newline="",
                  encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(columns)
            writer.writerows(rows)

    def write(self):
        os.makedirs(EVALUATION, exist_ok=True)
        path = os.path.join(EVALUATION, f"{self.name}.md")
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(self.parts))
        print(f"written: {os.path.relpath(path, ROOT)}", file=sys.stderr)
