"""Executes wgmma of every type in both engines, with some n, every swizzle, both
orders and both places of A, and compares with the products computed here:
group_products.py HEDDLE SCRATCH

Layouts are written down as the PTX ISA draws them (sections "Asynchronous
Warpgroup Level Matrix Shared Memory Layout" and "Register Fragments"): atoms of
eight rows, whose pieces of 16 bytes change places. Elements are small numbers, so
that sums have no error in any type; what lies between the elements is noise."""

import pathlib
import random
import struct
import subprocess
import sys

heddle, scratch = sys.argv[1], pathlib.Path(sys.argv[2])
scratch.mkdir(parents=True, exist_ok=True)
random.seed(11)

BITS = {"tf32": 32, "f16": 16, "bf16": 16, "s8": 8, "u8": 8, "b1": 1, "e4m3": 8,
        "e5m2": 8, "f32": 32, "s32": 32}
SWIZZLES = {16: 0, 128: 1, 64: 2, 32: 3}


def draw(kind):
    """A small number: its bits and its value."""
    if kind == "b1":
        bits = random.getrandbits(1)
        return bits, bits
    if kind in ("s8", "u8"):
        bits = random.getrandbits(8)
        return bits, bits - 256 if kind == "s8" and bits & 128 else bits
    value = random.choice((-2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2))
    single = struct.unpack("<I", struct.pack("<f", value))[0]
    half = struct.unpack("<H", struct.pack("<e", value))[0]
    if kind == "f16":
        return half, value
    if kind == "bf16":
        return single >> 16, value
    if kind == "tf32":
        return single | random.getrandbits(13), value  # bits that do not count
    if kind == "e5m2":
        return half >> 8, value
    table = {0: 0, 0.5: 0x30, 1: 0x38, 1.5: 0x3c, 2: 0x40}
    return table[abs(value)] | (128 if value < 0 else 0), value


