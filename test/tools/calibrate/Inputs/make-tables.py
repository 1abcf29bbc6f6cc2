"""Writes tables of micro-benchmarks as test/hw/silicon has them, of a machine file instead
of a GPU: make-tables.py HEDDLE MACHINE FOLDER."""

import csv
import os
import sys

import common
import silicon

GPU = "simulated"


def write(folder, name, columns, rows):
    with open(os.path.join(folder, name + ".csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["gpu", *columns])
        writer.writerows([GPU, *row] for row in rows)


def main():
    common.HEDDLE, machine, folder = sys.argv[1:]
    os.makedirs(folder)
    silicon.SIZES[machine] = (8, 98304, 0, 2097152)
    mhz = silicon.run(machine, "init", 1, 32, ["f64[32]=zero"] * 4 + ["f64=1", "i32=32"])[1]

    sizes = (8, 32, 64, 100, 120, 126, 134, 142, 150, 160, 180, 200, 240, 300, 400, 500, 600, 900, 1200,
             1500, 1800, 2000, 2200, 2500, 3000, 4000, 9000, 20000, 28000)
    write(folder, "latency_by_footprint", ["footprint_KiB", "SM_MHz", "cycles_per_load"],
          [[kib, mhz, silicon.latency({"machine": machine, "footprint_KiB": kib}, folder)]
           for kib in sizes])

    def stream(threads, blocks):
        row = {"machine": machine, "threads_per_block": threads, "blocks_per_SM": blocks}
        return [threads, blocks] + [silicon.stream(row, kernel)
                                    for kernel in ("init", "read", "scale", "triad")]
    write(folder, "stream_by_occupancy",
          ["threads_per_block", "blocks_per_SM", "init_GBs", "read_GBs", "scale_GBs", "triad_GBs"],
          [stream(32, 1), stream(1024, 2)])

    write(folder, "l1_bandwidth_by_footprint", ["footprint_KiB_per_block", "GBs_all_SMs"],
          [[kib, silicon.l1({"machine": machine, "footprint_KiB_per_block": kib}, 8192)]
           for kib in (16, 32, 1024)])

    def small(elements, threads):
        buffer = f"f64[{elements}]=value:1"
        cycles, _ = silicon.run(machine, "quarter", -(-elements // threads), threads,
                                [buffer, buffer, f"i32={elements}"], "--warm-l2",
                                "--launch-overhead")
        return 16e-3 * elements * mhz / cycles
    write(folder, "small_kernels", ["elements", "GBs_block128"],
          [[n, small(n, 128)] for n in (1024, 4096)])

    def in_graph(elements, threads):
        row = [silicon.run(machine, "init", -(-n // threads), threads,
                           [f"f64[{n}]=zero"] * 4 + ["f64=1", f"i32={n}"])
               for n in (elements, 2 * elements)]
        return silicon.slope(*row, 16e-9 * elements)
    write(folder, "small_kernels_graph", ["elements", "GBs_block32", "GBs_block64"],
          [[32768, in_graph(32768, 32), in_graph(32768, 64)]])


if __name__ == "__main__":
    main()
