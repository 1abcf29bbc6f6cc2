"""Executes every shape and type of mma.sp in both engines and compares with the
products computed here: sparse_products.py HEDDLE SCRATCH

Where lanes hold elements and metadata is written down as the PTX ISA has it
("Matrix Fragments for sparse mma"): of A what is stored, in the places of a matrix
of half the depth; of each group of four units which two are stored. Elements are
small numbers, so that sums have no error."""

import pathlib
import random
import struct
import subprocess
import sys

heddle, scratch = sys.argv[1], pathlib.Path(sys.argv[2])
scratch.mkdir(parents=True, exist_ok=True)
random.seed(13)

BITS = {"tf32": 32, "f16": 16, "bf16": 16, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "e4m3": 8, "e5m2": 8}


def draw(kind):
    if kind[0] in "su":
        bits = random.getrandbits(BITS[kind])
        top = 1 << BITS[kind] - 1
        return bits, bits - 2 * top if kind[0] == "s" and bits & top else bits
    value = random.choice((-2, -1.5, -1, -0.5, 0.5, 1, 1.5, 2))
    single = struct.unpack("<I", struct.pack("<f", value))[0]
    half = struct.unpack("<H", struct.pack("<e", value))[0]
    if kind == "e4m3":
        return {0.5: 0x30, 1: 0x38, 1.5: 0x3c, 2: 0x40}[abs(value)] | (128 if value < 0 else 0), value
    return {"f16": half, "bf16": single >> 16, "tf32": single, "e5m2": half >> 8}[kind], value


cases = []  # K, D, A, B, ordered, saturating
for d in ("f16", "f32"):
    for k in (16, 32):
        cases.append((k, d, "f16", "f16", False, False))
for a in ("e4m3", "e5m2"):
    cases.append((64, "f32", a, "e4m3", a == "e5m2", False))
for k in (16, 32):
    cases.append((k, "f32", "bf16", "bf16", True, False))
for k in (8, 16):
    cases.append((k, "f32", "tf32", "tf32", k == 8, False))
for a, b in (("s8", "u8"), ("u8", "s8")):
    for k in (32, 64):
        cases.append((k, "s32", a, b, k == 32, a == "u8"))
for a, b in (("s4", "s4"), ("u4", "s4")):
    for k in (64, 128):
        cases.append((k, "s32", a, b, k == 64, False))


