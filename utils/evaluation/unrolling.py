"""Loops as nvcc unrolls them: the PTX of --compiler clang and nvcc beside nvcc's own.

Needs nvcc ($NVCC, or on PATH). Small kernels are those that the rules
were taken from; those of test/kernels and test/unseen were not looked at for them."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

from common import HEDDLE, KERNELS, ROOT, Report, median

NVCC = os.environ.get("NVCC") or shutil.which("nvcc") or "nvcc"
# What stands in both kinds of PTX for the same work of the source.
WORK = [r"\bld\.global", r"\bst\.global", r"\b(?:ld|st)\.shared", r"\b(?:ld|st)\.local",
        r"\b(?:fma|mul|add|sub)\.(?:rn\.)?(?:ftz\.)?f(?:32|64)", r"\b(?:bar|barrier)\."]
HEAD = "__global__ void k(const float *in, float *out, int t, float q, int n, int m)"
COPY = "out[i * t] = in[i * t] * q;"

# Loops by how they count and what they hold.
LOOPS = {
    "i < 97": f"for (int i = 0; i < 97; ++i) {COPY}",
    "i < 100": f"for (int i = 0; i < 100; ++i) {COPY}",
    "i < 1000": f"for (int i = 0; i < 1000; ++i) {COPY}",
    "i < 1001": f"for (int i = 0; i < 1001; ++i) {COPY}",
    "i < n": f"for (int i = 0; i < n; ++i) {COPY}",
    "down": f"for (int i = n - 1; i >= 0; --i) {COPY}",
    "i *= 2": f"for (int i = 1; i < n; i *= 2) {COPY}",
    "i += m": "for (int i = t; i < n; i += m) out[i] = in[i] * q;",
    "i += 256": "for (int i = threadIdx.x; i < n; i += 256) out[i] = in[i] * q;",
    "i += blockDim.x": "for (int i = threadIdx.x; i < 256; i += blockDim.x) out[i] = in[i] * q;",
    "unsigned, += m": "for (unsigned i = t; i < n; i += m) out[i] = in[i] * q;",
    "break": f"for (int i = 0; i < n; ++i) {{ if (in[i] > q) break; {COPY} }}",
    "break, i < 64": f"for (int i = 0; i < 64; ++i) {{ if (in[i] > q) break; {COPY} }}",
    "continue": f"for (int i = 0; i < n; ++i) {{ if (in[i] > q) continue; {COPY} }}",
    "in a loop": f"for (int j = 0; j < m; ++j) for (int i = 0; i < n; ++i) {COPY}",
    "in four": f"for (int j = 0; j < 4; ++j) for (int i = 0; i < n; ++i) {COPY}",
    "16 in 16": f"for (int j = 0; j < 16; ++j) for (int i = 0; i < 16; ++i) {COPY}",
    "in a while loop": "for (int j = 0; j < n; ++j) { int p = j; while (p >= 0) p = ((const int *)in)[p]; out[j] = p; }",
    "barrier": "__shared__ float x[256]; for (int i = 0; i < n; i += 16) { x[threadIdx.x] = in[i]; __syncthreads(); "
               "out[i] = x[threadIdx.x ^ 1]; __syncthreads(); }",
    "shuffle": "for (int i = 0; i < n; ++i) out[i] = __shfl_xor_sync(~0u, in[i * t], i);",
    "shuffle, += m": "for (int i = t; i < n; i += m) out[i] = __shfl_xor_sync(~0u, in[i], 1);",
    "unroll": f"\n#pragma unroll\nfor (int i = 0; i < n; ++i) {COPY}",
    "unroll 8": f"\n#pragma unroll 8\nfor (int i = 0; i < n; ++i) {COPY}",
    "unroll 1": f"\n#pragma unroll 1\nfor (int i = 0; i < n; ++i) {COPY}",
}


def sized(trips, operations, array):
    """A loop of so many iterations and operations in each, that indexes an array of the thread or not."""
    work = "".join(f"v = v * {1.5 + i}f + q;" for i in range(operations))
    if not array:
        return f"for (int i = 0; i < {trips}; ++i) {{ float v = in[i * t]; {work} out[i * t] = v; }}"
    whole = f"\n#pragma unroll\nfor (int i = 0; i < {trips}; ++i)"
    return (f"float s[{trips}]; {whole} s[i] = in[i * 7 + t];\n#pragma unroll 1\nfor (int r = 0; r < t; ++r) {{ {whole} "
            f"s[i] = s[i] * q + in[r]; }} for (int i = 0; i < {trips}; ++i) {{ float v = s[i]; {work} out[i * t] = v; }}")


def output(*command):
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.stdout if run.returncode == 0 else ""


def kernels_of(ptx):
    """By name: the counts of WORK, and statements."""
    bodies = re.finditer(r"\.entry\s+(\w+)\s*\(.*?^}", ptx, re.S | re.M)
    return {b.group(1): ([len(re.findall(word, b.group(0))) for word in WORK], b.group(0).count(";")) for b in bodies}


def compare(path, folder):
    """By kernel: nvcc's counts, ours with Clang's rules and with nvcc's."""
    theirs = os.path.join(folder, "nvcc.ptx")
    if subprocess.run([NVCC, "-w", "-arch=sm_80", "-ptx", "-o", theirs, path], capture_output=True, check=False).returncode:
        return {}
    with open(theirs, encoding="utf-8") as file:
        sets = [kernels_of(file.read())]
    for rules in ("clang", "nvcc"):
        sets.append(kernels_of(output(HEDDLE, "kernels", path, "--compiler", rules, "--arch", "sm_80", "--ptx", "-q", "-o", "-")))
    return {name: [s[name] for s in sets] for name in sets[0] if all(name in s for s in sets)}