class Image:
    """Bytes of shared memory, noise at first."""

    def __init__(self, size):
        self.bytes = bytearray(random.randbytes(size))

    def put(self, at, bit, bits, value):
        if bits == 1:
            self.bytes[at + bit // 8] &= ~(1 << bit % 8)
            self.bytes[at + bit // 8] |= value << bit % 8
        else:
            self.bytes[at + bit // 8:at + (bit + bits) // 8] = value.to_bytes(bits // 8, "little")


def moved(piece, row, swizzle):
    """Where the pieces of an atom's row are."""
    if swizzle == 16:
        return piece
    width = swizzle // 16
    return piece ^ (row * width // 8) % width


def place(image, matrix, lines, depth, kind, swizzle, transposed, start):
    """Writes a matrix of `lines` rows of A or columns of B from byte `start` of the
    image on; returns the descriptor less the base of shared memory."""
    bits = BITS[kind]
    per = 128 // bits  # elements of a piece
    width = swizzle // 16
    if not transposed:
        # Rows of 16 bytes to 128; the product's part may be any 32 bytes of them.
        first = random.randrange(max(1, width // 2)) * 2
        if swizzle == 16:
            leading, stride = 128 * (lines // 8) + 128, 128
        else:
            leading, stride = 0, 8 * swizzle + random.choice((0, 1024)) * (lines <= 80)
        for line in range(lines):
            for k in range(depth):
                piece = k // per
                group, row = divmod(line, 8)
                at = start + group * stride
                if swizzle == 16:
                    at += row * 16 + piece * leading
                else:
                    at += row * swizzle + moved(first + piece, row, swizzle) * 16
                image.put(at, k % per * bits, bits, matrix[line, k][0])
        begin = start + (first * 16 if swizzle != 16 else 0)
    else:
        pieces = lines // 8
        if swizzle == 16:
            stride, leading = 256, 256 * pieces
        else:
            stride = 8 * swizzle
            leading = 2 * stride + 1024
        for line in range(lines):
            for k in range(depth):
                piece, element = divmod(line, 8)
                group, row = divmod(k, 8)
                if swizzle == 16:
                    at = start + piece * stride + group * leading + row * 16
                else:
                    at = (start + piece // width * leading + group * stride + row * swizzle
                          + moved(piece % width, row, swizzle) * 16)
                image.put(at, element * bits, bits, matrix[line, k][0])
        begin = start
    phase = start >> 7 & 7 if swizzle != 16 else 0
    return (begin >> 4 | leading >> 4 << 16 | stride >> 4 << 32 | phase << 49
            | SWIZZLES[swizzle] << 62)


class Case:
    def __init__(self, d, a, b, n, shared=True, swizzles=(128, 128), transposed=(0, 0),
                 signs=(1, 1), adds=1, saturates=False, skew=0):
        self.d, self.a, self.b, self.n, self.k = d, a, b, n, 256 // BITS[a]
        self.shared, self.swizzles, self.transposed = shared, swizzles, transposed
        self.signs, self.adds, self.saturates, self.skew = signs, adds, saturates, skew

    def opcode(self):
        return (f"wgmma.mma_async.sync.aligned.m64n{self.n}k{self.k}"
                f"{'.satfinite' if self.saturates else ''}.{self.d}.{self.a}.{self.b}"
                f"{'.and.popc' if self.a == 'b1' else ''}")

    def literals(self):
        if self.d == "s32":
            return []
        out = list(self.signs)
        if BITS[self.a] == 16:
            out += self.transposed if self.shared else self.transposed[1:]
        return out

    def name(self):
        return (f"{self.opcode()} shared {self.shared} swizzles {self.swizzles} transposed "
                f"{self.transposed} signs {self.signs} adds {self.adds} skew {self.skew}")


cases = []
for swizzle in (16, 32, 64, 128):
    for kind in ("f16", "bf16", "tf32", "s8", "b1", "e4m3"):
        d = "s32" if kind in ("s8", "b1") else "f32"
        cases.append(Case(d, kind, kind, 24, swizzles=(swizzle, random.choice((16, 32, 64, 128)))))
    for transposed in ((1, 0), (0, 1), (1, 1)):
        cases.append(Case("f32", random.choice(("f16", "bf16")), None, 80,
                          swizzles=(swizzle, random.choice((16, 32, 64, 128))), transposed=transposed))
        cases[-1].b = cases[-1].a
    cases.append(Case("f32", "f16", "f16", 128, shared=False, swizzles=(16, swizzle), transposed=(0, 1)))
    cases.append(Case("f32", "f16", "f16", 16, swizzles=(swizzle, swizzle), skew=384))
for a, b in (("e4m3", "e5m2"), ("e5m2", "e4m3"), ("e5m2", "e5m2")):
    cases.append(Case("f16", a, b, 40, shared=a == "e5m2"))
for a, b in (("s8", "u8"), ("u8", "s8"), ("u8", "u8")):
    cases.append(Case("s32", a, b, 48, shared=a == "u8", saturates=a == b))
for signs in ((-1, 1), (1, -1), (-1, -1)):
    for kind in ("f16", "tf32", "e4m3"):
        cases.append(Case("f32", kind, kind, 8, shared=signs[1] < 0, signs=signs))
cases.append(Case("f16", "f16", "f16", 256, shared=False))
cases.append(Case("f16", "f16", "f16", 8, adds=0))
cases.append(Case("f32", "bf16", "bf16", 256, adds=0))
cases.append(Case("s32", "s8", "s8", 256))
cases.append(Case("s32", "b1", "b1", 32, shared=False))
cases.append(Case("f32", "tf32", "tf32", 256, shared=False))
for n in (56, 152, 200, 248):
    cases.append(Case("f32", "f16", "f16", n))

text, data, results, checks = [], bytearray(), 0, []
SIZE = 65536
text.append(f""".version 8.8
.target sm_90a
.address_size 64
.extern .shared .align 1024 .b8 memory[];
.visible .entry products(.param .u64 .ptr .global .align 16 in, .param .u64 .ptr .global .align 16 out)
.maxntid 128
{{
.reg .pred %p<3>;
.reg .b32 %r<256>;
.reg .f32 %f<128>;
.reg .b64 %rd<32>;
mov.u32 %r250, %tid.x;
ld.param.u64 %rd30, [in];
ld.param.u64 %rd31, [out];
mov.u64 %rd20, memory;
cvt.u32.u64 %r251, %rd20;
bfe.u32 %r252, %r251, 4, 14;
cvt.u64.u32 %rd21, %r252;
""")


def global_words(words):
    """Puts 128 words, one of each thread, into the data; returns their place."""
    at = len(data)
    data.extend(struct.pack("<128I", *words))
    return at


def fragment(matrix, kind, count):
    """The registers of A, each of 128 threads."""
    width = 32 // BITS[kind]
    for r in range(count):
        words = []
        for thread in range(128):
            warp, g, t = thread // 32, thread % 32 // 4, thread % 4
            row = 16 * warp + g + 8 * (r % 2)
            words.append(sum(matrix[row, r // 2 * 4 * width + t * width + e][0] << e * BITS[kind]
                             for e in range(width)))
        yield words


def sum_place(thread, element):
    warp, g, t = thread // 32, thread % 32 // 4, thread % 4
    return 16 * warp + g + element // 2 % 2 * 8, element // 4 * 8 + 2 * t + element % 2


def sum_bits(kind, value):
    if kind == "s32":
        return value & 0xffffffff
    return struct.unpack("<I", struct.pack("<f", value))[0] if kind == "f32" else struct.unpack(
        "<H", struct.pack("<e", value))[0]


for number, c in enumerate(cases):
    a = {(m, k): draw(c.a) for m in range(64) for k in range(c.k)}
    b = {(n, k): draw(c.b) for n in range(c.n) for k in range(c.k)}
    high = 2 ** 31 - 30000 if c.saturates else 100
    sums = {(m, n): random.choice((-high, high - 1)) for m in range(64) for n in range(c.n)}
    image = Image(SIZE)
    start_b = 32768 + c.skew
    descriptor_a = place(image, a, 64, c.k, c.a, c.swizzles[0], c.transposed[0], c.skew)
    descriptor_b = place(image, b, c.n, c.k, c.b, c.swizzles[1], c.transposed[1], start_b)
    at = len(data)
    assert len(image.bytes) == SIZE
    data.extend(image.bytes)
    text.append(f"""mov.u32 %r249, %r250;
L{number}:
mad.wide.u32 %rd1, %r249, 16, %rd30;
ld.global.v4.b32 {{%r240, %r241, %r242, %r243}}, [%rd1+{at}];
mad.lo.u32 %r248, %r249, 16, %r251;
st.shared.v4.b32 [%r248], {{%r240, %r241, %r242, %r243}};
add.u32 %r249, %r249, 128;
setp.lt.u32 %p0, %r249, {SIZE // 16};
@%p0 bra L{number};
bar.sync 0;
mad.wide.u32 %rd2, %r250, 4, %rd30;
mad.wide.u32 %rd3, %r250, 4, %rd31;""")
    per = 2 if c.d == "f16" else 1
    count = c.n // 2 // per
    names = [f"%{'f' if c.d == 'f32' else 'r'}{i}" for i in range(count)]
    for i, register in enumerate(names):
        words = [sum(sum_bits(c.d, sums[sum_place(thread, i * per + e)]) << 16 * e for e in range(per))
                 for thread in range(128)]
        text.append(f"ld.global.{'f32' if c.d == 'f32' else 'b32'} {register}, [%rd2+{global_words(words)}];")
    if c.shared:
        text.append(f"add.u64 %rd10, %rd21, {descriptor_a};")
        operand = "%rd10"
    else:
        for i, words in enumerate(fragment(a, c.a, 4)):
            text.append(f"ld.global.b32 %r{200 + i}, [%rd2+{global_words(words)}];")
        operand = "{%r200, %r201, %r202, %r203}"
    text.append(f"add.u64 %rd11, %rd21, {descriptor_b};")
    text.append(f"ld.global.b32 %r210, [%rd2+{global_words([c.adds] * 128)}];")
    text.append("setp.ne.b32 %p1, %r210, 0;")
    text.append("wgmma.fence.sync.aligned;")
    text.append("%s {%s}, %s, %%rd11, %%p1%s;" % (
        c.opcode(), ", ".join(names), operand, "".join(f", {x}" for x in c.literals())))
    text.append("wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;")
    checks.append((c, results, a, b, sums))
    for register in names:
        text.append(f"st.global.{'f32' if c.d == 'f32' else 'b32'} [%rd3+{results}], {register};")
        results += 512
    text.append("bar.sync 0;")
text.append("ret;\n}")
(scratch / "products.ptx").write_text("\n".join(text) + "\n")
(scratch / "in.bin").write_bytes(data)
(scratch / "launch.yaml").write_text(f"""kernel: products
arch: sm_90a
grid: [1]
block: [128]
dynamic_shared: {SIZE}
args:
  - buffer: {{name: in, type: u32, count: {len(data) // 4}, init: {{file: in.bin}}}}
  - buffer: {{name: out, type: u32, count: {results // 4}, init: zero}}
""")


def wanted(c, a, b, sums):
    sign = c.signs[0] * c.signs[1]
    rows = [[a[m, k][1] for k in range(c.k)] for m in range(64)]
    columns = [[b[n, k][1] for k in range(c.k)] for n in range(c.n)]
    out = {}
    for m, row in enumerate(rows):
        for n, column in enumerate(columns):
            total = sign * sum(x * y for x, y in zip(row, column)) + c.adds * sums[m, n]
            if c.saturates:
                total = max(-2 ** 31, min(2 ** 31 - 1, total))
            out[m, n] = total
    return out


expected = [wanted(c, a, b, sums) for c, _, a, b, sums in checks]
for engine in ("jit", "interpreter"):
    run = subprocess.run(
        [heddle, "run", scratch / "products.ptx", "--arch", "sm_90a", "--launch",
         scratch / "launch.yaml", "--dump", "out=" + str(scratch / "out.bin"),
         "--engine", engine], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{engine}: {run.stderr}")
    out = (scratch / "out.bin").read_bytes()
    wrong = 0
    for (c, first, *_), want in zip(checks, expected):
        per, size = (2, 2) if c.d == "f16" else (1, 4)
        form = {"f32": "<f", "f16": "<e", "s32": "<i"}[c.d]
        bad = 0
        for i in range(c.n // 2):
            for thread in range(128):
                at = first + (i // per * 128 + thread) * 4 + i % per * size
                bad += struct.unpack_from(form, out, at)[0] != want[sum_place(thread, i)]
        if bad:
            print(f"{engine}: {c.name()}: {bad} of {64 * c.n} sums")
            wrong += 1
    print(f"{engine}: {len(checks)} operations, {wrong} wrong")
