"""What whole CUDA programs cost with Heddle, from their build to the sampled projection."""

import argparse
import json
import os
import re
import shutil
import tempfile

from common import BUILD, HEDDLE, ROOT, Report, Run, geometric_mean, heddle_json, median

INPUTS = os.path.join(ROOT, "test", "apps", "cuda", "Inputs")
NATIVE = os.path.join(ROOT, "utils", "evaluation", "native")
NVCC = os.path.join(BUILD, "bin", "heddle-nvcc")
# Programs that show errors or races on purpose or what is kept on disk, that need another GPU than v100, and files that others are built from.
LEFT_OUT = {"errors", "races", "rtc_headers", "cmake_project", "cmake_libraries"}
# With these the work outweighs the start: program and baseline do it as often.
MORE_WORK = {"bitonic": "100", "convolution": "1000", "gauss": "1000", "heat": "2000", "histogram": "1000", "matmul": "300", "options": "400000",
             "reduction": "20000", "spmv": "300", "transpose": "500"}


# Recorded with the argument `quick`, as the suite does: fewer sizes, the same kernels.
QUICK = {"algorithms", "blas", "blas_levels", "devicewide", "fft", "random", "sparse", "sparse_products"}
# Seconds for a sample; then the program has none.
SAMPLE_LIMIT = 600


def builds(name):
    return any(os.path.exists(os.path.join(INPUTS, name, file)) for file in ("Makefile", "CMakeLists.txt"))


def names():
    return sorted(n for n in os.listdir(INPUTS) if builds(n) and n not in LEFT_OUT and not n.endswith("_errors"))


def checked(command, env=None, passed=False):
    run = Run(command, env=env)
    if run.status != 0 or (passed and "PASSED" not in run.output):
        raise SystemExit(f"{' '.join(map(str, command))}\n{run.output}{run.errors}exit status {run.status}")
    return run


def refused_functions():
    """What docs/CUDARuntime.md says is refused; utils/update-cuda-docs writes it from the source."""
    with open(os.path.join(ROOT, "docs", "CUDARuntime.md"), encoding="utf-8") as file:
        rows = [line for line in file if re.match(r"\| [^|]*refused", line)]
    return {name for row in rows for name in re.findall(r"`(\w+)`", row.split("|")[2])}


def build(name, folder):
    """The program's path and the seconds that its own build takes."""
    source = os.path.join(folder, name)
    shutil.copytree(os.path.join(INPUTS, name), source)
    env = dict(os.environ, PATH=f"{os.path.dirname(NVCC)}:{os.environ['PATH']}")
    if not os.path.exists(os.path.join(source, "CMakeLists.txt")):
        run = checked(["make", "-s", "-C", source, f"NVCC={NVCC}"], env)
        return os.path.join(source, name), run.seconds
    out = os.path.join(source, "build")
    setup = checked(["cmake", "-S", source, "-B", out, f"-DCMAKE_CUDA_COMPILER={NVCC}",
                     "-DCMAKE_CUDA_ARCHITECTURES=70"], env)
    return os.path.join(out, name), setup.seconds + checked(["cmake", "--build", out], env).seconds


def baseline(name, folder):
    """The program by hand with OpenMP, or None."""
    source = os.path.join(NATIVE, name + ".cpp")
    if not os.path.exists(source):
        return None
    path = os.path.join(folder, name + "-native")
    checked(["g++", "-O3", "-march=native", "-fopenmp", "-o", path, source])
    return path


