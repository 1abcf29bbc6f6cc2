"""Writes a random kernel whose results are defined: generate.py SEED [-o FILE].

The kernel has nested control flow, loops that lanes leave one by one, switches,
early returns, also before barriers of the others, jumps into loops (irreducible flow),
barriers in uniform flow, shared, local and global memory, arrays that only hold
constants, loops that gather, structs, atomics, votes and shuffles, and
integers and floating point of all sizes, recursion, vectors, bit fields, unions,
lambdas, constant memory, integer intrinsics and inline PTX, pointers to any memory,
to variables and to functions, virtual calls, blocks of up to three dimensions, and what
device.py adds: textures, groups of lanes, atomics on shared memory, halves. Integers wrap,
shifts are masked, divisors are not zero, floating-point values stay finite, and
each thread owns its elements of the output, so both engines must agree on every
bit. The same seed gives the same kernel. Of each hundred seeds the last twenty are
OpenCL C (preludes.py).

Kernels of even seeds are portable: host code of the same source (host.h) does the
same, so they have no approximate functions, no votes of whoever comes together,
and atomics whose order does not show."""

import argparse
import random

import preludes
from device import DeviceStatements

INTEGERS = ["unsigned char", "unsigned short", "unsigned", "unsigned long long"]
SIGNED = ["signed char", "short", "int", "long long"]
FLOATS = ["float", "double"]

