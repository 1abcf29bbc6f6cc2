"""Random programs: both engines, their PTX read back and host code do the same

10,000 kernels of test/Exec/Differential/generate.py. A kernel that differs stays in
the folder with what each did; the generator's seed makes it again."""

import argparse
import concurrent.futures
import os
import subprocess
import sys

import common

ENGINE_COMPARE = os.path.join(common.BUILD, "bin", "engine-compare")
COMPARE = os.path.join(common.ROOT, "test", "Exec", "Differential", "compare.py")


def compare(folder, first, last):
    run = subprocess.run([sys.executable, "-B", COMPARE, ENGINE_COMPARE, folder, str(first), str(last)],
                         capture_output=True, text=True)
    return run.stdout.strip().splitlines()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=10000)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--folder", default="random-programs")
    options = parser.parse_args()
    last = options.first + options.count - 1
    done = 0
    differing = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        chunks = [(s, min(s + 19, last)) for s in range(options.first, last + 1, 20)]
        for lines in pool.map(lambda c: compare(options.folder, *c), chunks):
            count, differ = int(lines[-1].split()[0]), lines[-1].split("[")[1].rstrip("]")
            done += count
            differing += [int(s) for s in differ.split(",") if s.strip()]
            for line in lines[:-1]:
                print(line)
            print(f"{done} of {options.count} kernels, {len(differing)} differ", file=sys.stderr)
    text = f"Seeds {options.first} to {last}: {done} kernels, of which {len(differing)} differ"
    text += ": " + ", ".join(map(str, differing)) + ".\n" if differing else ".\n"
    print(text, end="")
    with open(os.path.join(common.EVALUATION, "random-programs.md"), "w") as file:
        file.write("<!-- Made by utils/reproduce random-programs -->\n\n# Random programs\n\n")
        file.write("Each kernel runs on the interpreter and on the JIT: by its number plain, with counters or with trace hooks. Its PTX is read\n"
                   "back and runs. Kernels of even seeds also run as host code. All buffers, the counters and the trace must be equal. Every\n"
                   "model takes the trace at levels ptx and machine, without an error; the timing model issues at level ptx what was executed.\n\n"
                   + text)
    sys.exit(bool(differing))


main()
