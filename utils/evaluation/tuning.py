"""A measured design space: a convolution on an A100, ranked by the fast models and by the timing model.

Our own kernel after the description in test/hw/silicon/README.md. Options: --count N configurations (300), of which
--simulated M are simulated too (30), drawn by --seed S from those whose tiles divide the image."""

import argparse
import concurrent.futures
import csv
import os
import random
import time

import levels
from common import BUILD, HARDWARE, HEDDLE, Report, Run, json, median

SIZE, PITCH, SMS = 4096, 4096 + 14, 108
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
    """(milliseconds of the launch, seconds that it took here), or why there are none. Simulated: what a second wave of blocks takes, for all."""
    blocks = SIZE // (shape[0] * shape[2]) * (SIZE // (shape[1] * shape[3]))

    def launch(count):
        run = Run(command(model, shape, row, count), limit_s=1800)
        if run.status != 0:
            raise RuntimeError(run.errors.strip().splitlines()[-1])
        return json.loads(run.output)
    start = time.monotonic()
    try:
        if model != "simulate":
            return 1e-3 * launch(blocks)["time_us"], time.monotonic() - start
        wave = SMS * launch(SMS)["occupancy"]["blocks_per_sm"]
        return 1e-3 * (launch(2 * wave)["time_us"] - launch(wave)["time_us"]) * blocks / wave, time.monotonic() - start
    except RuntimeError as refused:
        return str(refused), time.monotonic() - start


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
    options = parser.parse_args()
    os.environ["HEDDLE_PTXAS"] = ""
    everything = list(configurations())
    chosen = random.Random(options.seed).sample(everything, min(options.count, len(everything)))
    ran = [(s, r) for s, r in chosen if r["ms"].replace(".", "").isdigit()]
    jobs = [(model, s, r) for model in MODELS for s, r in chosen] + [("simulate", s, r) for s, r in ran[:options.simulated]]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda job: milliseconds(*job), jobs))
    report = Report("tuning", "A measured design space")
    report.say(f"{len(chosen)} configurations of a 15 x 15 convolution on an A100, of the {len(everything)} in `tuning_convolution_a100.csv` whose tiles divide\n"
               "the image, drawn by a seed. Refused: ran on the GPU, not here. Run: the other way round. Pick: measured time of the configuration\n"
               "that the model calls fastest, over the best. Seconds: median of a whole call, compilation included, on a machine under load.")
    table = []
    for model in (*MODELS, "simulate"):
        rows = [(r, result) for (m, _, r), result in zip(jobs, results) if m == model]
        good = [(float(r["ms"]), value) for r, (value, _) in rows if r["ms"].replace(".", "").isdigit() and not isinstance(value, str)]
        refused = sum(r["ms"].replace(".", "").isdigit() and isinstance(value, str) for r, (value, _) in rows)
        ran_here = sum(not r["ms"].replace(".", "").isdigit() and not isinstance(value, str) for r, (value, _) in rows)
        if len(good) < 2:
            continue
        pick = min(good, key=lambda pair: pair[1])[0] / min(a for a, _ in good)
        table.append([model, len(rows), refused, ran_here, f"{kendall(good):.3f}", f"{100 * (pick - 1):.1f}",
                      f"{100 * sum(abs(b / a - 1) for a, b in good) / len(good):.1f}",
                      f"{median([b / a for a, b in good]):.2f}", f"{median([s for _, (_, s) in rows]):.1f}"])
    report.table(["model", "configurations", "refused", "run", "Kendall's tau", "pick: % above the best", "MAPE %",
                  "ours / measured: median", "seconds"], table)
    report.csv(["model", *everything[0][1], "ours ms", "seconds"],
               [[m, *r.values(), v if isinstance(v, str) else f"{v:.5f}", f"{s:.2f}"] for (m, _, r), (v, s) in zip(jobs, results)])
    report.write()


if __name__ == "__main__":
    main()
