"""The fast models beside `simulate` on kernels with units of Hopper:
hopper.py HEDDLE KERNELS SOURCE SCRATCH"""

import json
import pathlib
import re
import subprocess
import sys

heddle, kernels, scratch = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[4])
SMALL = ["--gpu", "h100", "--set", "sm.count=8", "--set", "cluster.gpcs=1", "--arch", "sm_90a"]


def launch_of(name, *changes):
    text = (kernels / name / f"{name}-large.yaml").read_text()
    for old, new in changes:
        text = re.sub(old, new, text)
    scratch.mkdir(parents=True, exist_ok=True)
    path = scratch / f"{name}.yaml"
    path.write_text(text)
    return [kernels / name / f"{name}.cu", "--launch", path]


def cycles(command, where, *options, tail=()):
    run = subprocess.run([heddle, command, *where, *SMALL, "--json", "-", "-q", *options, *tail], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{command} {where[0]}: WRONG: {run.stderr}")
    return json.loads(run.stdout)["cycles"]


def compare(name, where, interval, pipeline, tail=()):
    simulated = cycles("simulate", where, tail=tail)
    line = []
    for model, limit in (("interval", interval), ("pipeline", pipeline)):
        error = 100 * (cycles("estimate", where, "--model", model, tail=tail) / simulated - 1)
        line.append(f"{model} {error:+.1f} %" + ("" if abs(error) <= limit else f" WRONG: at most {limit} wanted"))
    print(f"{name}: {', '.join(line)}")


squares = [(r"\b2048\b", "512"), ("4194304", "262144")]
compare("half_product_group", launch_of("half_product_group", *squares, (r"grid: .*", "grid: [8, 8]")), 10, 15)
compare("half_product_specialised", launch_of("half_product_specialised", *squares, ("132", "8")), 10, 15)
compare("product_tensor_maps", launch_of("product_tensor_maps", ("1000000", "65536"), (r"\b1000\b", "256"), (r"grid: .*", "grid: [8, 8]")), 10, 15)
compare("cluster_histogram", launch_of("cluster_histogram", ("264", "16"), ("8000000", "400000")), 10, 15)
compare("stream_scale", launch_of("stream_scale", ("528", "32"), ("8650752", "524288")), 10, 15)
compare("cluster_sums", [sys.argv[3], "--grid", "32", "--block", "256", "--arg", "in:f32[524288]=uniform:0:1", "--arg", "out:f32[8]=zero"], 10, 15)
