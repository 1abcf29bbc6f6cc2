"""The instructions that ptxas makes for sm_90a of fences, groups and clusters, by opcode.

Writes test/MachineCode/Inputs/hopper.csv: counts, as facts to check the rows of lib/MachineCode/Patterns.def against that
are said to be Seen. Needs the ptxas of CUDA 13.0 on PATH (or /usr/local/cuda/bin), and the nvdisasm of CUDA 11.8, which
reads its code, beside $HEDDLE_PTXAS."""

import collections
import csv
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile

import common

OUTPUT = os.path.join(common.ROOT, "test", "MachineCode", "Inputs", "hopper.csv")
FENCES = ["membar.cta", "membar.gl", "membar.sys", "fence.mbarrier_init.release.cluster", "fence.proxy.async.shared::cta", "fence.proxy.async.global",
          "fence.proxy.async", "fence.acq_rel.cta", "fence.sc.cta", "fence.acq_rel.cluster", "fence.acq_rel.gpu", "fence.sc.cluster",
          "fence.sc.gpu", "barrier.cluster.arrive.relaxed.aligned", "barrier.cluster.arrive.aligned", "barrier.cluster.wait.aligned",
          "cp.async.bulk.commit_group", "cp.async.bulk.wait_group.read 0", "cp.async.bulk.wait_group 0",
          "prefetch.tensormap [%rd3]", "griddepcontrol.wait", "griddepcontrol.launch_dependents"]
VALUES = {  # what is stored in place of the first operand
    "elect.sync": "elect.sync %d|%p, -1",
    "mapa.shared::cluster.u32": "mapa.shared::cluster.u32 %d, %x, 1",
    "getctarank.shared::cluster.u32": "getctarank.shared::cluster.u32 %d, %x",
    "mbarrier.pending_count.b64": "mbarrier.pending_count.b64 %d, %rd3",
}
# Moves of operands into place come and go with what stands around.
MOVES = ("MOV", "IMAD.MOV.U32", "HFMA2.MMA", "CS2R", "UMOV", "ULDC", "ULDC.64")


def kernel(operation, value):
    return (".version 8.8\n.target sm_90a\n.address_size 64\n.visible .entry k(.param .u64 a) .explicitcluster .reqnctapercluster 2, 1, 1 {\n"
            " .reg .pred %p; .reg .b64 %rd<4>; .reg .b32 %x, %d;\n ld.param.u64 %rd1, [a];\n ld.volatile.global.b32 %x, [%rd1];\n"
            f" ld.volatile.global.b64 %rd3, [%rd1+8];\n mov.b32 %d, %x;\n {operation}\n"
            f" st.volatile.global.b32 [%rd1+16], {value};\n ret;\n}}\n")


def section(path, name):
    """The bytes of a section of an ELF file of 64 bits."""
    with open(path, "rb") as file:
        data = file.read()
    start, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, start + size * n) for n in range(count)]
    for header in headers:
        at = headers[names][4] + header[0]
        if data[at:data.index(b"\0", at)].decode() == name:
            return data[header[4]:header[4] + header[5]]
    sys.exit(f"hopper-sequences: {path} has no section {name}")


def opcodes(text):
    """Those of the code up to its end; what nvdisasm leaves out, since it does not know it, is "?"."""
    ptxas = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
    nvdisasm = os.path.join(os.path.dirname(os.environ["HEDDLE_PTXAS"]), "nvdisasm")
    with tempfile.TemporaryDirectory() as folder:
        source, binary, raw = (os.path.join(folder, name) for name in ("a.ptx", "a.cubin", "a.raw"))
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        subprocess.run([ptxas, "-arch=sm_90a", "-o", binary, source], check=True)
        with open(raw, "wb") as file:
            file.write(section(binary, ".text.k"))
        code = subprocess.run([nvdisasm, "-b", "SM90", raw], check=True, capture_output=True, text=True).stdout
    found = collections.Counter()
    expected = 0
    for at, opcode in re.findall(r"/\*([0-9a-f]{4})\*/\s+(?:@\S+\s+)?(\S+?)(?: .*)?;", code):
        found["?"] += int(at, 16) // 16 - expected
        expected = int(at, 16) // 16 + 1
        if opcode == "EXIT":
            break
        found[opcode] += opcode not in MOVES
    return +found


def main():
    cases = [(operation.split()[0], kernel(f"{operation};", "%x"), kernel("", "%x")) for operation in FENCES]
    cases += [(name, kernel(f"{text};", "%d"), kernel("", "%d")) for name, text in VALUES.items()]
    with open(OUTPUT, "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(["operation", "architectures", "instructions"])
        for name, with_it, without in cases:
            more = opcodes(with_it) - opcodes(without)
            out.writerow([name, 90, " ".join(f"{opcode}:{count}" for opcode, count in sorted(more.items()))])
    print(f"{len(cases)} rows written to {OUTPUT}", file=sys.stderr)


main()
