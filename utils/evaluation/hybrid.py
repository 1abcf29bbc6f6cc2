"""The pipeline estimator against measured GPUs and against the timing model, and
what an estimate costs.

Options: --every N (only every Nth measured row), --gpu NAME (may be repeated),
--skip-simulation (no timing model), --threads N."""

import argparse
import csv
import json
import os
import sqlite3
import sys
import tempfile
import zlib

import common

MEASURED = os.path.join(common.HARDWARE, "measured_elementwise.csv")
SOURCE = os.path.join(common.ROOT, "utils", "evaluation", "elementwise.cu")
TENSORS = {"add": 3, "mul": 3, "div": 3, "pow": 3}
SCALARS = {"addu", "mulu", "divu", "powu"}
SHORT_US = 10.0


def measured(every, gpus):
    with open(MEASURED, newline="", encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if not gpus or row["gpu"] in gpus]
    return rows[::every]


def half(row):
    """Which half a row belongs to: by its checksum, so that it never changes."""
    text = ",".join(row[key] for key in ("gpu", "op", "rows", "columns", "grid_x", "block_x"))
    return "fit" if zlib.crc32(text.encode()) % 2 == 0 else "report"


def kernel_of(row):
    if row["op"] == "softmax":
        return "softmax_warp" if row["kernel_id"] == "k13" else "softmax_block"
    return "layer_norm" if row["op"] == "ln" else row["op"]


def launch_of(kernel):
    """A launch file to start from; the sweep sets sizes."""
    buffer = "  - buffer: {type: f32, count: 1, init: zero}\n"
    if kernel == "layer_norm":
        arguments = buffer * 6 + "  - i32: 1\n"
    elif kernel == "softmax_warp":
        arguments = buffer * 2 + "  - i32: 1\n  - i32: 1\n"
    elif kernel == "softmax_block":
        arguments = buffer * 2 + "  - i32: 1\n"
    else:
        arguments = buffer * TENSORS.get(kernel, 2) + "  - i32: 1\n"
        if kernel in SCALARS:
            arguments += "  - f32: 1.5\n"
    return f"kernel: {kernel}\ngrid: [1]\nblock: [128]\nargs:\n{arguments}"


def settings_of(kernel, row):
    rows, columns = int(row["rows"]), int(row["columns"])
    n = rows * columns
    settings = {"grid.x": row["grid_x"], "block": row["block_x"] + "x" + row["block_y"]}
    # Vector accesses reach a little beyond the end of a row.
    if kernel == "layer_norm":
        counts = [n, columns + 4, columns + 4, rows, rows, n]
        settings["arg.6"] = columns
    elif kernel == "softmax_warp":
        counts = [n, n]
        settings.update({"arg.2": rows, "arg.3": columns})
    elif kernel == "softmax_block":
        counts = [n + 4, n + 4]
        settings["arg.2"] = columns
    else:
        tensors = TENSORS.get(kernel, 2)
        counts = [n] * tensors
        settings[f"arg.{tensors}"] = n
    for i, count in enumerate(counts):
        settings[f"arg.{i}.count"] = count
    return {key: str(value) for key, value in settings.items()}