class Generator(DeviceStatements):
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.name = f"kernel{seed}"
        self.opencl = (seed - 1) // 20 % 5 == 4
        self.portable = seed % 2 == 0 or self.opencl
        self.any_order = False  # results depend on the order of divergent lanes
        self.lines, self.text = [], None
        self.names = 0
        self.block = self.random.choice([32, 64, 96, 128])
        # Lanes that never start make partial warps, where shuffles would read
        # lanes that do not exist.
        if self.random.random() < 0.3:
            self.block = self.random.choice([1, 17, 50, 77])
        self.full = self.block % 32 == 0
        # Rows of threads: as many as the block has, then columns, then planes.
        self.shape = self.random.choice(
            [(self.block, 1, 1)] * 2 + [(x, y, self.block // (x * y)) for x in (2, 5, 7, 8, 10, 16, 32)
                                        for y in (1, 2, 3, 4, 5, 11) if self.block % (x * y) == 0])
        self.returned = False  # in divergent code: no barrier may follow
        self.left = False  # some lanes have left: no shuffle of all may follow
        self.atomic = self.random.choice(["atomicAdd", "atomicMax", "atomicXor", "atomicMin"])

    def chance(self, p):
        return self.random.random() < p

    def emit(self, depth, text):
        self.lines.append("  " * depth + text)

    def fresh(self, prefix):
        self.names += 1
        return f"{prefix}{self.names}"

    # Expressions: text of type unsigned, unsigned long long, float or double.
    def integer(self, scope, depth=0):
        r = self.random
        if depth > 2 or self.chance(0.3):
            return r.choice(scope["int"] + [str(r.randrange(1, 1 << r.choice([3, 8, 31]))) + "u"])
        a, b = self.integer(scope, depth + 1), self.integer(scope, depth + 1)
        kind = r.randrange(19)
        if self.opencl and kind in (15, 16):
            return self.builtin(a, b, self.integer(scope, depth + 1))
        if kind == 15:
            return self.intrinsic(a, b, self.integer(scope, depth + 1))
        if kind == 16:
            return self.assembly(a, b)
        if kind == 17:
            return f"unsigned({self.long(scope, a, b)})"
        if kind == 18:
            recursion = [] if self.opencl else [f"recurse({r.randrange(5)}, {a})"]
            return r.choice([f"table[({a}) & 15u]", f"walk({a}, ({b}) & 3u)", *recursion])
        if kind < 6:
            return f"({a} {r.choice(['+', '-', '*', '&', '|', '^'])} {b})"
        if kind == 6:
            return f"({a} {r.choice(['<<', '>>'])} ({b} & 15))"
        if kind == 7:
            return f"({a} {r.choice(['/', '%'])} ({b} | 1))"
        if kind == 8:
            return f"({a} {r.choice(['<', '==', '>=', '!='])} {b} ? {b} : {a} + 1u)"
        if kind == 9:
            return f"unsigned(({r.choice(SIGNED)})({a}) {r.choice(['/', '%'])} int(({b} & 7) + 3))"
        if kind == 10:
            return f"unsigned(({r.choice(SIGNED)})({a}) >> ({b} & 7))"
        if kind == 11:
            return f"unsigned(({r.choice(INTEGERS)})({a} + {b}))"
        if kind == 12:
            cuda = [] if self.opencl else [f"__brev({a})", f"unsigned(__ffs({a}))", f"__byte_perm({a}, {b}, 0x5140)"]
            return r.choice([f"unsigned(__popc({a}))", f"unsigned(__clz({a}))", f"__umulhi({a}, {b})", f"min({a}, {b})",
                             f"max({a}, {b})", *cuda])
        if kind == 13:
            return f"unsigned(((unsigned long long){a} * {b}) >> 13)"
        return f"unsigned({self.real(scope, depth + 1)} * 16.0f)"

    def intrinsic(self, a, b, c):
        return self.random.choice([
            f"__funnelshift_l({a}, {b}, {c})", f"__funnelshift_rc({a}, {b}, {c} & 63u)", f"__usad({a}, {b}, {c})",
            f"__vadd4({a}, {b})", f"__vmaxs4({a}, {b})", f"__vcmpgtu2({a}, {b})", f"__vsadu4({a}, {b})",
            f"__dp4a({a}, {b}, {c})", f"__byte_perm({a}, {b}, {c} & 0x7777u)"])

    def assembly(self, a, b):
        n = self.random.randrange(1, 12)
        return self.random.choice([
            f"ptxBfe({a}, {b} & 31u, {n}u)", f"ptxLop3({a}, {b}, {n}u)", f"ptxMin({a}, {b})", f"ptxSelect({a}, {b})",
            f"ptxCarry({a}, {b})", f"ptxShift({a}, {b} & 63u)", f"ptxInsert({a}, {b}, {n}u, {n + 3}u)", f"ptxHigh({a}, {b}, {n}u)",
            f"ptxSaturate({a})", f"ptxWide({a}, {b})", f"ptxLeap({a}, {b})"])

    def long(self, scope, a, b):
        """64 bits, in a word."""
        x = f"(u64({a}) << {self.random.randrange(1, 33)} | {b})"
        y = f"(u64({self.integer(scope, 2)}) * {self.random.randrange(3, 1 << 20)}u)"
        return self.random.choice([
            f"{x} * {y} >> 21", f"{x} / ({y} | 1u)", f"{x} % ({y} | 1u) >> 7", f"__umul64hi({x}, {y})",
            f"({x} < {y} ? {x} : {y}) >> 9", f"(long long)({x} - {y}) >> 11", f"__popcll({x})", f"__clzll({x})",
            f"({x} ^ {y}) >> ({b} & 63u)", f"u64(double({a}) * 1.5) + {x}", f"u64(float({a} & 0xffffffu)) ^ {y} >> 30"])

    def real(self, scope, depth=0):
        """Between 0 and 1024, so that nothing overflows."""
        r = self.random
        if depth > 2 or self.chance(0.3):
            return r.choice(scope["real"] + [f"{r.randrange(1, 900) / 8}f"])
        a, b = self.real(scope, depth + 1), self.real(scope, depth + 1)
        library = [] if self.portable else [
            f"fabsf(sinf({a}))", f"expf(-{a})", f"logf({a} + 1.0f)", f"fminf(powf({a} + 0.5f, 0.7f), 900.0f)"]
        return r.choice([f"fminf({a} * {b}, 512.0f)", f"fminf({a} + {b}, 700.0f)",
                         f"fabsf({a} - {b})", f"fmaxf({a}, {b})", f"({a} / ({b} + 1.0f))",
                         f"sqrtf({a})", f"fminf(fmaf({a}, {b}, 0.5f), 300.0f)",
                         f"float(({self.integer(scope, depth + 1)}) & 1023u)",
                         f"floorf({a})", f"float(double({a}) * 0.75)",
                         f"float(_Float16({a}) * _Float16(0.25f) + _Float16({b}))",
                         f"float(_Float16(fminf({a}, 100.0f)) {r.choice(['<', '>='])} _Float16({b}))",
                         f"weights[({self.integer(scope, depth + 1)}) & 7u]", *library])

    def condition(self, scope):
        r = self.random
        kind = r.randrange(5)
        if kind == 0:
            return f"({self.integer(scope)} & {r.choice([1, 3, 4])}u)"
        if kind == 1:
            return f"{self.real(scope)} < {self.real(scope)}"
        if kind == 2:
            return f"tid % {r.randrange(2, 9)} == {r.randrange(2)}"
        if kind == 3:
            return f"{self.integer(scope)} < {self.integer(scope)} && {self.integer(scope)} % 3u"
        return f"{self.integer(scope)} > {self.integer(scope)}"

    def uniform(self):
        return f"(n + {self.random.randrange(8)}u) % {self.random.randrange(2, 5)}u"

    def statements(self, depth, scope, uniform, loops, count=None):
        for _ in range(count or self.random.randrange(1, 5)):
            self.statement(depth, scope, uniform, loops)

    def inner(self, depth, scope, uniform, loops):
        copy = {"int": list(scope["int"]), "real": list(scope["real"])}
        self.statements(depth + 1, copy, uniform, loops)

    def assign(self, depth, scope):
        r = self.random
        if self.chance(0.6):
            name = r.choice([v for v in scope["int"] if v.startswith("v")])
            self.emit(depth, f"{name} {r.choice(['=', '+=', '^='])} {self.integer(scope)};")
        else:
            name = r.choice([v for v in scope["real"] if v.startswith("f")])
            self.emit(depth, f"{name} = {self.real(scope)};")

    def gather(self, depth, scope):
        """A loop of loads, some with atomics or flags: what may run lane by lane."""
        r, i = self.random, self.fresh("i")
        first, most = self.integer(scope), r.choice([7, 31])
        bound = f"({self.integer(scope)}) & {most}u"
        if self.chance(0.5):  # few lanes stay
            bound = f"tid % {r.randrange(5, 20)}u ? {r.randrange(3)}u : {bound}"
        start, step = self.fresh("v"), r.choice(["1u", "3u", "v0 & 5u"])
        self.emit(depth, f"unsigned {start} = {first};")
        self.emit(depth, f"for (unsigned {i} = 0, e{i} = {bound}; {i} < e{i}; ++{i}) {{")
        self.emit(depth + 1, f"unsigned got = in[({start} + {i} * ({step})) % (gridDim.x * BLOCK)];")
        self.emit(depth + 1, r.choice([f"{start} += got;", f"{start} = {start} * 5u ^ got;",
                                       f"if (got & 1u) {start} ^= {i}; else f0 = fminf(f0 + 0.5f, 600.0f);"]))
        if self.chance(0.4):
            self.emit(depth + 1, r.choice([
                f"atomicAdd(&bins[24 + ({start} & 3u)], got);",
                f"if (got & 2u) atomicMax(&bins[28 + (got & 1u)], {start});",
                f"if ({start} & 4u) bins[30] = 9u;"]))
        if self.chance(0.3):
            self.emit(depth + 1, f"if (got % 7u == 3u) {r.choice(['break', 'continue'])};")
        self.emit(depth, "}")
        self.emit(depth, f"v0 += {start};")
        scope["int"].append(start)

    def structure(self, depth, scope):
        r, p = self.random, self.fresh("p")
        pair = lambda: (f"Pair{{{self.integer(scope)}, (unsigned short)({self.integer(scope)}), "
                        f"{self.real(scope)}}}")
        self.emit(depth, f"Pair {p}[2] = {{{pair()}, {pair()}}};")
        self.emit(depth, f"if ({self.condition(scope)}) {p}[0] = mix({p}[1], {self.integer(scope)});")
        self.emit(depth, f"v0 ^= {p}[{self.integer(scope)} & 1u].{r.choice(['a', 'c'])};")
        self.emit(depth, f"f0 = fminf({p}[{r.randrange(2)}].b, 500.0f);")

    def constants(self, depth, scope):
        """Arrays of constants, indexed at run time: alone, chosen between, of structs."""
        r, w = self.random, self.fresh("w")
        size = r.choice([4, 8, 16])
        values = lambda: ", ".join(f"{r.randrange(1, 900) / 8}f" for _ in range(size))
        index = lambda: f"({self.integer(scope)}) & {size - 1}u"
        kind = r.randrange(4)
        if kind == 0:
            self.emit(depth, f"const float {w}[{size}] = {{{values()}}};")
            self.emit(depth, f"f0 = fminf({w}[{index()}] + {w}[{index()}], 900.0f);")
        elif kind == 1:
            self.emit(depth, f"const float {w}[{size}] = {{{values()}}}, {w}b[{size}] = {{{values()}}};")
            self.emit(depth, f"const float *{w}p = {self.condition(scope)} ? {w} : {w}b;")
            self.emit(depth, f"f0 = fminf({w}p[{index()}], 900.0f);")
        elif kind == 2:
            pairs = ", ".join(f"{{{r.randrange(99)}u, {r.randrange(99)}, {r.randrange(99) / 4}f}}" for _ in range(size))
            self.emit(depth, f"const Pair {w}[{size}] = {{{pairs}}};")
            self.emit(depth, f"Pair {w}q = {w}[{index()}];")
            self.emit(depth, f"v0 ^= {w}q.a + {w}q.c; f0 = fminf(f0 + {w}q.b, 900.0f);")
        else:
            self.emit(depth, f"float {w}[{size}] = {{{values()}}};")
            self.emit(depth, f"if ({self.condition(scope)}) {w}[{index()}] = f0;")
            self.emit(depth, f"f0 = fminf({w}[{index()}], 900.0f) + float(\"abcdefgh\"[{self.integer(scope)} & 7u] & 3);")

    def vectors(self, depth, scope):
        r, q = self.random, self.fresh("q")
        self.emit(depth, f"uint4 {q} = make_uint4({', '.join(self.integer(scope, 1) for _ in range(4))});")
        if self.chance(0.5):
            self.emit(depth, f"*(uint4 *)(local + 4 * (({self.integer(scope)}) & 1u)) = {q};")
            self.emit(depth, f"{q} = *(const uint4 *)(local + {r.choice(['0', '4', '4 * (v0 & 1u)'])});")
        self.emit(depth, f"if ({self.condition(scope)}) {q}.{r.choice('xyzw')} ^= {q}.{r.choice('xyzw')};")
        self.emit(depth, f"v0 += {q}.x * 3u + ({q}.y ^ {q}.z) - {q}.w;")

    def fields(self, depth, scope):
        r, k = self.random, self.fresh("k")
        self.emit(depth, f"Fields {k} = {{{self.integer(scope)}, {self.integer(scope)}, {self.integer(scope)}}};")
        self.emit(depth, f"if ({self.condition(scope)}) {k}.{r.choice('abc')} += {self.integer(scope)};")
        self.emit(depth, f"v0 ^= {k}.a + ({k}.b << 3) + ({k}.c >> 1);")

    def closure(self, depth, scope):
        r, h = self.random, self.fresh("h")
        capture = r.choice(["=", "&"])
        self.emit(depth, f"auto {h} = [{capture}](unsigned x) {{ return x % 3u ? x + {self.integer(scope)} : {self.integer(scope)} ^ x; }};")
        self.emit(depth, f"v0 = repeat<{r.randrange(1, 5)}>({h}, {self.integer(scope)});")

    def bytes(self, depth, scope):
        r, z = self.random, self.fresh("z")
        self.emit(depth, f"const u8 *{z} = (const u8 *)in, *{z}l = (const u8 *)local;")
        self.emit(depth, f"v0 += {z}[({self.integer(scope)}) % (gridDim.x * BLOCK * 4u)] * {r.randrange(1, 99)}u + {z}l[({self.integer(scope)}) & 31u];")

    def pointers(self, depth, scope):
        """What a pointer leads to depends on the lane: shared, local, global or constant memory."""
        r, p = self.random, self.fresh("p")
        local = f"&local[({self.integer(scope)}) & 7u]"
        self.emit(depth, f"unsigned *{p} = {self.condition(scope)} ? {local} : {r.choice(['&shared[tid]', local, '&v00'])};")
        self.emit(depth, f"*{p} {r.choice(['=', '+=', '^='])} {self.integer(scope)};")
        places = ["table", "words", "local", "in", f"rows[({self.integer(scope)}) & 3u]"]
        first, second, third = (r.choice(places) for _ in range(3))
        self.emit(depth, f"const unsigned *{p}c = {self.condition(scope)} ? {first} : {self.condition(scope)} ? {second} : {third};")
        self.emit(depth, f"v0 += {p}c[({self.integer(scope)}) & {r.choice([1, 2])}u] + *{p};")
        self.emit(depth, f"v00 ^= names[({self.integer(scope)}) & 3u][v0 & 1u];")

    def pun(self, depth, scope):
        r, k = self.random, self.fresh("k")
        a, b = self.integer(scope), self.integer(scope)
        self.emit(depth, f"Bits {k}; {k}.w = u64({a}) << 32 | {b};")
        self.emit(depth, f"{k}.b[({self.integer(scope)}) & 7u] ^= {self.integer(scope)};")
        self.emit(depth, f"if ({self.condition(scope)}) {k}.s[{r.randrange(4)}] += {self.integer(scope)};")
        self.emit(depth, f"unsigned {k}v = {self.integer(scope)}; memcpy({k}.b + {r.randrange(5)}, &{k}v, {r.randrange(1, 5)});")
        self.emit(depth, f"v0 += {k}.u[({self.integer(scope)}) & 1u] ^ {k}.s[{r.randrange(4)}];")
        self.emit(depth, f"{k}.u[1] = ({k}.u[1] & 0x7fffffu) | 0x3f800000u; f0 = fminf(f0 * {k}.f[1], 800.0f);")
        self.emit(depth, f"{k}.w = ({k}.w >> 12) | 0x3ff0000000000000ull; f0 = fminf(float({k}.d) + f0, 800.0f);")

    def called(self, depth, scope):
        """Calls through pointers, and of virtual functions."""
        r, s = self.random, self.fresh("s")
        step = r.choice([f"steps[({self.integer(scope)}) & 3u]",
                         f"({self.condition(scope)} ? {r.choice(['stepAdd', 'stepMix'])} : stepLoop)"])
        self.emit(depth, f"Step {s} = {step};")
        self.emit(depth, f"v0 = {s}({self.integer(scope)}, {self.integer(scope)});")
        self.emit(depth, f"Shape {s}a({self.integer(scope)}); Box {s}b({self.integer(scope)}, {self.integer(scope)});")
        self.emit(depth, f"const Shape *{s}p = {self.condition(scope)} ? &{s}a : &{s}b; v0 ^= {s}p->area();")

    def wide(self, depth, scope):
        r, q = self.random, self.fresh("q")
        number = lambda: (f"((unsigned __int128)({self.integer(scope)}) << {r.randrange(100)} | "
                          f"u64({self.integer(scope)}) * {self.integer(scope)})")
        self.emit(depth, f"unsigned __int128 {q} = {number()}, {q}b = {number()};")
        self.emit(depth, f"if ({q} {r.choice(['<', '>=', '=='])} {q}b) {q} {r.choice(['-=', '*=', '+='])} {q}b;")
        self.emit(depth, f"{q} = ({q} {r.choice(['<<', '>>'])} (({self.integer(scope)}) & 127u)) {r.choice('+-^')} {q}b;")
        self.emit(depth, f"v0 ^= unsigned((__int128){q} >> {r.randrange(100)}) + unsigned({q});")

    def grids(self, depth, scope):
        """Local arrays of two dimensions and narrow elements."""
        r, m = self.random, self.fresh("m")
        kind, (rows, columns) = r.choice(["short", "u8", "_Float16", "u64", "bool"]), r.choice([(3, 5), (4, 4), (2, 7)])
        value = lambda: (f"_Float16(float(({self.integer(scope)}) & 31u))" if kind == "_Float16" else
                         f"bool(({self.integer(scope)}) & 1u)" if kind == "bool" else self.integer(scope))
        at = lambda: f"{m}[({self.integer(scope)}) % {rows}u][({self.integer(scope)}) % {columns}u]"
        i = self.fresh("i")
        self.emit(depth, f"{kind} {m}[{rows}][{columns}] = {{}};")
        self.emit(depth, f"for (unsigned {i} = 0, e{i} = {self.integer(scope)} & 7u; {i} < e{i}; ++{i}) {at()} = {value()};")
        self.emit(depth, f"if ({self.condition(scope)}) {at()} = {at()};")
        self.emit(depth, f"v0 += unsigned({at()}) * 3u + unsigned({m}[{rows - 1}][{columns - 1}]);")

    def until(self, depth, scope):
        r, g = self.random, self.fresh("g")
        self.emit(depth, f"unsigned {g} = {self.integer(scope)} & 7u;")
        self.emit(depth, "do {")
        self.inner(depth, scope, False, 1)
        self.emit(depth + 1, f"if ({self.condition(scope)}) {r.choice(['break', 'continue'])};")
        self.assign(depth + 1, scope)
        self.emit(depth, f"}} while ({g}-- && {self.condition(scope)});")

    def doubles(self, depth, scope):
        r, d = self.random, self.fresh("d")
        self.emit(depth, f"double {d} = double({self.real(scope)}) * {r.randrange(1, 99)} / 7.0;")
        self.emit(depth, f"if ({d} {r.choice(['<', '>='])} {self.real(scope)}) {d} = sqrt({d}) + {r.choice(['floor', 'ceil', 'rint'])}({d} * 0.3);")
        self.emit(depth, f"v0 += unsigned(u64({d} * 1048576.0) >> {r.randrange(8)}); f0 = fminf(float(fmin({d}, 900.0)), 700.0f);")

    def cases(self, depth, scope):
        """A switch over many values, some of which fall through."""
        r, most = self.random, self.random.randrange(10, 40)
        self.emit(depth, f"switch (int(({self.integer(scope)}) % {most}u) - {r.randrange(4)}) {{")
        for case in r.sample(range(-2, most), r.randrange(8, most)):
            self.emit(depth, f"case {case}:")
            self.assign(depth + 1, scope)
            if self.chance(0.8):
                self.emit(depth + 1, "break;")
        self.emit(depth, "}")

    def leave(self, depth, scope):
        """Lanes return at the top level, and others come to barriers behind it."""
        stored = r"out[at] = v0; " if self.chance(0.6) else ""
        self.emit(depth, f"if ({self.condition(scope)}) {{ {stored}return; }}")
        self.left = True

    def jump(self, depth, scope):
        """A loop with two entries."""
        g = self.fresh("g")
        self.emit(depth, f"unsigned {g} = 0;")
        self.emit(depth, f"if ({self.condition(scope)}) goto inside_{g};")
        self.emit(depth, f"again_{g}: {{")
        self.assign(depth + 1, scope)
        self.emit(depth, "}")
        self.emit(depth, f"inside_{g}: {{")
        self.assign(depth + 1, scope)
        self.emit(depth, "}")
        self.emit(depth, f"if (++{g} < ({self.integer(scope)} & 3u)) goto again_{g};")

    def statement(self, depth, scope, uniform, loops):
        r = self.random
        kind = r.randrange(42)
        if depth > 5:
            kind = min(kind, 5)
        if kind >= 27:
            both = [self.vectors, self.grids, self.until, self.doubles, self.cases, self.texture, self.tally]
            cuda = [self.fields, self.closure, self.bytes, self.pointers, self.pun, self.called, self.wide, self.halves]
            own = [self.swizzles] * 4 + [self.texture, self.tally, self.cases, self.grids] if self.opencl else cuda
            self.emit(depth, "{")
            copy = {"int": list(scope["int"]), "real": list(scope["real"])}
            (both + own)[kind - 27](depth + 1, copy)
            self.emit(depth, "}")
            return
        if kind == 26:
            if depth == 1:
                self.leave(depth, scope)
            else:
                self.assign(depth, scope)
            return
        if kind >= 20:
            # In a scope of their own: jumps must not pass declarations.
            copy = {"int": list(scope["int"]), "real": list(scope["real"])}
            self.emit(depth, "{")
            [self.gather, self.gather, self.structure, self.jump, self.constants, self.constants][kind - 20](depth + 1, copy)
            self.emit(depth, "}")
            return
        if kind < 3:
            self.assign(depth, scope)
        elif kind < 5:
            if self.chance(0.5):
                name = self.fresh("v")
                self.emit(depth, f"unsigned {name} = {self.integer(scope)};")
                scope["int"].append(name)
            else:
                name = self.fresh("f")
                self.emit(depth, f"float {name} = {self.real(scope)};")
                scope["real"].append(name)
        elif kind == 5:
            self.emit(depth, f"local[({self.integer(scope)}) & 7u] = {self.integer(scope)};")
            self.assign(depth, scope)
        elif kind < 9:
            same = uniform and self.chance(0.3)
            self.emit(depth, f"if ({self.uniform() if same else self.condition(scope)}) {{")
            self.inner(depth, scope, same, loops)
            if self.chance(0.6):
                self.emit(depth, "} else {")
                self.inner(depth, scope, same, loops)
            self.emit(depth, "}")
        elif kind < 12:
            same = uniform and self.chance(0.3)
            i = self.fresh("i")
            bound = f"({self.uniform()})" if same else f"({self.integer(scope)} & {r.choice([3, 7])}u)"
            self.emit(depth, f"for (unsigned {i} = 0, e{i} = {bound}; {i} < e{i}; ++{i}) {{")
            inner = {"int": scope["int"] + [i], "real": list(scope["real"])}
            if not same and self.chance(0.4):
                self.emit(depth + 1, f"if ({self.condition(inner)}) {r.choice(['break', 'continue'])};")
            if same and self.chance(0.3):  # all leave, beside barriers
                self.emit(depth + 1, f"if (({i} + n) % {r.randrange(2, 5)}u == 1u) {r.choice(['break', 'continue'])};")
            self.statements(depth + 1, inner, same, loops + 1)
            self.emit(depth, "}")
        elif kind == 12:
            self.emit(depth, f"switch ({self.integer(scope)} % 5u) {{")
            for case in range(r.randrange(2, 5)):
                self.emit(depth, f"case {case}: {{")
                self.inner(depth, scope, False, loops)
                self.emit(depth, "}")
                if self.chance(0.7):
                    self.emit(depth + 1, "break;")
            self.emit(depth, "default: { v0 += 3u; }")
            self.emit(depth, "}")
        elif kind < 15 and uniform and not self.returned:
            self.emit(depth, f"shared[tid] = {self.integer(scope)};")
            self.emit(depth, "__syncthreads();")
            self.emit(depth, f"v0 ^= shared[({self.integer(scope)}) % BLOCK];")
            self.emit(depth, "__syncthreads();")
        elif kind == 15:
            v, target = self.integer(scope), f"&bins[({self.integer(scope)}) & 15u]"
            name = r.choice(["atomicAdd", "atomicMax", "atomicXor", "atomicExch", "atomicMin"])
            used = self.chance(0.5)
            if self.portable:
                name, used = self.atomic, False
            else:
                self.any_order = True
            self.emit(depth, f"{'v0 += ' if used else ''}{name}({target}, {v});")
        elif kind == 16 and not self.portable:
            self.any_order = True
            self.emit(depth, f"v0 += atomicCAS(&bins[16 + (({self.integer(scope)}) & 7u)], "
                             f"{r.randrange(4)}u, {self.integer(scope)});")
        elif kind == 17 and uniform and self.full and not self.returned and not self.left and (self.opencl or self.chance(0.3)):
            self.emit(depth, "{")
            (self.subgroup if self.opencl else self.tile)(depth + 1, scope)
            self.emit(depth, "}")
        elif kind == 17 and uniform and self.full and not self.returned and not self.left:
            name = r.choice(["__shfl_xor_sync", "__shfl_down_sync", "__shfl_sync", "__shfl_up_sync"])
            value = r.choice([f"v0 += {name}(~0u, {self.integer(scope)}, {r.choice([1, 2, 5, 16])});",
                              f"f0 = {name}(~0u, {self.real(scope)}, {r.choice([1, 3, 8])});",
                              f"v0 += __popc(__ballot_sync(~0u, {self.condition(scope)}));",
                              f"v0 ^= __match_any_sync(~0u, {self.integer(scope)} & 7u);",
                              f"v0 += __reduce_add_sync(~0u, {self.integer(scope)});",
                              f"v0 += __syncthreads_count({self.condition(scope)});",
                              f"v0 += {name}(~0u, {self.integer(scope)}, {r.choice([1, 3, 7])}, {r.choice([4, 8, 16])});",
                              f"v0 ^= unsigned({name}(~0u, u64({self.integer(scope)}) << 21 | v0, {r.choice([1, 6])}) >> 13);",
                              f"f0 = fminf(float({name}(~0u, double({self.real(scope)}) / 3.0, {r.choice([2, 4])})), 900.0f);",
                              f"v0 += __all_sync(~0u, {self.condition(scope)}) + __syncthreads_or({self.condition(scope)});",
                              f"for (int d = 16; d; d >>= 1) v0 += __shfl_xor_sync(~0u, v0, d);"])
            self.emit(depth, value)
        elif kind == 18 and not self.portable:
            self.any_order = True
            self.emit(depth, r.choice([
                f"v0 += __popc(__ballot_sync(__activemask(), {self.condition(scope)}));",
                f"v0 ^= __any_sync(__activemask(), {self.condition(scope)});"]))
        elif kind == 19 and not uniform and self.chance(0.3):
            self.emit(depth, f"if ({self.condition(scope)}) {{ out[at] = v0; return; }}")
            self.returned = True
        else:
            self.assign(depth, scope)

    def kernel(self):
        """What stands between the braces, in words that are CUDA's; written once."""
        if self.text:
            return self.text
        e = self.emit
        e(1, "__shared__ unsigned shared[BLOCK];")
        e(1, "__shared__ unsigned tally[8];")
        e(1, "alignas(16) unsigned local[8];")
        e(1, "const unsigned tid = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), at = blockIdx.x * BLOCK + tid;")
        e(1, "unsigned v0 = in[at], v00 = in[(at * 7u) % (gridDim.x * BLOCK)];")
        e(1, "float f0 = float(v0 & 255u) * 0.125f, f00 = float(tid);")
        e(1, "shared[tid] = v0;")
        e(1, "for (unsigned i = tid; i < 8u; i += BLOCK) tally[i] = i;")
        e(1, "for (unsigned i = 0; i < 8; ++i) local[i] = v0 * i;")
        e(1, "__syncthreads();")
        scope = {"int": ["v0", "v00", "tid", "n", "local[v0 & 7u]", "threadIdx.x", "threadIdx.y"], "real": ["f0", "f00"]}
        self.statements(1, scope, True, 0, self.random.randrange(6, 14))
        if not self.returned:
            e(1, "__syncthreads();")
            e(1, "v0 += tally[v00 & 7u];")
        e(1, "out[at] = v0 + v00 + local[v00 & 7u];")
        e(1, "real[at] += f0 + f00;")
        e(1, "wide[at] += double(f0) * v00 / 3.0;")
        e(1, "sums[at] += u64(v0) * v00 + shared[tid];")
        self.text = "\n".join(self.lines) + "\n"
        return self.text


def source(generators, language="cuda"):
    """One file with the kernels; in CUDA their list for the host (host.h), too."""
    words = {"cuda": (preludes.CUDA, 'extern "C" __global__ void', str), "opencl": (preludes.OPENCL, "kernel void", preludes.opencl)}
    text, head, body = words[language]
    for g in generators:
        kernel = (f"#define BLOCK {g.block}u\n{head} {g.name}({preludes.PARAMETERS[language]}) {{\n{body(g.kernel())}}}\n"
                  "#undef BLOCK\n")
        text += kernel if g.portable else f"\n#ifndef HOST\n{kernel}#endif\n"
    if language == "opencl":
        return text
    rows = "".join(f'  {{"{g.name}", {{{", ".join(map(str, g.shape))}}}, {g.name}}},\n' for g in generators if g.portable)
    return text + f"#ifdef HOST\nconst HostKernel hostKernels[] = {{\n{rows}  {{}}}};\n#endif\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seed", type=int)
    parser.add_argument("-o", default="-")
    options = parser.parse_args()
    generator = Generator(options.seed)
    text = source([generator], "opencl" if generator.opencl else "cuda")
    if options.o == "-":
        print(text, end="")
    else:
        with open(options.o, "w") as file:
            file.write(text)
    return generator.shape


if __name__ == "__main__":
    main()
