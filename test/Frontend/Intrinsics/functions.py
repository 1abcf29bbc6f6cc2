"""The intrinsics of CUDA and OpenCL that compute on integers, parts of a word, halves and in the special unit.

Each row: the expression, the types of its result and of a, b and c, and what it is, written from its description in
the vendor's manual with Python's integers: nothing of Heddle is used. None where results are
rounded: those are not computed here."""

import collections

Function = collections.namedtuple("Function", "group expression result operands reference")


def signed(x, bits=32):
    x &= (1 << bits) - 1
    return x - (1 << bits) if x >> (bits - 1) else x


def parts(x, bits, is_signed=False):
    values = [x >> at & ((1 << bits) - 1) for at in range(0, 32, bits)]
    return [signed(v, bits) for v in values] if is_signed else values


def word(values, bits):
    return sum((v & ((1 << bits) - 1)) << (at * bits) for at, v in enumerate(values))


def limit(v, low, high):
    return max(low, min(high, v))


def dot(a, b, c, width, is_signed, shift=0):
    first = parts(a, 32 // (4 if width == 4 else 2), is_signed)
    second = parts(b >> shift, 8, is_signed)[:len(first)]
    return c + sum(x * y for x, y in zip(first, second))


def prmt(a, b, s):
    pool = parts(a, 8) + parts(b, 8)
    return word([pool[s >> (4 * i) & 7] for i in range(4)], 8)


def bits(x, width=32):
    return bin(x & ((1 << width) - 1)).count("1")


def leading(x, width=32):
    return width - (x & ((1 << width) - 1)).bit_length()


def reverse(x, width=32):
    return int(format(x & ((1 << width) - 1), f"0{width}b")[::-1], 2)


def first_set(x, width=32):
    x &= (1 << width) - 1
    return (x & -x).bit_length()


def nth_set(mask, base, offset):
    if offset == 0:
        return base if mask >> base & 1 else 0xFFFFFFFF
    step, left, at = (1 if offset > 0 else -1), abs(offset), base
    while 0 <= at < 32:
        left -= mask >> at & 1
        if left == 0:
            return at
        at += step
    return 0xFFFFFFFF


def rotate(x, n):
    n &= 31
    return x << n | x >> (32 - n)


def cuda():
    rows = []

    def add(group, expression, result, operands, reference=None):
        rows.append(Function(group, expression, result, operands.split(), reference))

    integers = "Integers"
    add(integers, "__popc(a)", "s32", "u32", lambda a: bits(a))
    add(integers, "__popcll(a)", "s32", "u64", lambda a: bits(a, 64))
    add(integers, "__clz(a)", "s32", "s32", lambda a: leading(a))
    add(integers, "__clzll(a)", "s32", "s64", lambda a: leading(a, 64))
    add(integers, "__ffs(a)", "s32", "s32", lambda a: first_set(a))
    add(integers, "__ffsll(a)", "s32", "s64", lambda a: first_set(a, 64))
    add(integers, "__brev(a)", "u32", "u32", lambda a: reverse(a))
    add(integers, "__brevll(a)", "u64", "u64", lambda a: reverse(a, 64))
    add(integers, "__fns(a, b & 31u, c % 9)", "u32", "u32 u32 s32",
        lambda a, b, c: nth_set(a, b & 31, (abs(c) % 9) * (-1 if c < 0 else 1)))
    add(integers, "__byte_perm(a, b, c)", "u32", "u32 u32 u32", prmt)
    add(integers, "__mulhi(a, b)", "s32", "s32 s32", lambda a, b: a * b >> 32)
    add(integers, "__umulhi(a, b)", "u32", "u32 u32", lambda a, b: a * b >> 32)
    add(integers, "__mul64hi(a, b)", "s64", "s64 s64", lambda a, b: a * b >> 64)
    add(integers, "__umul64hi(a, b)", "u64", "u64 u64", lambda a, b: a * b >> 64)
    add(integers, "__mul24(a, b)", "s32", "s32 s32", lambda a, b: signed(a, 24) * signed(b, 24))
    add(integers, "__umul24(a, b)", "u32", "u32 u32", lambda a, b: (a & 0xFFFFFF) * (b & 0xFFFFFF))
    add(integers, "__sad(a, b, c)", "u32", "s32 s32 u32", lambda a, b, c: abs(a - b) + c)
    add(integers, "__usad(a, b, c)", "u32", "u32 u32 u32", lambda a, b, c: abs(a - b) + c)
    add(integers, "__hadd(a, b)", "s32", "s32 s32", lambda a, b: a + b >> 1)
    add(integers, "__rhadd(a, b)", "s32", "s32 s32", lambda a, b: a + b + 1 >> 1)
    add(integers, "__uhadd(a, b)", "u32", "u32 u32", lambda a, b: a + b >> 1)
    add(integers, "__urhadd(a, b)", "u32", "u32 u32", lambda a, b: a + b + 1 >> 1)
    add(integers, "__funnelshift_l(a, b, c)", "u32", "u32 u32 u32", lambda a, b, c: (b << 32 | a) << (c & 31) >> 32)
    add(integers, "__funnelshift_r(a, b, c)", "u32", "u32 u32 u32", lambda a, b, c: (b << 32 | a) >> (c & 31))
    add(integers, "__funnelshift_lc(a, b, c & 63u)", "u32", "u32 u32 u32",
        lambda a, b, c: (b << 32 | a) << min(c & 63, 32) >> 32)
    add(integers, "__funnelshift_rc(a, b, c & 63u)", "u32", "u32 u32 u32",
        lambda a, b, c: (b << 32 | a) >> min(c & 63, 32))
    for type_, is_signed in (("s32", True), ("u32", False)):
        operands = f"{type_} {type_} {type_}"
        add(integers, f"__dp4a(a, b, c) // {type_}", type_, operands,
            lambda a, b, c, s=is_signed: dot(a, b, c, 4, s))
        add(integers, f"__dp2a_lo(a, b, c) // {type_}", type_, operands,
            lambda a, b, c, s=is_signed: dot(a, b, c, 2, s))
        add(integers, f"__dp2a_hi(a, b, c) // {type_}", type_, operands,
            lambda a, b, c, s=is_signed: dot(a, b, c, 2, s, 16))
    add(integers, "min(a, b) // s32", "s32", "s32 s32", min)
    add(integers, "max(a, b) // u32", "u32", "u32 u32", max)
    add(integers, "abs(a)", "s32", "s32", abs)

    def each(n, name, is_signed, operation, width=None):
        size = 32 // n
        add(f"{n} parts of a word", f"{name}{n}(a, b)", "u32", "u32 u32",
            lambda a, b: word([operation(x, y) for x, y in zip(parts(a, size, is_signed), parts(b, size, is_signed))], size))

    def each_one(n, name, operation):
        size = 32 // n
        add(f"{n} parts of a word", f"{name}{n}(a)", "u32", "u32",
            lambda a: word([operation(x) for x in parts(a, size, True)], size))

    for n in (4, 2):
        low, high, top = -(1 << (32 // n - 1)), (1 << (32 // n - 1)) - 1, (1 << (32 // n)) - 1
        each(n, "__vadd", False, lambda x, y: x + y)
        each(n, "__vsub", False, lambda x, y: x - y)
        each(n, "__vaddss", True, lambda x, y, l=low, h=high: limit(x + y, l, h))
        each(n, "__vsubss", True, lambda x, y, l=low, h=high: limit(x - y, l, h))
        each(n, "__vaddus", False, lambda x, y, t=top: min(x + y, t))
        each(n, "__vsubus", False, lambda x, y: max(x - y, 0))
        each(n, "__vavgs", True, lambda x, y: (x + y + (x + y >= 0)) >> 1)
        each(n, "__vavgu", False, lambda x, y: x + y + 1 >> 1)
        each(n, "__vhaddu", False, lambda x, y: x + y >> 1)
        each(n, "__vabsdiffs", True, lambda x, y: abs(x - y))
        each(n, "__vabsdiffu", False, lambda x, y: abs(x - y))
        for letter, is_signed in (("s", True), ("u", False)):
            each(n, f"__vmax{letter}", is_signed, max)
            each(n, f"__vmin{letter}", is_signed, min)
            size = 32 // n
            add(f"{n} parts of a word", f"__vsad{letter}{n}(a, b)", "u32", "u32 u32",
                lambda a, b, z=size, s=is_signed: sum(abs(x - y) for x, y in zip(parts(a, z, s), parts(b, z, s))))
            for name, test in (("ge", lambda x, y: x >= y), ("gt", lambda x, y: x > y),
                               ("le", lambda x, y: x <= y), ("lt", lambda x, y: x < y)):
                each(n, f"__vcmp{name}{letter}", is_signed, lambda x, y, t=test: -t(x, y))
                each(n, f"__vset{name}{letter}", is_signed, lambda x, y, t=test: t(x, y))
        for name, test in (("eq", lambda x, y: x == y), ("ne", lambda x, y: x != y)):
            each(n, f"__vcmp{name}", False, lambda x, y, t=test: -t(x, y))
            each(n, f"__vset{name}", False, lambda x, y, t=test: t(x, y))
        each_one(n, "__vabs", abs)
        each_one(n, "__vabsss", lambda x, h=high: min(abs(x), h))
        each_one(n, "__vneg", lambda x: -x)
        each_one(n, "__vnegss", lambda x, h=high: min(-x, h))

    special = "Special functions and rounding"
    for name in ("__expf", "__exp10f", "__logf", "__log2f", "__log10f", "__sinf", "__cosf", "__tanf", "rsqrtf",
                 "__frsqrt_rn", "__frcp_rn", "__frcp_rz", "__fsqrt_rn", "__fsqrt_rd", "__saturatef", "sqrtf", "exp2f"):
        add(special, f"{name}(a)", "f32", "f32")
    for name in ("__fdividef", "__powf", "__fadd_rz", "__fmul_ru", "__fdiv_rn"):
        add(special, f"{name}(a, b)", "f32", "f32 f32")
    add(special, "__fmaf_rz(a, b, c)", "f32", "f32 f32 f32")
    for name in ("__float2int_rn", "__float2int_rz", "__float_as_int"):
        add(special, f"{name}(a)", "s32", "f32")
    add(special, "__int2float_rn(a)", "f32", "s32")
    half = "Halves"
    for name in ("__hadd2", "__hsub2", "__hmul2", "__hmin2", "__hmax2", "__heq2", "__hgt2", "__h2div"):
        add(half, f"{name}(a, b)", "half2", "half2 half2")
    add(half, "__hfma2(a, b, c)", "half2", "half2 half2 half2")
    for name in ("__hneg2", "__habs2", "h2exp2", "h2rcp", "h2rsqrt", "h2sqrt", "__low2half2", "__lowhigh2highlow"):
        add(half, f"{name}(a)", "half2", "half2")
    add(half, "__float22half2_rn(make_float2(a, b))", "half2", "f32 f32")
    return rows


def opencl():
    rows = []

    def add(expression, result, operands, reference=None, group="OpenCL"):
        rows.append(Function(group, expression, result, operands.split(), reference))

    low, high = -(1 << 31), (1 << 31) - 1
    add("popcount(a)", "u32", "u32", bits)
    add("clz(a)", "u32", "u32", leading)
    add("ctz(a)", "u32", "u32", lambda a: 32 if a == 0 else first_set(a) - 1)
    add("rotate(a, b)", "u32", "u32 u32", lambda a, b: rotate(a, b))
    add("mul_hi(a, b) // s32", "s32", "s32 s32", lambda a, b: a * b >> 32)
    add("mul_hi(a, b) // u32", "u32", "u32 u32", lambda a, b: a * b >> 32)
    add("mad_hi(a, b, c)", "s32", "s32 s32 s32", lambda a, b, c: (a * b >> 32) + c)
    add("mul24(a << 8 >> 8, b << 8 >> 8)", "s32", "s32 s32", lambda a, b: signed(a, 24) * signed(b, 24))
    add("mad24(a & 0xffffffu, b & 0xffffffu, c)", "u32", "u32 u32 u32", lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF) + c)
    add("hadd(a, b)", "u32", "u32 u32", lambda a, b: a + b >> 1)
    add("rhadd(a, b)", "u32", "u32 u32", lambda a, b: a + b + 1 >> 1)
    add("add_sat(a, b) // s32", "s32", "s32 s32", lambda a, b: limit(a + b, low, high))
    add("sub_sat(a, b) // s32", "s32", "s32 s32", lambda a, b: limit(a - b, low, high))
    add("add_sat(a, b) // u32", "u32", "u32 u32", lambda a, b: min(a + b, (1 << 32) - 1))
    add("sub_sat(a, b) // u32", "u32", "u32 u32", lambda a, b: max(a - b, 0))
    add("mad_sat(a, b, c)", "s32", "s32 s32 s32", lambda a, b, c: limit(a * b + c, low, high))
    add("abs_diff(a, b)", "u32", "s32 s32", lambda a, b: abs(a - b))
    add("abs(a)", "u32", "s32", abs)
    add("bitselect(a, b, c)", "u32", "u32 u32 u32", lambda a, b, c: (a & ~c) | (b & c))
    add("select(a, b, c)", "u32", "u32 u32 u32", lambda a, b, c: b if c else a)
    add("clamp(a, -100, 1000)", "s32", "s32", lambda a: limit(a, -100, 1000))
    add("min(a, b)", "s32", "s32 s32", min)
    add("upsample(a, b)", "u64", "u32 u32", lambda a, b: a << 32 | b)
    for name in ("native_exp", "native_log", "native_sin", "native_rsqrt", "native_recip", "native_sqrt", "rsqrt", "half_exp2"):
        add(f"{name}(a)", "f32", "f32")
    add("mad(a, b, c)", "f32", "f32 f32 f32")
    add("native_divide(a, b)", "f32", "f32 f32")
    return rows
