"""Registers per thread: our estimate beside ptxas, per architecture.

Every kernel of test/kernels, of the programs in test/Frontend and of the
reference set that a ptxas takes, estimated from the same PTX that ptxas gets."""

import concurrent.futures
import json
import os
import sys

import common

PROGRAMS = os.path.join(common.ROOT, "test", "Frontend", "Programs", "Inputs")
ARCHITECTURES = ["sm_70", "sm_75", "sm_86", "sm_90"]
SOURCES = (".cl", ".cu", ".clcpp", ".cuh", ".cpp")
GROSS = 0.5

# Why estimates are more than GROSS off; the tables name the kernels.
REASONS = """What is more than half off, with causes inferred from the PTX, for ptxas does not tell. *Too many*: ptxas folds a
shuffle of a constant and all that follows (`unions.cl`); it computes scalars of a few instructions in uniform registers
on sm_75 (kernels of 4 to 6 registers); and it starts less at once than the registers at hand allow where shuffles or
conversions feed one another (`transformer.cu`, `warp_tricks.cu`, `curand_states.cu`) or states go round a loop of many
blocks (`images.cl`). *Too few*: it keeps an array per thread in registers once its loops are unrolled
(`crypto.cl`), and it unrolls loops of several blocks (`bfs_level.cu`, `kmeans.cl`, `pitched_and_arrays.cu`), where the
estimate unrolls loops of one."""


def files():
    found = []
    for folder in (common.KERNELS, PROGRAMS, os.path.join(common.REFERENCE, "kernels")):
        for path, _, names in os.walk(folder):
            found += [os.path.join(path, n) for n in names if n.endswith(SOURCES)]
    return sorted(found)


def group(path):
    return "programs" if path.startswith(PROGRAMS) else "kernels and reference"


def registers(path, arch):
    """{symbol: (estimate, count of ptxas or None, who says so)} of a file."""
    result = {}
    for option in (["--no-ptxas"], []):
        run = common.Run([common.HEDDLE, "kernels", path, "--arch", arch, "--json", "-", *option])
        try:
            kernels = json.loads(run.output)["kernels"]
        except (json.JSONDecodeError, KeyError):
            return {}
        for k in kernels:
            count, source = k["registers_per_thread"], k["register_source"]
            if option:
                result[k["symbol"]] = [count, None, source]
            elif k["symbol"] in result and source.startswith("ptxas"):
                result[k["symbol"]][1:] = [count, source]
    return result


def percentile(values, share):
    values = sorted(values)
    return values[min(int(share * len(values)), len(values) - 1)]


def statistics(rows):
    errors = [abs(r["estimate"] - r["ptxas"]) / r["ptxas"] for r in rows]
    units = lambda count: -(-count // 8)
    return [len(rows), 100 * common.median(errors), 100 * percentile(errors, 0.9), 100 * max(errors),
            sum(r["estimate"] - r["ptxas"] for r in rows) / len(rows),
            100 * sum(units(r["estimate"]) == units(r["ptxas"]) for r in rows) / len(rows)]


def main():
    if os.environ.get("HEDDLE_PTXAS") == "":
        sys.exit("registers: $HEDDLE_PTXAS is empty, and without a ptxas there is nothing to compare with")
    rows = []
    jobs = [(path, arch) for arch in ARCHITECTURES for path in files()]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for (path, arch), found in zip(jobs, pool.map(lambda job: registers(*job), jobs)):
            rows += [{"path": path, "arch": arch, "symbol": symbol, "estimate": estimate,
                      "ptxas": count, "source": source}
                     for symbol, (estimate, count, source) in found.items() if count]
    if not rows:
        sys.exit("registers: no ptxas is found on PATH, below $CUDA_PATH or as $HEDDLE_PTXAS")

    report = common.Report("registers", "Registers per thread against ptxas")
    report.say("`heddle kernels` without a toolkit estimates registers ([how](../CodeTable.md#registers-per-thread)); with one it asks\n"
               "ptxas. Here both, of the same PTX. Error in % of ptxas' count. *Same unit*: kernels whose two counts are the\n"
               "same after rounding up to eight, as the hardware hands registers out, so that occupancy is the same.")
    table = []
    for arch in ARCHITECTURES:
        for name in ("kernels and reference", "programs"):
            chosen = [r for r in rows if r["arch"] == arch and group(r["path"]) == name]
            if chosen:
                source = chosen[0]["source"]
                table.append([arch, source, name, *statistics(chosen)])
        table.append([arch, "", "all", *statistics([r for r in rows if r["arch"] == arch])])
    report.table(["architecture", "count from", "set", "kernels", "median error %", "90th percentile %",
                  "largest %", "bias, registers", "same unit %"], table)

    name = lambda r: (os.path.basename(r["path"]), r["symbol"])
    report.say("Estimates more than half off:")
    report.table(["architecture", "file", "kernel", "ptxas", "estimate"],
                 [[r["arch"], *name(r), r["ptxas"], r["estimate"]] for r in rows
                  if abs(r["estimate"] - r["ptxas"]) > GROSS * r["ptxas"]])
    report.say(REASONS)
    report.say("Kernels of `test/kernels` and of the reference set:")
    counts = {}
    for r in rows:
        if group(r["path"]) != "programs":
            counts.setdefault(name(r), {})[r["arch"]] = f"{r['estimate']} / {r['ptxas']}"
    report.table(["file", "kernel", *[f"{a}: estimate / ptxas" for a in ARCHITECTURES]],
                 [[*key, *[count.get(a, "-") for a in ARCHITECTURES]] for key, count in sorted(counts.items())])
    report.csv(["architecture", "file", "kernel", "ptxas", "estimate", "source"],
               [[r["arch"], *name(r), r["ptxas"], r["estimate"], r["source"]] for r in rows])
    report.write()


main()
