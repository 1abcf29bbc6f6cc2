"""What recording a program, and executing and profiling its recording cost, beside its native run on PoCL."""

import argparse
import os
import shutil
import tempfile

from common import BUILD, HEDDLE, Report, Run, geometric_mean, heddle, heddle_json, median

APPS = os.path.join(BUILD, "bin", "apps")
LAYER = os.path.join(BUILD, "lib", "libHeddleOpenCLLayer.so")
# Larger than the defaults, so that starting and ending a process is not all that is measured.
SIZES = {
    "bfs": (65536, 12), "conjugate": (192, 80), "diffusion": (600, 400, 300), "fft": (16, 16),
    "gauss": (640,), "jacobi": (256, 1500), "kmeans": (60000, 12), "life": (384, 200),
    "particles": (2500, 15), "pathfinder": (50000, 600), "pipeline": (640, 480, 40), "sort": (18,),
}


def names():
    return sorted(name for name in os.listdir(APPS)
                  if os.path.isfile(os.path.join(APPS, name)))


def timed(command, env=None):
    """Wall and CPU seconds of a command that must succeed."""
    run = Run(command, env=env)
    if run.status != 0:
        raise SystemExit(f"{' '.join(map(str, command))}\n{run.errors}exit status {run.status}")
    return run.seconds, run.cpu_seconds


def measure(name, folder, repeats):
    app = [os.path.join(APPS, name), *SIZES.get(name, ())]
    recording, inner = os.path.join(folder, name + ".rec"), os.path.join(folder, name + ".inner")
    profile = os.path.join(folder, name + ".profile")
    record = [HEDDLE, "record", "-q", "-o", recording, "--", *app]
    timed(app)  # PoCL compiles, and keeps what it compiled
    timed(record)
    # One thread each, and compiled code of both on disk.
    one = dict(os.environ, POCL_MAX_PTHREAD_COUNT="1", HEDDLE_CACHE=os.path.join(folder, "cache"))
    execute = [HEDDLE, "run", recording, "-q", "--threads", "1"]
    timed(app, one)
    timed(execute, one)
    # In turns, so that a busy machine slows all alike.
    native, layered, recorded, profiled, alone, executed = [], [], [], [], [], []
    for _ in range(repeats):
        alone.append(timed(app, one))
        executed.append(timed(execute, one))
        native.append(timed(app))
        shutil.rmtree(inner, ignore_errors=True)
        os.mkdir(inner)
        layered.append(timed(app, dict(os.environ, OPENCL_LAYERS=LAYER, HEDDLE_RECORDING=inner)))
        recorded.append(timed(record))
        profiled.append(timed([HEDDLE, "profile", recording, "-q", "-o", profile]))
    study, _ = heddle_json("profile", recording, "-o", profile)
    total = study["application"]["total"]
    wall = lambda runs: median([r[0] for r in runs])
    cpu = lambda runs: median([r[1] for r in runs])
    return {
        "application": name,
        "launches": total["launches"],
        "kernels": len(study["application"]["kernels"]),
        "warp instructions": total["warp_instructions"],
        "reads equal": study["reads"]["equal"],
        "within 0.0001": study["reads"]["near"],
        "recording KiB": sum(os.path.getsize(os.path.join(recording, f))
                             for f in os.listdir(recording)) / 1024,
        "native ms": 1e3 * wall(native),
        "layer, wall": wall(layered) / wall(native),
        "layer, CPU": cpu(layered) / cpu(native),
        "recording, wall": wall(recorded) / wall(native),
        "recording, CPU": cpu(recorded) / cpu(native),
        "execution, CPU": cpu(executed) / cpu(alone),
        "profiling, wall": wall(profiled) / wall(native),
        "profiling, CPU": cpu(profiled) / cpu(native),
    }


def main():
    parser = argparse.ArgumentParser(prog="utils/reproduce recording", description=__doc__)
    parser.add_argument("--applications", nargs="*", help="only these")
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    report = Report("recording", "Recording and profiling of whole applications")
    report.say("""The programs of `test/apps`: natively on PoCL (which has compiled their kernels before), with the layer alone, as the whole command
`heddle record` (which also starts, reads the recording and sums it up), and `heddle profile` of the recording with one thread. Ratios are of medians to
the native run; PoCL runs work-groups on all CPUs. *Execution* is `heddle run` of the recording against PoCL on one thread: whole processes, both with what
they compiled on disk. `heddle run` also compares what the program read, and the program also checks its own result.
""")
    with tempfile.TemporaryDirectory() as folder:
        rows = []
        for name in options.applications or names():
            rows.append(measure(name, folder, options.repeats))
            print(f"  {name}: {rows[-1]['recording, wall']:.2f} x, "
                  f"{rows[-1]['profiling, wall']:.2f} x", flush=True)
    report.table(list(rows[0]), [list(r.values()) for r in rows])
    ratios = [key for key in rows[0] if "," in key]
    report.say("Geometric means: " + "; ".join(
        f"{key} {geometric_mean([r[key] for r in rows]):.2f} x" for key in ratios) + ".\n")
    report.csv(list(rows[0]), [list(r.values()) for r in rows])
    report.write()


if __name__ == "__main__":
    main()
