"""Speed and memory of heddle simulate on our kernels' large launches.

Options: --gpu NAME (may be repeated; default: v100 with all kernels, gpumech and
a100 with every third), --kernel NAME (may be repeated), --long (a launch of more
than 300 M warp instructions too), --rounds N (runs of each launch, 3), --before BUILD
(CPU time beside an earlier build's), --every N (that on every N th kernel)."""

import argparse
import os
import sys
import tempfile

import common

LONG_SOURCE = """
__global__ void spin(float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = out[i];
  for (int k = 0; k < n; ++k) x = x * 0.5f + 1.0f;
  out[i] = x;
}
"""


def simulate(source, launch, gpu):
    result, run = common.heddle_json("simulate", source, "--launch", launch, "--gpu", gpu)
    return result, run


def takes(kernel, gpu):
    """Whether the kernel compiles for the machine: some need tensor cores. Status 1 is a message; any other is an error."""
    run = common.heddle("simulate", kernel.source, "--launch", kernel.launch, "--gpu", gpu, "--max-cycles", "1", "-q", check=False)
    if run.status not in (0, 1):
        sys.exit(f"{kernel.name} on {gpu}: status {run.status}\n{run.errors}")
    return run.status == 0


def simulate_all(kernels, gpu, rounds):
    """Result and run of each kernel that took the median of the seconds. The rounds lie
    apart, as a shared machine is slower for minutes at a time."""
    runs = [[simulate(kernel.source, kernel.launch, gpu) for kernel in kernels]
            for _ in range(rounds)]
    return [sorted(of_kernel, key=lambda one: one[0]["seconds"])[rounds // 2]
            for of_kernel in zip(*runs)]


def machines(arguments):
    """The machines with the kernels that each simulates."""
    kernels = []
    for kernel in common.kernels("large", names=arguments.kernel):
        if not any(other.name == kernel.name for other in kernels):  # one language of each
            kernels.append(kernel)
    if arguments.gpu:
        return [(gpu, kernels) for gpu in arguments.gpu]
    few = kernels if arguments.kernel else kernels[::3]
    return [("v100", kernels), ("gpumech", few), ("a100", few)]


def long_launch():
    """A launch of more than 300 M warp instructions: 40,960 blocks of 8 warps."""
    folder = tempfile.mkdtemp()
    source, launch = os.path.join(folder, "spin.cu"), os.path.join(folder, "spin.yaml")
    with open(source, "w", encoding="utf-8") as file:
        file.write(LONG_SOURCE)
    with open(launch, "w", encoding="utf-8") as file:
        file.write("kernel: spin\ngrid: [40960]\nblock: [256]\nargs:\n"
                   "  - buffer: {type: f32, count: 10485760, init: {uniform: [0, 1], seed: 1}}\n"
                   "  - i32: 800\n")
    return source, launch


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--gpu", action="append")
    parser.add_argument("--kernel", action="append")
    parser.add_argument("--long", action="store_true")
    parser.add_argument("--rounds", type=int, default=3)
    common.add_before(parser)
    arguments = parser.parse_args()
    report = common.Report("timing", "Speed of the timing model")
    report.say(
        "Simulated warp instructions per second of CPU time (`seconds` of `heddle simulate "
        "--json`: the model alone, without compiling, executing and encoding), one host thread, median of "
        f"{arguments.rounds} runs. "
        "The means are geometric, over launches of more than 1 M warp instructions. Peak memory is "
        "that of the whole process.")
    columns = ["machine", "kernel", "language", "warp instructions", "cycles", "seconds",
               "M warp instructions/s", "peak MiB"]
    everything = []
    for gpu, kernels in machines(arguments):
        rows, refused = [], [kernel.name for kernel in kernels if not takes(kernel, gpu)]
        kernels = [kernel for kernel in kernels if kernel.name not in refused]
        for kernel, (result, run) in zip(kernels, simulate_all(kernels, gpu, arguments.rounds)):
            rate = result["warp_instructions"] / max(result["seconds"], 1e-9) / 1e6
            rows.append([gpu, kernel.name, kernel.language, result["warp_instructions"],
                         result["cycles"], result["seconds"], rate,
                         run.peak_bytes / 2**20])
            print(*rows[-1], flush=True)
        everything += rows
        report.say(f"## {gpu}")
        if refused:
            report.say(f"Refused: {', '.join(refused)}.")
        report.table(columns[1:], [row[1:] for row in rows])
        long = [row for row in rows if row[3] > 1e6]
        report.say(f"{gpu}: {common.geometric_mean([row[6] for row in long]):.2f} M warp "
                   f"instructions/s over {len(long)} launches; largest peak "
                   f"{max(row[7] for row in rows):.0f} MiB.")
    if arguments.long:
        result, run = simulate(*long_launch(), "v100")
        report.say(f"A launch of {result['warp_instructions']:,} warp instructions on v100: "
                   f"{result['seconds']:.0f} s, peak memory {run.peak_bytes / 2**20:.0f} MiB.")
    for gpu, _ in machines(arguments):
        common.say_ratios(report, f"simulate on {gpu}", arguments, lambda kernel: [
            "simulate", kernel.source, "--launch", kernel.launch, "--gpu", gpu], "at most 1.1", arguments.rounds)
    report.csv(columns, everything)
    report.write()


if __name__ == "__main__":
    main()
