"""Conversions to narrow types: narrow.py write FOLDER; narrow.py check FOLDER ENGINE"""

import bisect
import math
import pathlib
import random
import struct
import sys

COUNT = 4096
folder = pathlib.Path(sys.argv[2])


def floats():
    """Numbers of all sizes, halves of steps among them, and what is none."""
    r = random.Random(3)
    values = [0.0, -0.0, math.inf, -math.inf, math.nan, 448.0, 464.0, 464.1, -500.0, 57344.0, 61440.0, 61441.0, 65504.0,
              2.0**-9, 2.0**-10, 1.5 * 2.0**-10, 2.0**-16, 2.0**-17, 1.5 * 2.0**-17, 65519.0, 65520.0, 3.4e38]
    while len(values) < COUNT:
        x = r.choice((1, -1)) * math.ldexp(1 + r.randrange(32) / 32, r.randrange(-20, 18))
        values.append(x * r.choice((1, 1, 1 + 2.0**-20, 1 - 2.0**-20)))
    return [struct.unpack("f", struct.pack("f", x))[0] for x in values]


def integers():
    r = random.Random(5)
    return [r.choice((-1, 1)) * r.getrandbits(r.choice((3, 7, 8, 15, 16, 30))) for _ in range(COUNT)]


def byte_value(code, mantissa, bias):
    exponent, fraction = code >> mantissa, code & ((1 << mantissa) - 1)
    if exponent == 0:
        return math.ldexp(fraction, 1 - bias - mantissa)
    return math.ldexp((1 << mantissa) + fraction, exponent - bias - mantissa)


def to_byte(x, mantissa, bias, largest):
    if math.isnan(x):
        return 0x7f
    sign = 0x80 if math.copysign(1, x) < 0 else 0
    table = [byte_value(code, mantissa, bias) for code in range(largest + 1)]
    # To the nearest, of two the even code.
    nearest = min(range(largest + 1), key=lambda code: (abs(table[code] - abs(x)), code & 1))
    return sign | (largest if abs(x) >= table[largest] else nearest)


def e4m3(x):
    return to_byte(x, 3, 7, 0x7e)


def e5m2(x):
    return to_byte(x, 2, 15, 0x7b)


def relu(x):
    return x if math.isnan(x) or x > 0 else 0.0


def half_bits(x):
    return struct.unpack("H", struct.pack("e", x))[0]


def from_e4m3(code):
    if code & 0x7f == 0x7f:
        return (code & 0x80) << 8 | 0x7fff
    return (code & 0x80) << 8 | half_bits(byte_value(code & 0x7f, 3, 7))


STEPS = {code: struct.unpack("e", struct.pack("H", code))[0] for code in range(0x7c00)}


def halves_toward_zero(values):
    """The same for all, by one search each."""
    codes, sizes = list(STEPS), list(STEPS.values())
    result = []
    for x in values:
        if math.isnan(x):
            result.append(None)
        elif math.isinf(x):
            result.append(0xfc00 if x < 0 else 0x7c00)
        else:
            code = codes[bisect.bisect_right(sizes, abs(x)) - 1]
            result.append(code | (0x8000 if math.copysign(1, x) < 0 else 0))
    return result


def bits(x):
    return struct.unpack("I", struct.pack("f", x))[0]


def tf32(x, saturates):
    """Ties away from zero; what is no number has bits of its own."""
    if math.isnan(x):
        return 0x7fffffff
    size = (bits(x) & 0x7fffffff) + 0x1000 & 0xffffe000
    return bits(x) & 0x80000000 | (min(size, 0x7f7fe000) if saturates else size)


def clamp(x, low, high):
    return max(low, min(high, x))


def is_normal(x):
    return x == 0 or (math.isfinite(x) and abs(x) >= 2.0**-126)


