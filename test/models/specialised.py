"""What warp specialisation and multicast gain in half_product_specialised:
specialised.py HEDDLE KERNELS SCRATCH"""

import json
import pathlib
import re
import subprocess
import sys

heddle, kernels, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
folder = kernels / "half_product_specialised"
SIDE = 512  # of the matrices; eight SMs make 16 tiles


def simulate(kernel, threads, *options):
    text = (folder / "half_product_specialised-large.yaml").read_text()
    text = text.replace("kernel: half_product_specialised", f"kernel: {kernel}")
    text = text.replace("block: [384]", f"block: [{threads}]").replace("grid: [132]", "grid: [8]")
    text = re.sub(r"\b2048\b", str(SIDE), text.replace("4194304", str(SIDE * SIDE)))
    scratch.mkdir(parents=True, exist_ok=True)
    launch = scratch / f"{kernel}.yaml"
    launch.write_text(text)
    run = subprocess.run(
        [heddle, "simulate", folder / "half_product_specialised.cu", "--launch", launch, "--gpu", "h100", "--arch", "sm_90a",
         "--set", "sm.count=8", "--set", "cluster.gpcs=1", "--json", "-", "-q", *options], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{kernel}: {run.stderr}")
    return json.loads(run.stdout)


def compare(what, ratio, least, most):
    print(f"{what}: {ratio:.2f}{'' if least <= ratio <= most else f' WRONG: {least} to {most} wanted'}")


in_turn = simulate("half_product_in_turn", 128)
alone = simulate("half_product_specialised", 384)
shared = simulate("half_product_specialised", 384, "--", "-DCLUSTER=2")
compare("specialised against in turn, times as fast", in_turn["cycles"] / alone["cycles"], 1.5, 5)
# Of four tiles in a row each pair asks for half of B: 512 x 512 halves in sectors of 32 bytes, four times, halved.
half = SIDE * SIDE * 2 // 32 * 4 // 2
compare("L2 accesses that a cluster of two saves, of those wanted", (alone["l2"]["accesses"] - shared["l2"]["accesses"]) / half,
        0.93, 1.03)  # less what the longer code asks for
# Eight SMs do not keep L2 busy, so that there is the price alone: each stage is given back over the network between SMs.
compare("cycles of a cluster of two, against without", shared["cycles"] / alone["cycles"], 0.9, 1.2)
