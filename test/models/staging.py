"""What stages gain: cycles of kernels that copy ahead, against the same without:
staging.py HEDDLE KERNELS"""

import json
import pathlib
import subprocess
import sys

heddle, kernels = sys.argv[1], pathlib.Path(sys.argv[2])


def cycles(name, gpu, grid, *options):
    folder = kernels / name
    run = subprocess.run(
        [heddle, "simulate", folder / f"{name}.cu", "--launch", folder / f"{name}-large.yaml", "--gpu", gpu,
         "--grid", grid, "--set", "sm.count=4", "--json", "-", "-q", *options], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{name}: {run.stderr}")
    return json.loads(run.stdout)["cycles"]


def gain(what, without, staged, least, most):
    ratio = without / staged
    good = least <= ratio <= most
    print(f"{what}: {ratio:.2f} times as fast{'' if good else f' WRONG: {least} to {most} wanted'}")


# One block per SM, so that nothing but the stages hides the latency.
gain("two stages of cp.async", cycles("half_product", "a100", "4,1"), cycles("half_product_staged", "a100", "4,1"),
     3.5, 5.5)
times = {stages: cycles("stream_scale", "h100", "4", "--", f"-DSTAGES={stages}") for stages in (1, 2, 4)}
# A copy and work side by side take half of the time of one after the other at best. With four
# stages several copies are under way, whose latencies overlap.
gain("two stages of bulk copies", times[1], times[2], 1.4, 2.0)
gain("four stages of bulk copies", times[1], times[4], 1.8, 2.6)