def loaded(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def milliseconds(command, repeats, env=None, passed=False):
    return 1e3 * median([checked(command, env, passed).seconds for _ in range(repeats)])


def start_milliseconds(app, env, folder, repeats):
    """CPU time of the process until its first launch has ended, the least of some runs."""
    shim = os.path.join(folder, "first-launch.so")
    if not os.path.exists(shim):
        checked(["gcc", "-O1", "-shared", "-fPIC", "-o", shim, os.path.join(ROOT, "utils", "evaluation", "first-launch.c"), "-ldl"])
    told = os.path.join(folder, "start")
    script = f'exec env LD_PRELOAD="{shim}" "{app}" 9>"{told}"'
    times = []
    for _ in range(max(repeats, 3)):
        checked(["sh", "-c", script], env)
        with open(told, encoding="utf-8") as file:
            times.append(float(file.read()))
    return min(times)


def reads_of(reads):
    """How the results that the program read compare with the replay's."""
    others = sum(n for key, n in reads.items() if isinstance(n, int) and key not in ("equal", "near"))
    return "equal" if not others and not reads["near"] else "near" if not others else "different"


def measure(name, folder, repeats, refused):
    app, built = build(name, folder)
    recording = os.path.join(folder, name + ".rec")
    cache = os.path.join(folder, name + ".cache")
    env = dict(os.environ, HEDDLE_CACHE=cache)
    first = 1e3 * checked([app], env, passed=True).seconds
    run = milliseconds([app], repeats, env, passed=True)
    start = start_milliseconds(app, env, folder, repeats)
    record = milliseconds([HEDDLE, "record", "-q", "-o", recording, "--", app, *(["quick"] if name in QUICK else [])], repeats, env)
    profile = os.path.join(folder, name + ".profile")
    profiled = milliseconds([HEDDLE, "profile", "-q", recording, "-o", profile], repeats, env)
    study, _ = heddle_json("profile", recording, "-o", profile)
    calls = study["application"]["calls"]["by_function"]
    simulated = os.path.join(folder, "simulated.json")
    simulation = checked([HEDDLE, "simulate", recording, "-q", "--json", simulated])
    sampled = os.path.join(folder, "sampled.json")
    run_of_sample = Run([HEDDLE, "sample", recording, "--method", "tbpoint", "--profile", profile, "-q", "--json", sampled], limit_s=SAMPLE_LIMIT)
    result = None
    if run_of_sample.status == 0:
        result, whole = loaded(sampled), loaded(simulated)
        error = abs(result["cycles"] - whole["cycles"]) / whole["cycles"]
    print(run_of_sample.errors, end="", flush=True)
    met = sum(n for f, n in calls.items() if f.removesuffix("_v2") not in refused)
    return {
        "program": name,
        "launches": study["application"]["total"]["launches"],
        "calls": sum(calls.values()),
        "calls met %": 100 * met / sum(calls.values()),
        "reads": reads_of(study["reads"]),
        "build s": built,
        "first run ms": first,
        "run ms": run,
        "start ms": start,
        "record ms": record,
        "profile ms": profiled,
        "simulate ms": 1e3 * simulation.seconds,
        "sample ms": 1e3 * run_of_sample.seconds if run_of_sample.status == 0
                     else f"over {1000 * SAMPLE_LIMIT:,}" if run_of_sample.status < 0 else "refused",
        "sampled %": 100 * result["sample_fraction"] if result else "-",
        "tbpoint error %": 100 * error if result else "-",
    }


def cpu_milliseconds(command, env, passed=False):
    """The least of five: what else the machine does only adds."""
    return 1e3 * min(checked(command, env, passed).cpu_seconds for _ in range(5))


def beside_native(name, folder):
    """A row of the second table: one amount of work in the program and by hand, one thread each."""
    native, app = baseline(name, folder), os.path.join(folder, name, name)
    if not native:
        return None
    env = dict(os.environ, HEDDLE_CACHE=os.path.join(folder, name + ".cache"), HEDDLE_THREADS="1", OMP_NUM_THREADS="1")
    small, more = [cpu_milliseconds([native, *w], env) for w in ((), (MORE_WORK[name],))]
    ours, ours_more = [cpu_milliseconds([app, *w], env, True) for w in ((), (MORE_WORK[name],))]
    return {"program": name, "work": int(MORE_WORK[name]), "by hand ms": more, "program ms": ours_more,
            "ratio": ours_more / more, "start above native ms": ours - small,
            "ratio without start": max(ours_more - ours, 1) / max(more - small, 1)}


def main():
    parser = argparse.ArgumentParser(prog="utils/reproduce applications", description=__doc__)
    parser.add_argument("--programs", nargs="*", help="only these")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--busy", action="store_true", help="say that the machine does other work")
    options = parser.parse_args()
    report = Report("applications", "Whole CUDA programs")
    report.say("""The programs of `test/apps/cuda`, built by their own makefiles or CMake files with `heddle-nvcc`, without a toolkit. Each checks its own
result. Times are of whole processes, medians: the first run compiles the kernels, later ones find them on disk. `start` is CPU time until the first
launch has ended, the least of some runs. `calls met` is the share of the calls
to CUDA's libraries that are not refused. `sample` is TBPoint with a profile that is there; its error is against `heddle simulate`, which simulates every launch.
Programs that go through many sizes are recorded with fewer of them (`quick`, as the suite does). cuBLAS, cuFFT, cuRAND, cuSPARSE, Thrust and CUB run on Heddle's own kernels, whose cycles are not those of NVIDIA's libraries.
""")
    if options.busy:
        report.say("The machine did other work at the same time, so wall times are too long.\n")
    rows, native, refused = [], [], refused_functions()
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(os.path.join(INPUTS, "check.h"), folder)
        for name in options.programs or names():
            rows.append(measure(name, folder, options.repeats, refused))
            native.append(beside_native(name, folder))
            print(f"  {name}: run {rows[-1]['run ms']:.0f} ms, tbpoint {rows[-1]['tbpoint error %']} %", flush=True)
    report.table(list(rows[0]), [list(r.values()) for r in rows])
    sampled = [r for r in rows if r["tbpoint error %"] != "-"]
    within = [r for r in sampled if r["tbpoint error %"] <= 1]
    times = ["run ms", "record ms", "profile ms", "simulate ms"]
    report.say(f"{len(rows)} programs; {100 * sum(r['calls'] * r['calls met %'] / 100 for r in rows) / sum(r['calls'] for r in rows):.1f} % of their "
               f"calls are met. TBPoint is within 1 % for {len(within)} of {len(sampled)}, at most {max(r['tbpoint error %'] for r in sampled):.1f} % "
               "off. Geometric means: " +
               "; ".join(f"{t[:-3]} {geometric_mean([r[t] for r in rows]):.0f} ms" for t in times) +
               f". The start takes at most {max(r['start ms'] for r in rows):.0f} ms.\n")
    beside = [row for row in native if row]
    if beside:
        report.say("""Beside the same work by hand with OpenMP (`utils/evaluation/native`), g++ -O3 for this CPU. CPU time of one thread each, the least of five
runs, so that other work on the machine does not count; nor does what OpenMP's threads cost. The program also checks its result.
""")
        report.table(list(beside[0]), [list(r.values()) for r in beside])
        report.say(f"Geometric means: ratio {geometric_mean([r['ratio'] for r in beside]):.2f}, without start "
                   f"{geometric_mean([r['ratio without start'] for r in beside]):.2f}. The start is at most "
                   f"{max(r['start above native ms'] for r in beside):.0f} ms above native.\n")
    report.csv(list(rows[0]), [list(r.values()) for r in rows])
    report.write()


if __name__ == "__main__":
    main()
