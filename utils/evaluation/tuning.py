"""A measured design space: a convolution on an A100, ranked by the fast models and by the timing model.

Our own kernel after the description in test/hw/silicon/README.md. Options: --count N configurations (300), of which
--simulated M are simulated too (30), drawn by --seed S from those whose tiles divide the image; --jobs N (2)."""

import argparse
import concurrent.futures
import csv
import os
import random
import sys

import levels
from common import HARDWARE, HEDDLE, Report, Run, json, median

SIZE, PITCH, SMS = 4096, 4096 + 14, 108
BOOST_MHZ, BASE_MHZ = 1410, 765  # data sheet of the A100 PCIe: the clock that a100 has, and the base clock
SOURCE = os.path.join(levels.FOLDER, "convolution.cu")
MODELS = ("pipeline", "interval")


def configurations():
    with open(os.path.join(HARDWARE, "silicon", "tuning_convolution_a100.csv"), newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            shape = [int(row[k]) for k in ("block_size_x", "block_size_y", "tile_size_x", "tile_size_y")]
            if SIZE % (shape[0] * shape[2]) == 0 and SIZE % (shape[1] * shape[3]) == 0:
                yield shape, row


def command(model, shape, row, blocks):
    bx, by, tx, ty = shape
    words = ["simulate"] if model == "simulate" else ["estimate", "--model", model]
    return [HEDDLE, words[0], SOURCE, *words[1:], "--grid", str(blocks), "--block", f"{bx},{by}", "--gpu", "a100",
            "--arg", f"i32={SIZE}", "--arg", f"i32={SIZE}", "--arg", f"f32[{PITCH * PITCH}]=value:0.5",
            "--arg", f"f32[{SIZE * SIZE}]=zero", "--json", "-", "-q", "--", f"-DBLOCK_X={bx}", f"-DBLOCK_Y={by}",
            f"-DTILE_X={tx}", f"-DTILE_Y={ty}", f"-DREAD_ONLY={row['read_only']}", f"-DPADDING={row['use_padding']}"]


def milliseconds(model, shape, row):
    """(milliseconds of the launch, CPU seconds that it took here), or why there are none. Simulated: what a second wave of
    blocks takes, for all."""
    blocks, spent = SIZE // (shape[0] * shape[2]) * (SIZE // (shape[1] * shape[3])), 0

    def launch(name, count):
        nonlocal spent
        run = Run(command(name, shape, row, count), limit_s=1800)
        spent += run.cpu_seconds
        if run.status != 0:
            raise RuntimeError(run.errors.strip().splitlines()[-1])
        return json.loads(run.output)
    try:
        if model != "simulate":
            return 1e-3 * launch(model, blocks)["time_us"], spent
        wave = SMS * launch("pipeline", blocks)["occupancy"]["blocks_per_sm"]
        two, one = (launch(model, count)["time_us"] for count in (2 * wave, wave))
        return 1e-3 * (two - one) * blocks / wave, spent
    except RuntimeError as refused:
        return str(refused), spent


def measured(row):
    """Milliseconds on the GPU, or None where the configuration did not run there."""
    return float(row["ms"]) if row["ms"].replace(".", "").isdigit() else None


def noise(rows):
    """Kendall's tau between measured times of one shape with and without `read_only`, which hardly changes the code."""
    times = {tuple(v for k, v in row.items() if k != "ms"): measured(row) for row in rows if measured(row)}
    return kendall([(ms, times[(*key[:4], "1", key[5])]) for key, ms in times.items()
                    if key[4] == "0" and (*key[:4], "1", key[5]) in times])


def mape(pairs, scale=1.0):
    return 100 * sum(abs(scale * b / a - 1) for a, b in pairs) / len(pairs)


def kendall(pairs):
    """Kendall's tau-b: pairs in the same order less those in the other, ties left out of either side."""
    same = ties_a = ties_b = total = 0
    for i, (a, b) in enumerate(pairs):
        for c, d in pairs[:i]:
            order = ((a > c) - (a < c)) * ((b > d) - (b < d))
            same, total = same + order, total + 1
            ties_a, ties_b = ties_a + (a == c), ties_b + (b == d)
    return same / ((total - ties_a) * (total - ties_b)) ** 0.5


def main():
    parser = argparse.ArgumentParser(prog="utils/reproduce tuning", description=__doc__)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--simulated", type=int, default=30)
    parser.add_argument("--seed", default="tuning")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    os.environ["HEDDLE_PTXAS"] = ""
    everything = list(configurations())
    chosen = random.Random(options.seed).sample(everything, min(options.count, len(everything)))
    ran = [(s, r) for s, r in chosen if measured(r)]
    jobs = [(model, s, r) for model in MODELS for s, r in chosen] + [("simulate", s, r) for s, r in ran[:options.simulated]]
    results = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for result in pool.map(lambda job: milliseconds(*job), jobs):
            results.append(result)
            print(f"\r{len(results)} of {len(jobs)}", end="", file=sys.stderr, flush=True)
    report = Report("tuning", "A measured design space")
    report.say(f"{len(chosen)} configurations of a 15 x 15 convolution on an A100, of the {len(everything)} in `tuning_convolution_a100.csv` whose tiles divide "
               "the image, drawn by a seed. Refused: ran on the GPU, not here. Run: the other way round. Pick: measured time of the configuration "
               "that the model calls fastest, over the best. Seconds: median CPU time of a whole call, compilation included.")
    report.say(f"The clock of the measurements was not published. `a100` has the boost clock, {BOOST_MHZ} MHz; the board's base clock is {BASE_MHZ} MHz. "
               "Configurations with a load from shared memory for each product need at least one cycle per load and SM, and most of them took what that is at "
               f"{BASE_MHZ} MHz, a few less. So the error is given at both clocks, with the same cycles. The clock was not the same all along: times of "
               f"one shape with and without `read_only`, which is nearly the same code, differ by up to a third. Kendall's tau between these two is "
               f"{noise([r for _, r in everything]):.2f}; a model can reach little more.")
    table = []
    for model in (*MODELS, "simulate"):
        rows = [(r, result) for (m, _, r), result in zip(jobs, results) if m == model]
        good = [(measured(r), value) for r, (value, _) in rows if measured(r) and not isinstance(value, str)]
        refused = sum(bool(measured(r)) and isinstance(value, str) for r, (value, _) in rows)
        ran_here = sum(not measured(r) and not isinstance(value, str) for r, (value, _) in rows)
        if len(good) < 2:
            continue
        pick = min(good, key=lambda pair: pair[1])[0] / min(a for a, _ in good)
        table.append([model, len(rows), refused, ran_here, f"{kendall(good):.3f}", f"{100 * (pick - 1):.1f}",
                      f"{mape(good):.1f}", f"{mape(good, BOOST_MHZ / BASE_MHZ):.1f}",
                      f"{median([b / a for a, b in good]):.2f}", f"{median([s for _, (_, s) in rows]):.2f}"])
    report.table(["model", "configurations", "refused", "run", "Kendall's tau", "pick: % above the best", f"MAPE % at {BOOST_MHZ} MHz",
                  f"at {BASE_MHZ} MHz", "ours / measured: median", "seconds"], table)
    report.csv(["model", *everything[0][1], "ours ms", "seconds"],
               [[m, *r.values(), v if isinstance(v, str) else f"{v:.5f}", f"{s:.2f}"] for (m, _, r), (v, s) in zip(jobs, results)])
    report.write()


if __name__ == "__main__":
    main()
