"""Executes every shape and type of mma.sync and wmma.mma, ldmatrix, stmatrix and
movmatrix on random data in both engines and compares with the products computed
here: products.py HEDDLE SCRATCH

Where lanes hold which element is written down as the PTX ISA has it (sections
"Matrix Fragments for mma"); wmma is loaded and stored through memory."""

import pathlib
import random
import struct
import subprocess
import sys

heddle, scratch = sys.argv[1], pathlib.Path(sys.argv[2])
scratch.mkdir(parents=True, exist_ok=True)
random.seed(7)

BITS = {"f64": 64, "tf32": 32, "f16": 16, "bf16": 16, "s8": 8, "u8": 8, "s4": 4,
        "u4": 4, "b1": 1, "e4m3": 8, "e5m2": 8, "f32": 32, "s32": 32}


def float_of(bits, kind):
    if kind == "f16":
        return struct.unpack("<e", struct.pack("<H", bits))[0]
    if kind == "bf16":
        return struct.unpack("<f", struct.pack("<I", bits << 16))[0]
    if kind == "tf32":
        return struct.unpack("<f", struct.pack("<I", bits & 0xffffe000))[0]
    if kind == "e5m2":
        return struct.unpack("<e", struct.pack("<H", bits << 8))[0]
    sign = -1.0 if bits & 128 else 1.0
    exponent, fraction = bits >> 3 & 15, bits & 7
    return sign * ((8 + fraction) * 2.0 ** (exponent - 10) if exponent
                   else fraction * 2.0 ** -9)


def draw(kind):
    """A random element: its bits and its value."""
    if kind in ("s8", "u8", "s4", "u4", "b1"):
        bits = random.getrandbits(BITS[kind])
        top = 1 << BITS[kind] - 1
        return bits, bits - 2 * top if kind[0] == "s" and bits & top else bits
    if kind == "s32":
        value = random.randint(-100000, 100000)
        return value & 0xffffffff, value
    value = random.uniform(-1, 1)
    if kind == "f64":
        return struct.unpack("<Q", struct.pack("<d", value))[0], value
    if kind == "f16":
        bits = struct.unpack("<H", struct.pack("<e", value))[0]
    elif kind == "bf16":
        bits = struct.unpack("<I", struct.pack("<f", value))[0] >> 16
    elif kind in ("tf32", "f32"):
        bits = struct.unpack("<I", struct.pack("<f", value))[0]
        if kind == "f32":
            return bits, struct.unpack("<f", struct.pack("<f", value))[0]
    else:
        bits = random.choice((0, 128)) | random.randrange(0x30, 0x3c)
    return bits, float_of(bits, kind)


def place_a(m, k, kind, lane, i):
    g, t = lane // 4, lane % 4
    width = 1 if kind == "f64" else 32 // BITS[kind]
    register, e = divmod(i, width)
    row = g + 8 * (register % 2) if m == 16 else g
    part = register // 2 if m == 16 else register
    return row, 4 * width * part + t * width + e


def place_b(k, kind, lane, i):
    g, t = lane // 4, lane % 4
    width = 1 if kind == "f64" else 32 // BITS[kind]
    register, e = divmod(i, width)
    return 4 * width * register + t * width + e, g


