"""Size of traces and speed of writing and reading them, over our kernels."""

import argparse
import math
import os
import re
import tempfile

from common import ROOT, Report, geometric_mean, heddle_json, kernels

# Kernels whose addresses or branches depend on what they load: what their warps
# do cannot fold.
DATA_DEPENDENT = {
    "bfs_level", "bitonic_sort", "btree_search", "histogram", "particle_weights", "spmv_csr",
    "spmv_warp", "sssp_relax",
}
LIMITS = {"regular": 0.1, "data-dependent": 2.0}


def rate(count, seconds):
    """Millions per second; 0 where the clock did not move."""
    return count / seconds / 1e6 if seconds > 0 else 0.0


# Buffers whose elements, equally likely values of a generator, are addresses one by one.
RANDOM_ADDRESSES = {"histogram": "data"}


def random_bits(kernel):
    """(bits in order, bits of each warp's 32 sorted) that the random addresses of a kernel hold."""
    name = RANDOM_ADDRESSES.get(kernel.name)
    if not name:
        return None
    with open(kernel.launch, encoding="utf-8") as file:
        found = re.search(rf"name: {name}, .*?count: (\d+), init: {{uniform: \[(\d+), (\d+)\]",
                          file.read())
    count, low, high = map(int, found.groups())
    values = high - low
    sorted_bits = math.log2(math.comb(values + 31, 32))
    return count * math.log2(values), count / 32 * sorted_bits


def measure(kernel, folder):
    path = os.path.join(folder, "trace.hdlt")
    made, _ = heddle_json("trace", kernel.source, "--launch", kernel.launch, "-o", path)
    read, _ = heddle_json("trace", "verify", path, "--replay")
    read = read["traces"][0]
    count = made["warp_instructions"]
    bits = random_bits(kernel)
    if bits:
        ordered, _ = heddle_json("trace", kernel.source, "--launch", kernel.launch, "--lane-order", "-o", path)
    os.remove(path)
    return {
        "kernel": kernel.name,
        "language": kernel.language,
        "launch": os.path.relpath(kernel.launch, ROOT),
        "class": "data-dependent" if kernel.name in DATA_DEPENDENT else "regular",
        "warps": made["warps"],
        "bodies": made["bodies"],
        "warp_instructions": count,
        "events": made["events"],
        "accesses": made["accesses"],
        "file_bytes": made["file_bytes"],
        "bytes_per_warp_instruction": made["bytes_per_warp_instruction"],
        "least_bytes": bits[1] / 8 / count if bits else "",
        "bytes_with_order": ordered["bytes_per_warp_instruction"] if bits else "",
        "least_bytes_with_order": bits[0] / 8 / count if bits else "",
        "execute_and_encode": rate(count, made["seconds"]),
        "write": rate(count, made["write_seconds"]),
        "read": rate(count, read["read_seconds"]),
        "replay": rate(count, read["replay_seconds"]),
        "ns_per_event": 1e9 * read["replay_seconds"] / max(made["events"], 1),
    }


def main():
    parser = argparse.ArgumentParser(prog="utils/reproduce trace", description=__doc__)
    parser.add_argument("--size", choices=("test", "large"), default="large")
    parser.add_argument("--kernels", nargs="*", help="only these")
    options = parser.parse_args()

    report = Report("trace", "Traces: size and speed")
    report.say(f"""Each of our kernels ({options.size} launches) is executed once and its trace written, checked and
replayed, on one thread. A warp instruction is a PTX instruction of the code table that one warp executes. Speeds are in
millions of warp instructions per CPU second: executing the kernel and encoding what it does; checking,
framing, compressing and writing the file; reading and verifying the file; stepping through every event with a cursor,
as the timing model does, frames decoded again.
""")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        measured = set()
        for kernel in kernels(options.size, names=options.kernels):
            # The same launch in the other language does the same.
            if kernel.name in measured:
                continue
            measured.add(kernel.name)
            rows.append(measure(kernel, folder))
            last = rows[-1]
            print(f"  {kernel}: {last['bytes_per_warp_instruction']:.4f} bytes per warp "
                  f"instruction of {last['warp_instructions']:,}", flush=True)
    columns = ("kernel", "language", "class", "warp instructions", "file bytes", "bytes each", "least",
               "bodies / warps", "execute + encode", "write", "read", "replay", "ns / event")
    report.table(columns, [(
        r["kernel"], r["language"], r["class"], r["warp_instructions"], r["file_bytes"],
        r["bytes_per_warp_instruction"], r["least_bytes"], f"{r['bodies']:,} / {r['warps']:,}",
        r["execute_and_encode"], r["write"], r["read"], r["replay"], r["ns_per_event"])
        for r in rows])
    for kind, limit in LIMITS.items():
        some = [r for r in rows if r["class"] == kind]
        if not some:
            continue
        worst = max(some, key=lambda r: r["bytes_per_warp_instruction"])
        mean = geometric_mean([r["bytes_per_warp_instruction"] for r in some])
        above = sorted({r["kernel"] for r in some if r["bytes_per_warp_instruction"] > limit})
        report.say(f"""{kind.capitalize()} kernels: geometric mean {mean:.4f} bytes per warp instruction, worst
{worst['bytes_per_warp_instruction']:.4f} ({worst['kernel']}); aim: at most {limit}. Above it: {', '.join(above) or 'none'}.
""")
    for row in rows:
        if row["least_bytes"]:
            over, ordered = row["bytes_per_warp_instruction"], row["bytes_with_order"]
            report.say(f"""`{row['kernel']}`: every element of its input, equally likely numbers of a generator, is the address of
one lane in shared memory. Traces hold the 32 of an access as a set, since banks see no more
([why](../Rationale/FreeLaneOrder.md)): {row['least_bytes']:.2f} bytes per warp instruction for these sets alone ("least"), and the trace takes
{100 * (over / row['least_bytes'] - 1):.1f} % more, for all else in it. With the order of lanes (`--lane-order`) it takes {ordered:.2f}, where the numbers
alone hold {row['least_bytes_with_order']:.2f}.
""")
    for key, what in (("execute_and_encode", "executing and encoding"), ("write", "writing"),
                      ("read", "reading"), ("replay", "replaying")):
        report.say(f"Geometric mean of {what}: {geometric_mean([r[key] for r in rows]):.1f} M "
                   "warp instructions per CPU second.\n")
    report.csv(list(rows[0]), [list(r.values()) for r in rows])
    report.write()


if __name__ == "__main__":
    main()