def estimate(rows, models, threads, folder):
    """Estimates rows with sweeps, one per kernel and machine; equal
    configurations once. Returns, per row and model, microseconds as a host
    measures them."""
    found = [{} for _ in rows]
    groups = {}
    for i, row in enumerate(rows):
        kernel = kernel_of(row)
        point = tuple(sorted(settings_of(kernel, row).items()))
        groups.setdefault((row["gpu"], kernel), {}).setdefault(point, []).append(i)
    for (gpu, kernel), members in sorted(groups.items()):
        points = [dict(point) for point in members]
        rows_of = list(members.values())
        launch = os.path.join(folder, f"{kernel}.yaml")
        with open(launch, "w", encoding="utf-8") as file:
            file.write(launch_of(kernel))
        plan = {"input": SOURCE, "launch": launch, "vary": [
            {"gpu": [gpu]}, {"model": models},
            {key: [point[key] for point in points] for key in points[0]}]}
        sweep = os.path.join(folder, f"{gpu}-{kernel}.yaml")
        with open(sweep, "w", encoding="utf-8") as file:
            json.dump(plan, file)  # JSON is YAML
        database = sweep.replace(".yaml", ".db")
        common.heddle("sweep", sweep, "-o", database, "-q", "--threads", str(threads),
                      limit_s=3600)
        with sqlite3.connect(database) as connection:
            for index, result, message in connection.execute(
                    "SELECT id, result, message FROM points ORDER BY id"):
                model = models[index // len(members)]
                if not result:
                    raise SystemExit(f"{kernel} on {gpu}: {message}")
                for row in rows_of[index % len(members)]:
                    found[row][model] = json.loads(result)["host_time_us"]
        print(f"{gpu} {kernel}: {len(members)} configurations", file=sys.stderr, flush=True)
    return found


def mape(pairs):
    return 100 * sum(abs(e / m - 1) for e, m in pairs) / len(pairs) if pairs else 0.0


def bias(pairs):
    return 100 * sum(e / m - 1 for e, m in pairs) / len(pairs) if pairs else 0.0


def kendall(pairs):
    """Kendall's tau-b by counting; a sample of pairs where there are many."""
    step = max(1, len(pairs) // 600)
    pairs = pairs[::step]
    concordant = discordant = ties_e = ties_m = 0
    for i, (e1, m1) in enumerate(pairs):
        for e2, m2 in pairs[:i]:
            de, dm = e1 - e2, m1 - m2
            if de == 0 or dm == 0:
                ties_e += de == 0
                ties_m += dm == 0
            elif (de > 0) == (dm > 0):
                concordant += 1
            else:
                discordant += 1
    n = concordant + discordant
    scale = ((n + ties_e) * (n + ties_m)) ** 0.5
    return (concordant - discordant) / scale if scale else 0.0


def against_hardware(report, arguments):
    rows = measured(arguments.every, arguments.gpu)
    models = ["pipeline", "pipeline=paper"]
    with tempfile.TemporaryDirectory() as folder:
        estimates = estimate(rows, models, arguments.threads, folder)
    data = [(row, half(row), float(row["time_ms"]) * 1000, found)
            for row, found in zip(rows, estimates)]
    long = [entry for entry in data if entry[2] > SHORT_US]
    report.say("## Against measured GPUs\n")
    report.say(
        f"{len(data):,} measured times "
        + (f"(every {arguments.every}th row) " if arguments.every > 1 else "")
        + f"of element-wise, softmax and layer-norm kernels "
        f"(`test/hw/measured_elementwise.csv`); our own kernels for the same operations "
        f"(`utils/evaluation/elementwise.cu`), same grid and block, estimated with traces "
        f"as `--trace auto` makes them. {len(data) - len(long):,} rows ({100 * (1 - len(long) / len(data)):.1f} %) of at "
        f"most {SHORT_US:.0f} us are left out. Rows are split in two by the CRC-32 of machine, "
        "operation, rows, columns, grid and block; `dram.efficiency` and `launch.host_time` of the "
        "machines were chosen on the half with even checksums, the table shows the other half.\n")
    columns = ["machine", "kernel", "rows", "MAPE %", "bias %", "Kendall tau",
               "MAPE % as published"]
    table = []

    def line(gpu, kernel, which):
        kept = [entry for entry in long if entry[1] == which
                and gpu in ("all", entry[0]["gpu"]) and kernel in ("all", kernel_of(entry[0]))]
        if not kept:
            return None
        ours = [(found["pipeline"], time) for _, _, time, found in kept]
        paper = [(found["pipeline=paper"], time) for _, _, time, found in kept]
        return [gpu, kernel, len(kept), mape(ours), bias(ours), kendall(ours), mape(paper)]

    for gpu in sorted({row["gpu"] for row in rows}):
        for kernel in sorted({kernel_of(row) for row in rows}):
            if (entry := line(gpu, kernel, "report")) is not None:
                table.append(entry)
        table.append(line(gpu, "all", "report"))
    table.append(line("all", "all", "report"))
    report.table(columns, table)
    fit = line("all", "all", "fit")
    report.say(f"On the half that was fitted: MAPE {fit[3]:.1f} %.")
    return [["hardware", *entry] for entry in table]


def against_simulation(report, arguments):
    report.say("## Against the timing model\n")
    report.say("All kernels of `test/kernels`, large launches, on v100. *Trace* is how the blocks "
               "that the estimator looks at were made (`--trace auto`).\n")
    table, pairs, papers, ratios = [], [], [], []
    for kernel in common.kernels("large"):
        if any(row[0] == kernel.name for row in table):
            continue  # the same kernel in both languages
        simulated, _ = common.heddle_json("simulate", kernel.source, "--launch", kernel.launch)
        ours, _ = common.heddle_json("estimate", kernel.source, "--launch", kernel.launch)
        paper, _ = common.heddle_json("estimate", kernel.source, "--launch", kernel.launch,
                                      "--model", "pipeline=paper")
        truth = simulated["cycles"]
        pairs.append((ours["cycles"], truth))
        papers.append((paper["cycles"], truth))
        seconds = ours["seconds"] + ours["prepare_seconds"]
        ratios.append(simulated["seconds"] / seconds)
        table.append([kernel.name, truth, ours["cycles"], 100 * (ours["cycles"] / truth - 1),
                      ours["bound"], ours["trace"], 1000 * seconds,
                      100 * (paper["cycles"] / truth - 1), ratios[-1]])
        print(*table[-1][:4], file=sys.stderr, flush=True)
    report.table(["kernel", "simulated cycles", "estimated cycles", "error %", "limited by",
                  "trace", "ms", "error % as published", "times faster"], table)
    report.say(f"MAPE {mape(pairs):.1f} %, Kendall tau {kendall(pairs):.2f} over {len(pairs)} "
               f"kernels; as published {mape(papers):.1f} %, {kendall(papers):.2f}. Median of the "
               f"absolute errors {common.median([abs(row[3]) for row in table]):.1f} %; "
               f"{common.geometric_mean(ratios):.0f} times faster than the timing model "
               "(geometric mean).")
    return [["simulation", "v100", row[0], row[1], row[3], "", "", row[7]] for row in table]


SWEEP = "stencil_2d"


def costs(report):
    """CPU time of estimates, and of a sweep."""
    report.say("## What an estimate costs\n")
    times, traces, modes = [], [], {}
    for kernel in common.kernels("large"):
        result, _ = common.heddle_json("estimate", kernel.source, "--launch", kernel.launch)
        static, _ = common.heddle_json("estimate", kernel.source, "--launch", kernel.launch,
                                       "--trace", "static")
        times.append(1000 * (result["seconds"] + result["prepare_seconds"]))
        traces.append(1000 * (static["trace_seconds"] + static["prepare_seconds"]))
        modes[result["trace"]] = modes.get(result["trace"], 0) + 1
    made = ", ".join(f"{count} {mode}" for mode, count in sorted(modes.items()))
    report.say(f"CPU milliseconds over the {len(times)} sources of `test/kernels`, large launches, "
               f"compiling the kernel not included. An estimate with its trace ({made}): median "
               f"{common.median(times):.1f}, largest {max(times):.0f}. Static traces of the blocks "
               f"that the model looks at: median {common.median(traces):.2f}, largest "
               f"{max(traces):.0f}.\n")
    kernel = common.kernels("large", names=[SWEEP])[0]
    with tempfile.TemporaryDirectory() as folder:
        run = common.heddle(
            "sweep", "--input", kernel.source, "--launch", kernel.launch, "-q", "--threads", "2",
            "--vary", "set.sm.count=8:80:8", "--vary", "set.dram.bandwidth=100:1000:100",
            "--vary", "grid=128x64,64x128,32x256,100x50,60x60,20x20,128x128,64x64,90x90,75x30",
            "-o", os.path.join(folder, "sweep.db"))
    report.say(f"`heddle sweep` over 1,000 configurations of the tiled stencil (`{SWEEP}`; 10 "
               "numbers of SMs, 10 bandwidths, 10 grids), two workers: "
               f"{run.seconds:.1f} s, {run.cpu_seconds:.1f} s of CPU time.")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--gpu", action="append")
    parser.add_argument("--skip-simulation", action="store_true")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    report = common.Report("hybrid", "The pipeline estimator against GPUs and the timing model")
    rows = []
    if os.path.exists(MEASURED):
        rows += against_hardware(report, arguments)
    else:
        report.say(f"No measured times: {MEASURED} is not here.")
    if not arguments.skip_simulation:
        rows += against_simulation(report, arguments)
    costs(report)
    report.csv(["against", "machine", "kernel", "rows or cycles", "MAPE or error %", "bias %",
                "Kendall tau", "as published %"], rows)
    report.write()


if __name__ == "__main__":
    main()
