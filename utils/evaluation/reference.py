"""Cycles beside another simulator's on the same launches and machines.

Options: --only KERNEL[,KERNEL...] and --machine NAME take part of the rows, --start
cold|memcpy one state of L2, --limits MEDIAN,WORST (percent) makes the exit status 1
where the difference is larger, --no-write prints only."""

import argparse
import csv
import os
import sys

import common
from common import REFERENCE, Report, heddle_json, median

MACHINES = {"SM7_QV100": "reference-qv100", "SM2_GTX480": "reference-gtx480"}

# Why a row differs by more than EXPLAIN_ABOVE: (kernel, machine) or (kernel, None).
EXPLAIN_ABOVE = 20.0
EXPLANATIONS = {
    ("fma_chain", "reference-qv100"):
        "two blocks of 1,024 threads fit on an SM and 40 of 200 are left over, so the row depends on which SMs have room first. A wave of two blocks lasts as long in both: "
        "1,736 cycles here, 1,613 there if their 3,226 are two waves. Here the two blocks of an SM end 80 cycles apart and all SMs within 48 of each other, so the 40 go "
        "one by one to 40 SMs, where they end in half the time; two waves there mean that the two end together and the 40 go two by two to 20 SMs, which need a wave of their own. That a wave "
        "lasts so long and that its stores come nearly at once is the collectors' doing (docs/TimingModel.md): multiplications that wait for their pipe fill them, and "
        "warps that run ahead to integer instructions wait. Which warp's store comes last, and with it the 80 cycles, depends on the turn of the schedulers when the chain ends",
}


def rows_of(options):
    with open(os.path.join(REFERENCE, "reference.csv"), newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if options.only and row["kernel"] not in options.only.split(","):
                continue
            if options.machine and MACHINES[row["config"]] != options.machine:
                continue
            if options.start and row["l2_start"] != options.start:
                continue
            yield row


def simulate(row):
    # Function bodies for sm_70 are identical.
    arguments = ["simulate", os.path.join(REFERENCE, "ptx", row["kernel"] + ".sm_30.ptx"),
                 "--launch", os.path.join(REFERENCE, "launches",
                                          f"{row['kernel']}-{row['launch']}.yaml"),
                 "--gpu", MACHINES[row["config"]]]
    if row["l2_start"] == "memcpy":
        arguments.append("--warm-l2")
    result, _ = heddle_json(*arguments)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only")
    parser.add_argument("--machine", choices=MACHINES.values())
    parser.add_argument("--start", choices=("cold", "memcpy"))
    parser.add_argument("--limits")
    parser.add_argument("--no-write", action="store_true")
    parser.add_argument("--heddle", help="the binary, if not build/release's")
    options = parser.parse_args()
    if options.heddle:
        common.HEDDLE = options.heddle

    columns = ["launch", "machine", "L2 start", "cycles", "theirs", "difference %",
               "warp insts %", "L1 miss", "theirs", "L2 miss", "theirs", "L2 pending", "theirs",
               "DRAM reads", "theirs", "activates", "theirs", "bank conflicts", "theirs"]
    table, differences = [], []
    for row in rows_of(options):
        result = simulate(row)
        # Both counts without the launch overhead, which is a constant of the machine.
        ours = result["cycles"]
        theirs = int(row["cycles"]) - int(row["launch_latency_in_cycles"])
        difference = 100.0 * (ours - theirs) / theirs
        differences.append((abs(difference), row, difference))
        table.append([
            f"{row['kernel']}-{row['launch']}", MACHINES[row["config"]], row["l2_start"], ours,
            theirs, round(difference, 1),
            round(100.0 * (result["warp_instructions"] / int(row["warp_insn"]) - 1), 1),
            result["l1"]["misses"], int(row["l1d_miss"]),
            result["l2"]["misses"], int(row["l2_miss"]),
            result["l2"]["pending_hits"], int(row["l2_pending_hit"]),
            result["dram"]["reads"], int(row["dram_read"]),
            result["dram"]["activates"], int(row["dram_activate"]),
            result["shared_conflict_cycles"], int(row["shmem_bkconflict"])])
        print(f"{table[-1][0]:20} {table[-1][1]:17} {row['l2_start']:7} {ours:8} {theirs:8} "
              f"{difference:+7.1f} %", file=sys.stderr, flush=True)
    if not table:
        sys.exit("utils/reproduce reference: no rows left")

    size = [d[0] for d in differences]
    report = Report("reference", "Beside another simulator")
    report.say(
        "The launches and the PTX of `test/reference` on the machines `reference-qv100` and "
        "`reference-gtx480`, which are that simulator's configurations. The launch overhead is "
        "taken off both counts. `memcpy` starts with the copied inputs in L2 (`--warm-l2`), "
        "`cold` with an empty L2. `warp insts %` is by how much the number of executed warp "
        "instructions differs.\n")
    summary = []
    for name, pick in [("all", lambda r: True)] + [
            (m, lambda r, c=c: r["config"] == c) for c, m in MACHINES.items()]:
        part = [d[0] for d in differences if pick(d[1])]
        if part:
            summary.append([name, len(part), round(median(part), 1), round(max(part), 1),
                            sum(d <= 20 for d in part), sum(d > 40 for d in part)])
    report.table(["rows", "number", "median %", "worst %", "within 20 %", "above 40 %"], summary)
    report.table(columns, table)

    large = [d for d in differences if d[0] > EXPLAIN_ABOVE]
    if large:
        report.say(f"## Rows that differ by more than {EXPLAIN_ABOVE:.0f} %\n")
        causes = {}
        for _, row, difference in large:
            key = (row["kernel"], MACHINES[row["config"]])
            text = EXPLANATIONS.get(key) or EXPLANATIONS.get((row["kernel"], None)) or (
                "no single cause found; see the counters in the table")
            causes.setdefault((key, text), []).append(
                f"{row['kernel']}-{row['launch']} {row['l2_start']} {difference:+.1f} %")
        report.say("\n".join(f"- **{key[0]}** on {key[1]} ({'; '.join(rows)}): {text}."
                             for (key, text), rows in causes.items()) + "\n")
    if not options.no_write:
        report.csv(columns, table)
        report.write()
    if options.limits:
        allowed = [float(x) for x in options.limits.split(",")]
        if median(size) > allowed[0] or max(size) > allowed[1]:
            sys.exit(f"median {median(size):.1f} %, worst {max(size):.1f} %: more than "
                     f"{options.limits} %")


if __name__ == "__main__":
    main()
