"""Warp instructions per second of both engines, beside PoCL.

CPU time of one thread, best of several repetitions on fresh data; compiling is
not part of it. PoCL runs the same OpenCL kernel and launch in the same run. With --before
BUILD also the JIT's CPU time beside an earlier build's."""

import argparse
import json
import os
import sys

import common

RUN = os.path.join(common.BUILD, "bin", "engine-run")
OPENCL = os.path.join(common.BUILD, "bin", "opencl-run")


def engine(kernel, engine, repeat, *options):
    """(warp instructions, best seconds, seconds to compile)."""
    run = common.Run([RUN, kernel.source, "--launch", kernel.launch, "--engine", engine,
                      "--repeat", repeat, *options])
    if run.status != 0:
        sys.exit(f"{kernel}, {engine}: {run.errors}")
    result = json.loads(run.output)
    return (result["warp_instructions"], max(min(result["cpu_seconds"]), 1e-6),
            result["compile_seconds"])


def pocl(kernel, repeat):
    """Best CPU seconds of PoCL, or None."""
    if kernel.language != "OpenCL" or not os.path.exists(OPENCL):
        return None
    env = dict(os.environ, POCL_MAX_PTHREAD_COUNT="1")
    run = common.Run([OPENCL, kernel.source, kernel.launch, "--repeat", repeat + 1], env=env)
    if run.status != 0:
        print(f"{kernel}: no PoCL: {run.errors.strip()}", file=sys.stderr)
        return None
    # The first repetition compiles.
    return max(min(json.loads(run.output)["cpu_seconds"][1:]), 1e-6)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernel", action="append", help="only this kernel (repeatable)")
    parser.add_argument("--size", default="large", choices=["test", "large"])
    parser.add_argument("--repeat", type=int, default=5)
    common.add_before(parser)
    options = parser.parse_args()

    rows = []
    for kernel in common.kernels(options.size, names=options.kernel):
        executed, plain, compiled = engine(kernel, "jit", options.repeat)
        narrow = engine(kernel, "jit", options.repeat, "--vector-bits", "256")[1]
        counted = engine(kernel, "jit", options.repeat, "--counters")[1]
        interpreted = engine(kernel, "interpreter", 1)[1]
        peer = pocl(kernel, options.repeat)
        rate = [executed / seconds / 1e6 for seconds in (plain, narrow, counted, interpreted)]
        rows.append([kernel.name, kernel.language, executed, *rate, compiled,
                     peer if peer else "", plain / peer if peer else ""])
        print(f"{kernel}: {rate[0]:.0f} M/s", file=sys.stderr)

    report = common.Report("exec", "Execution speed")
    report.say("Millions of warp instructions per second of CPU time (one thread), counting the "
               "instructions of the prepared LLVM IR. Counters are all of them: executions and "
               "lanes of each block; lanes, sectors, lines and bank passes of each access. "
               "The last columns are PoCL's seconds on the same kernel and the JIT's time "
               "as a multiple of PoCL's.")
    columns = ["kernel", "language", "warp instructions", "JIT", "JIT, AVX2", "JIT, counters",
               "interpreter", "compile s", "PoCL s", "JIT / PoCL"]
    report.table(columns, [[common.text(v) if isinstance(v, float) else v for v in row]
                           for row in rows])
    means = [common.geometric_mean([row[i] for row in rows]) for i in range(3, 7)]
    report.say("Geometric means: JIT {:.0f}, with AVX2 only {:.0f}, with all counters {:.0f}, "
               "interpreter {:.0f} M warp instructions/s.".format(*means))
    slower = [f"{row[0]} ({row[9]:.1f}x)" for row in rows if row[9] != "" and row[9] > 2.5]
    compared = [row[9] for row in rows if row[9] != ""]
    if compared:
        report.say("JIT's time over PoCL's: geometric mean {:.2f}. Above 2.5: {}.".format(
            common.geometric_mean(compared), ", ".join(slower) or "none"))
    for name in ("jit", "interpreter"):
        common.say_ratios(report, f"run, {name}", options, lambda kernel: [
            "run", kernel.source, "--launch", kernel.launch, "--engine", name], "at most 1.1",
            like_before=["--compiler", "clang"])
    report.csv(columns, rows)
    report.write()


if __name__ == "__main__":
    main()