def small(folder):
    loops = dict(LOOPS)
    for array in (False, True):
        for trips in (2, 4, 8, 16, 32, 64, 128, 256, 512):
            for operations in (0, 1, 2, 4, 8, 16, 32, 64):
                loops[f"{trips} x {operations}{', array' if array else ''}"] = sized(trips, operations, array)
    for name, body in loops.items():
        path = os.path.join(folder, "loop.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'extern "C" {HEAD} {{ {body} }}\n')
        for counts in compare(path, folder).values():
            yield name, counts


def written(folder):
    for path in sorted(glob.glob(os.path.join(KERNELS, "*", "*.cu")) +
                       glob.glob(os.path.join(ROOT, "test", "unseen", "**", "*.cu"), recursive=True)):
        for kernel, counts in compare(path, folder).items():
            yield f"{os.path.basename(path)[:-3]}: {kernel[:24]}", counts


def work(counts):
    """Accesses to global and shared memory, and whether there are any to local memory."""
    return (*counts[0][:3], "local" if counts[0][3] else "-")


def summary(name, found):
    """How many kernels do equal work, and how far off the length is."""
    row = [name, len(found)]
    for ours in (1, 2):
        row.append(sum(work(c[0]) == work(c[ours]) for _, c in found))
    for ours in (1, 2):
        row.append(median([abs(c[ours][1] / c[0][1] - 1) * 100 for _, c in found]))
    return row


def main():
    if not shutil.which(NVCC):
        sys.exit("utils/reproduce unrolling needs nvcc: give it as $NVCC")
    report = Report("unrolling", "Loops as nvcc unrolls them")
    version = re.search(r"release (\S+),", output(NVCC, "--version")).group(1)
    report.say(f"PTX for sm_80 by nvcc {version}, and by Heddle with the rules of Clang and of nvcc (`--compiler`). A kernel is equal if it "
               "has the same numbers of accesses to global and shared memory, and like nvcc's some or none to local memory. The small kernels are those that the rules were "
               "taken from; the others were not looked at. Length is that of the PTX in statements.")
    with tempfile.TemporaryDirectory() as folder:
        sets = {"small kernels": list(small(folder)), "`test/kernels` and `test/unseen`": list(written(folder))}
    report.table(["kernels", "number", "equal, Clang's rules", "equal, nvcc's", "length, Clang's: median % off", "nvcc's "],
                 [summary(name, found) for name, found in sets.items()])
    columns = ["kernel", "accesses by nvcc", "Clang's rules", "nvcc's rules"]
    rows = [[name, *(" ".join(map(str, work(c))) for c in counts)] for found in sets.values() for name, counts in found]
    report.say("What still differs with nvcc's rules (loads and stores of global, accesses to shared, whether to local memory):")
    report.table(columns, [row for row in rows if row[1] != row[3]])
    report.csv(columns, rows)
    report.write()


if __name__ == "__main__":
    main()