def place_c(m, lane, i):
    g, t = lane // 4, lane % 4
    return g + 8 * (i // 2), 2 * t + i % 2


# mma.m8n8k4 of f16: four products; places are product, row, column.
def quad_a(layout, lane, i):
    half = 4 if lane >= 16 else 0
    p = lane % 16 // 4
    return (p, lane % 4 + half, i) if layout == "row" else (p, i + half, lane % 4)


def quad_b(layout, lane, i):
    half = 4 if lane >= 16 else 0
    p = lane % 16 // 4
    return (p, lane % 4, i + half) if layout == "row" else (p, i, lane % 4 + half)


def quad_c(kind, lane, i):
    half = 4 if lane >= 16 else 0
    p = lane % 16 // 4
    if kind == "f16":
        return p, lane % 4 + half, i
    return p, (lane & 1) + (i & 2) + half, (i & 4) + (lane & 2) + (i & 1)


class Operation:
    """One instruction: opcode, elements of each operand per lane, places."""

    def __init__(self, opcode, m, n, k, kinds, places, operation=None, sat=False):
        self.opcode, self.m, self.n, self.k = opcode, m, n, k
        self.d, self.a, self.b, self.c = kinds
        self.places, self.operation, self.sat = places, operation, sat

    def words(self, kind, matrix, place, count):
        """The registers of all lanes, lane by lane, of `count` elements each."""
        out = []
        for lane in range(32):
            whole = 0
            for i in range(count):
                at = place(lane, i)
                if at not in matrix:
                    matrix[at] = draw(kind)
                whole |= matrix[at][0] << i * BITS[kind]
            bits = max(count * BITS[kind], 32)
            out.append([whole >> s & 0xffffffff for s in range(0, bits, 32)])
        return out

    def product(self, a, b, c, row, column, quad=()):
        total = c[quad + (row, column)][1]
        for x in range(self.k):
            p, q = a[quad + (row, x)][1], b[quad + (x, column)][1]
            if self.operation:
                total += (p ^ q) if self.operation == "xor" else (p & q)
            else:
                total += p * q
        if self.d == "s32":
            if self.sat:
                return max(-2 ** 31, min(2 ** 31 - 1, total))
            return (total + 2 ** 31) % 2 ** 32 - 2 ** 31
        return total


operations = []


def mma(m, n, k, d, a, b, c, operation=None, sat=False):
    name = f"mma.sync.aligned.m{m}n{n}k{k}.row.col{'.satfinite' if sat else ''}.{d}.{a}.{b}.{c}"
    if operation:
        name += f".{operation}.popc"
    operations.append(Operation(
        name, m, n, k, (d, a, b, c),
        (lambda l, i: place_a(m, k, a, l, i), lambda l, i: place_b(k, b, l, i),
         lambda l, i: place_c(m, l, i)), operation, sat))


for d, c in (("f32", "f32"), ("f16", "f16")):
    for k in (8, 16):
        mma(16, 8, k, d, "f16", "f16", c)
    for a in ("e4m3", "e5m2"):
        mma(16, 8, 32, d, a, "e4m3", c)
for k in (8, 16):
    mma(16, 8, k, "f32", "bf16", "bf16", "f32")
for k in (4, 8):
    mma(16, 8, k, "f32", "tf32", "tf32", "f32")
for m, k in ((8, 4), (16, 4), (16, 8), (16, 16)):
    mma(m, 8, k, "f64", "f64", "f64", "f64")
for a, b in (("s8", "s8"), ("u8", "s8"), ("s8", "u8"), ("u8", "u8")):
    for m, k in ((8, 16), (16, 16), (16, 32)):
        mma(m, 8, k, "s32", a, b, "s32")
mma(16, 8, 32, "s32", "s8", "s8", "s32", sat=True)
for a, b in (("s4", "s4"), ("u4", "s4")):
    for m, k in ((8, 32), (16, 32), (16, 64)):
        mma(m, 8, k, "s32", a, b, "s32")
for operation in ("xor", "and"):
    for m, k in ((8, 128), (16, 128), (16, 256)):
        mma(m, 8, k, "s32", "b1", "b1", "s32", operation)
for la in ("row", "col"):
    for lb in ("row", "col"):
        for d, c in (("f32", "f32"), ("f16", "f16"), ("f32", "f16")):
            operations.append(Operation(
                f"mma.sync.aligned.m8n8k4.{la}.{lb}.{d}.f16.f16.{c}", 8, 8, 4,
                (d, "f16", "f16", c),
                (lambda l, i, la=la: quad_a(la, l, i),
                 lambda l, i, lb=lb: quad_b(lb, l, i),
                 lambda l, i, c=c: quad_c(c, l, i))))

text, data, results, checks = [], [], 0, []
text.append(""".version 8.8
.target sm_90
.address_size 64
.visible .entry products(.param .u64 .ptr .global .align 16 in, .param .u64 .ptr .global .align 16 out)
{
.reg .b32 %r<64>;
.reg .b64 %rd<64>;
.reg .f64 %fd<64>;
mov.u32 %r60, %laneid;
ld.param.u64 %rd60, [in];
ld.param.u64 %rd61, [out];
""")


def load(words, first, double):
    """Loads registers from the data; returns their names."""
    names = []
    count = len(words[0])
    step = 2 if double else 1
    for w in range(0, count, step):
        at = 4 * len(data)
        for lane in range(32):
            data.extend(words[lane][w:w + step])
        size = 4 * step
        text.append(f"mad.wide.u32 %rd1, %r60, {size}, %rd60;")
        name = f"%fd{first}" if double else f"%r{first}"
        text.append(f"ld.global.{'f64' if double else 'b32'} {name}, [%rd1+{at}];")
        names.append(name)
        first += 1
    return names


for o in operations:
    quads = "m8n8k4" in o.opcode and o.a == "f16"
    double = o.a == "f64"
    if quads:
        counts = 4, 4, 8
    else:
        counts = o.m * o.k // 32, o.n * o.k // 32, o.m * o.n // 32
    a, b, c = {}, {}, {}
    if o.sat:
        for r in range(o.m):
            for x in range(o.n):
                v = random.choice((2 ** 31 - 1000, -2 ** 31 + 1000))
                c[(r, x)] = (v & 0xffffffff, v)
    ra = load(o.words(o.a, a, o.places[0], counts[0]), 0, double)
    rb = load(o.words(o.b, b, o.places[1], counts[1]), 16, double)
    rc = load(o.words(o.c, c, o.places[2], counts[2]), 24, double)
    n = counts[2] * BITS[o.d] // (64 if double else 32)
    rd = [f"%{'fd' if double else 'r'}{40 + i}" for i in range(n)]
    text.append("%s {%s}, {%s}, {%s}, {%s};" % (
        o.opcode, ", ".join(rd), ", ".join(ra), ", ".join(rb), ", ".join(rc)))
    first = results
    for i, r in enumerate(rd):
        size = 8 if double else 4
        text.append(f"mad.wide.u32 %rd2, %r60, {size}, %rd61;")
        text.append(f"st.global.{'f64' if double else 'b32'} [%rd2+{results}], {r};")
        results += 32 * size
    place = (lambda l, i, d=o.d: quad_c(d, l, i)) if quads else o.places[2]
    checks.append((o, first, place, counts[2], a, b, c))

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


def check(out, o, first, place, count, a, b, c):
    """The largest error of an operation; None if it should be none and is not."""
    worst = 0.0
    size = BITS[o.d] // 8
    per = max(1, 32 // BITS[o.d])
    for lane in range(32):
        for i in range(count):
            if o.d == "f64":
                at = first + (i * 32 + lane) * 8
                got = struct.unpack_from("<d", out, at)[0]
            else:
                at = first + ((i // per) * 32 + lane) * 4 + i % per * size
                got = struct.unpack_from(
                    {"f32": "<f", "f16": "<e", "s32": "<i"}[o.d], out, at)[0]
            *quad, row, column = place(lane, i)
            want = o.product(a, b, c, row, column, tuple(quad))
            if o.d == "s32" and got != want:
                return None
            worst = max(worst, abs(got - want))
    return worst


LIMITS = {"f32": 2e-5, "f16": 6e-2, "f64": 1e-14, "s32": 0}
for engine in ("jit", "interpreter"):
    run = subprocess.run(
        [heddle, "run", scratch / "products.ptx", "--arch", "sm_90", "--launch",
         scratch / "launch.yaml", "--dump", "out=" + str(scratch / "out.bin"),
         "--engine", engine], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{engine}: {run.stderr}")
    out = (scratch / "out.bin").read_bytes()
    wrong = 0
    for o, *rest in checks:
        error = check(out, o, *rest)
        if error is None or not error <= LIMITS[o.d]:
            print(f"{engine}: {o.opcode}: off by {error}")
            wrong += 1
    print(f"{engine}: {len(checks)} operations, {wrong} wrong")