def columns():
    """The statements, whose result is D of 32 bits, and what they give."""
    f, n = floats(), integers()
    g, m = f[1:] + f[:1], n[1:] + n[:1]
    packed = [(a & 0xffff) for a in n]
    zero = halves_toward_zero(f)
    text = "cvt.rn.satfinite{}.f32 H, f, g; cvt.u32.u16 D, H"
    return [
        (text.format(".e4m3x2"), [e4m3(a) << 8 | e4m3(b) for a, b in zip(f, g)]),
        (text.format(".e5m2x2"), [e5m2(a) << 8 | e5m2(b) for a, b in zip(f, g)]),
        (text.format(".relu.e4m3x2"), [e4m3(relu(a)) << 8 | e4m3(relu(b)) for a, b in zip(f, g)]),
        ("cvt.rn.f16x2.f32 D, f, g; cvt.rn.satfinite.e5m2x2.f16x2 H, D; cvt.u32.u16 D, H",
         [e5m2(as_half(a)) << 8 | e5m2(as_half(b)) for a, b in zip(f, g)]),
        ("cvt.u16.u32 H, n; cvt.rn.f16x2.e4m3x2 D, H", [from_e4m3(a >> 8) << 16 | from_e4m3(a & 0xff) for a in packed]),
        ("cvt.u16.u32 H, n; cvt.rn.f16x2.e5m2x2 D, H", [(a >> 8) << 24 | (a & 0xff) << 8 for a in packed]),
        ("cvt.rz.f16.f32 H, f; cvt.u32.u16 D, H", zero),
        ("cvt.rz.bf16x2.f32 D, f, f", [None if math.isnan(a) else bits(a) >> 16 | bits(a) & 0xffff0000 for a in f]),
        ("cvt.rna.tf32.f32 D, f", [tf32(a, False) for a in f]),
        ("cvt.rna.satfinite.tf32.f32 D, f", [tf32(a, True) for a in f]),
        ("cvt.rn.bf16.f32 H, f; cvt.rn.bf16.f32 I, g; setp.gt.bf16 p, I, H; selp.u32 D, 1, 0, p",
         [int(brain(a) < brain(b)) for a, b in zip(f, g)]),
        ("cvt.rn.f16x2.f32 D, f, g; cvt.rn.f16x2.f32 E, g, f; setp.lt.f16x2 p|q, D, E; selp.u32 D, 1, 0, p; @q add.u32 D, D, 2",
         [pair_less(a, b) for a, b in zip(f, g)]),
        ("cvt.pack.sat.s8.s32.b32 D, n, m, n",
         [(a << 16 | (clamp(a, -128, 127) & 255) << 8 | clamp(b, -128, 127) & 255) & 0xffffffff for a, b in zip(n, m)]),
        ("cvt.pack.sat.u16.s32 D, n, m", [clamp(a, 0, 65535) << 16 | clamp(b, 0, 65535) for a, b in zip(n, m)]),
        ("testp.normal.f32 p, f; selp.u32 D, 1, 0, p", [int(is_normal(a)) for a in f]),
        ("testp.notanumber.f32 p, f; selp.u32 D, 1, 0, p", [int(math.isnan(a)) for a in f]),
        ("max.s32.relu D, n, m", [max(a, b, 0) for a, b in zip(n, m)]),
    ]


def as_half(x):
    """To nearest, as cvt.rn.f16x2.f32 rounds."""
    if math.isnan(x) or math.isinf(x):
        return x
    try:
        return struct.unpack("e", struct.pack("e", x))[0]
    except OverflowError:
        return math.copysign(math.inf, x)


def pair_less(a, b):
    a, b = as_half(a), as_half(b)
    return int(b < a) | 2 * int(a < b)


def write():
    (folder / "f.bin").write_bytes(struct.pack(f"{COUNT}f", *floats()))
    (folder / "n.bin").write_bytes(struct.pack(f"{COUNT}i", *integers()))
    lines = []
    for number, (text, _) in enumerate(columns()):
        lines.append(f"  {text};\n  st.global.u32 [to+{4 * COUNT * number}], D;")
    (folder / "narrow.ptx").write_text("""\
.version 8.6
.target sm_90
.address_size 64
.visible .entry narrow(.param .u64 a, .param .u64 b, .param .u64 out)
{
  .reg .pred p, q;
  .reg .b16 H, I;
  .reg .b32 f, g, n, m, D, E, i, j;
  .reg .b64 at, to, l, k;
  mov.u32 i, %ctaid.x;
  mov.u32 j, %tid.x;
  mad.lo.u32 i, i, 128, j;
  add.u32 j, i, 1;
  and.b32 j, j, 4095;
  mul.wide.u32 l, i, 4;
  mul.wide.u32 k, j, 4;
  ld.param.u64 at, [a];
  add.u64 to, at, l;
  ld.global.f32 f, [to];
  add.u64 to, at, k;
  ld.global.f32 g, [to];
  ld.param.u64 at, [b];
  add.u64 to, at, l;
  ld.global.u32 n, [to];
  add.u64 to, at, k;
  ld.global.u32 m, [to];
  ld.param.u64 to, [out];
  add.u64 to, to, l;
""" + "\n".join(lines) + "\n  ret;\n}\n")
    (folder / "narrow.yaml").write_text(f"""\
kernel: narrow
grid: [32]
block: [128]
args:
  - buffer: {{type: f32, count: {COUNT}, init: {{file: f.bin}}}}
  - buffer: {{type: i32, count: {COUNT}, init: {{file: n.bin}}}}
  - buffer: {{name: out, type: u32, count: {COUNT * len(columns())}, init: zero}}
""")


def check(engine):
    data = (folder / f"{engine}.bin").read_bytes()
    different = 0
    for number, (text, expected) in enumerate(columns()):
        found = struct.unpack_from(f"{COUNT}I", data, 4 * COUNT * number)
        for x, y, a in zip(found, expected, floats()):
            if y is not None and x != y:
                different += 1
                if different < 20:
                    print(f"{text}: {x:#x} instead of {y:#x} (f {a})")
    print(f"{len(columns())} columns of {COUNT} values, {different} different")


def brain(x):
    if math.isnan(x) or math.isinf(x):
        return x
    b = bits(x)
    return struct.unpack("f", struct.pack("I", b + 0x7fff + (b >> 16 & 1) & 0xffff0000))[0]


if __name__ == "__main__":
    if sys.argv[1] == "write":
        write()
    else:
        check(sys.argv[3])