def stored_columns(kind, k):
    """Of a row: the columns of the stored elements, and four bits for each group."""
    per = {32: 0.5, 16: 1, 8: 1, 4: 2}[BITS[kind]]  # elements of a unit
    columns, bits = [], []
    for group in range(int(k / per) // 4):
        if per == 0.5:  # two numbers, one of which is stored
            which = random.randrange(2)
            columns.append(2 * group + which)
            bits.append(0b1110 if which else 0b0100)
            continue
        pair = sorted(random.sample(range(4), 2))
        bits.append(pair[0] | pair[1] << 2)
        for unit in pair:
            columns += [4 * per * group + unit * per + e for e in range(per)]
    return columns, bits


def metadata(kind, rows, selector):
    """The words of the lanes; those that hold none are noise."""
    words = [random.getrandbits(32) for _ in range(32)]
    groups = len(rows[0])
    for g in range(8):
        low, high = rows[g], rows[g + 8]
        if BITS[kind] >= 16:
            parts = [low[i:i + 4] + high[i:i + 4] for i in range(0, groups, 4)]
        else:
            parts = [r[i:i + 8] for i in range(0, groups, 8) for r in (low, high)]
        first = selector * len(parts) if len(parts) < 4 else 0
        for i, part in enumerate(parts):
            words[4 * g + first + i] = sum(bits << 4 * n for n, bits in enumerate(part))
    return words


text, data, results, checks = [], [], 0, []
text.append(""".version 8.8
.target sm_90
.address_size 64
.visible .entry products(.param .u64 .ptr .global .align 16 in, .param .u64 .ptr .global .align 16 out)
{
.reg .b32 %r<64>;
.reg .b64 %rd<64>;
mov.u32 %r60, %laneid;
ld.param.u64 %rd60, [in];
ld.param.u64 %rd61, [out];
mad.wide.u32 %rd1, %r60, 4, %rd60;
mad.wide.u32 %rd2, %r60, 4, %rd61;
""")


def load(words, register):
    text.append(f"ld.global.b32 %r{register}, [%rd1+{4 * len(data)}];")
    data.extend(words)
    return f"%r{register}"


def fragment(matrix, kind, count, lines, first):
    """Registers of A (lines 16: rows g and g + 8 in turn) or of B (8)."""
    width = 32 // BITS[kind]
    names = []
    for r in range(count):
        part, high = divmod(r, 2) if lines == 16 else (r, 0)
        names.append(load([sum(matrix[lane // 4 + 8 * high, part * 4 * width + lane % 4 * width + e][0] << e * BITS[kind]
                               for e in range(width)) for lane in range(32)], first + r))
    return names


for k, d, a, b, ordered, saturates in cases:
    name = (f"mma.sp{'::ordered_metadata' if ordered else ''}.sync.aligned.m16n8k{k}.row.col"
            f"{'.satfinite' if saturates else ''}.{d}.{a}.{b}.{d}")
    rows = [stored_columns(a, k) for _ in range(16)]
    ma = {(r, x): draw(a) for r in range(16) for x in range(k // 2)}
    mb = {(n, x): draw(b) for n in range(8) for x in range(k)}
    high = 2 ** 31 - 4000 if saturates else 20
    mc = {(r, n): random.choice((-high, high - 1)) for r in range(16) for n in range(8)}
    holders = len(rows[0][1]) * 16 * 4 // 32 // 8
    selector = random.randrange(4 // holders)
    ra = fragment(ma, a, k * BITS[a] // 128, 16, 0)
    rb = fragment(mb, b, k * BITS[b] // 128, 8, 8)
    per = 2 if d == "f16" else 1
    rc = []
    for i in range(4 // per):
        words = []
        for lane in range(32):
            word = 0
            for e in range(per):
                x = i * per + e
                value = mc[lane // 4 + x // 2 * 8, lane % 4 * 2 + x % 2]
                bits = value & 0xffffffff if d == "s32" else struct.unpack(
                    "<I" if d == "f32" else "<H", struct.pack("<f" if d == "f32" else "<e", value))[0]
                word |= bits << 16 * e
            words.append(word)
        rc.append(load(words, 24 + i))
    meta = load(metadata(a, [bits for _, bits in rows], selector), 32)
    rd = [f"%r{40 + i}" for i in range(4 // per)]
    text.append("%s {%s}, {%s}, {%s}, {%s}, %s, 0x%x;" % (
        name, ", ".join(rd), ", ".join(ra), ", ".join(rb), ", ".join(rc), meta, selector))
    want = {}
    for r in range(16):
        for n in range(8):
            total = mc[r, n] + sum(ma[r, i][1] * mb[n, column][1] for i, column in enumerate(rows[r][0]))
            want[r, n] = max(-2 ** 31, min(2 ** 31 - 1, total)) if saturates else total
    checks.append((name, d, results, want))
    for register in rd:
        text.append(f"st.global.b32 [%rd2+{results}], {register};")
        results += 128

text.append("ret;\n}")
(scratch / "products.ptx").write_text("\n".join(text) + "\n")
(scratch / "in.bin").write_bytes(struct.pack(f"<{len(data)}I", *data))
(scratch / "launch.yaml").write_text(f"""kernel: products
grid: [1]
block: [32]
args:
  - buffer: {{name: in, type: u32, count: {len(data)}, init: {{file: in.bin}}}}
  - buffer: {{name: out, type: u32, count: {results // 4}, init: zero}}
""")

for engine in ("jit", "interpreter"):
    run = subprocess.run(
        [heddle, "run", scratch / "products.ptx", "--arch", "sm_90", "--launch",
         scratch / "launch.yaml", "--dump", "out=" + str(scratch / "out.bin"),
         "--engine", engine], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{engine}: {run.stderr}")
    out = (scratch / "out.bin").read_bytes()
    wrong = 0
    for name, d, first, want in checks:
        per, size = (2, 2) if d == "f16" else (1, 4)
        bad = 0
        for lane in range(32):
            for x in range(4):
                at = first + (x // per * 32 + lane) * 4 + x % per * size
                got = struct.unpack_from({"f32": "<f", "f16": "<e", "s32": "<i"}[d], out, at)[0]
                bad += got != want[lane // 4 + x // 2 * 8, lane % 4 * 2 + x % 2]
        if bad:
            print(f"{engine}: {name}: {bad} of 128 sums")
            wrong += 1
    print(f"{engine}: {len(checks)} operations, {wrong} wrong")
