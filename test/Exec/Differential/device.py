"""Statements of random kernels (generate.py) that only GPUs have: textures, groups
of lanes, atomics on shared memory and wide numbers, narrow floating point; and what
OpenCL has in place of CUDA's functions."""


class DeviceStatements:
    """Mixed into the generator, whose expressions it uses."""

    def texture(self, depth, scope):
        """A line of integers and planes of floats. The filter's weights are quarters, which it has exactly."""
        r = self.random
        self.emit(depth, f"v0 ^= texel(line, int(({self.integer(scope)}) % (gridDim.x * BLOCK)));")
        at = lambda most, part: f"float(int(({self.integer(scope, 1)}) & {most}u) - {r.randrange(5)}) {part}"
        name = r.choice(["point", "blend"])
        part = f"* {r.choice(['0.25f', '0.5f'])}" if name == "blend" else "+ 0.5f"
        plane = "smooth" if name == "blend" else "plane"
        self.emit(depth, f"f0 = fminf(f0 + {name}({plane}, {at(63, part)}, {at(31, part)}), 800.0f);")
        if self.chance(0.3):
            i = self.fresh("i")
            self.emit(depth, f"for (unsigned {i} = 0, e{i} = {self.integer(scope)} & 3u; {i} < e{i}; ++{i}) "
                             f"v00 += texel(line, int((v0 + {i}) % (gridDim.x * BLOCK)));")

    def tally(self, depth, scope):
        """Atomics whose order does not show: one kind on shared memory, the others on the thread's own elements."""
        r = self.random
        self.emit(depth, f"{self.atomic}(&tally[({self.integer(scope)}) & 7u], {self.integer(scope)});")
        self.emit(depth, f"atomicWide(&sums[at], u64({self.integer(scope)}) << {r.randrange(30)} | {self.integer(scope)});")
        if not self.opencl:
            self.emit(depth, r.choice([
                f"atomicAdd(&real[at], {self.real(scope)});", f"atomicAdd(&wide[at], double({self.real(scope)}) / 3.0);",
                f"v0 += atomicInc(&out[at], {r.randrange(1, 9)}u);", f"v0 ^= atomicExch(&out[at], {self.integer(scope)});",
                f"v0 ^= unsigned(atomicMax(&sums[at], u64({self.integer(scope)}) << 7) >> 9);",
                f"v0 += atomicCAS(&out[at], 0u, {self.integer(scope)}) + atomicOr(&out[at], {self.integer(scope)});"]))

    def tile(self, depth, scope):
        """Lanes of a part of the warp; where all lanes are there."""
        r, t = self.random, self.fresh("t")
        self.emit(depth, f"auto {t} = cg::tiled_partition<{r.choice([2, 4, 8, 16, 32])}>(cg::this_thread_block());")
        for _ in range(r.randrange(1, 4)):
            x, lane = self.integer(scope), r.randrange(1, 9)
            self.emit(depth, r.choice([
                f"v0 += {t}.shfl_xor({x}, {lane});", f"v0 ^= {t}.shfl_down({x}, {lane}u);", f"v0 += {t}.shfl({x}, 1);",
                f"v0 += cg::reduce({t}, {x}, cg::plus<unsigned>());", f"v0 ^= cg::reduce({t}, {x}, cg::greater<unsigned>());",
                f"v0 += {t}.ballot({self.condition(scope)}) + {t}.thread_rank();", f"v0 += {t}.any({self.condition(scope)});",
                f"v0 ^= {t}.all({self.condition(scope)}) + {t}.meta_group_rank() * {lane}u;",
                f"f0 = {t}.shfl_up({self.real(scope)}, {lane}u); {t}.sync();"]))

    def subgroup(self, depth, scope):
        """OpenCL's functions of a sub-group and a work-group; where all work-items are there."""
        r = self.random
        for _ in range(r.randrange(1, 4)):
            x = self.integer(scope)
            self.emit(depth, r.choice([
                f"v0 += sub_group_reduce_add({x});", f"v0 ^= sub_group_reduce_max({x});", f"v0 += sub_group_scan_inclusive_add({x});",
                f"v0 ^= sub_group_scan_exclusive_add({x});", f"v0 += sub_group_broadcast({x}, {r.randrange(32)}u);",
                f"v0 ^= sub_group_shuffle_xor({x}, {r.randrange(1, 32)}u);", f"v0 += sub_group_shuffle({x}, {r.randrange(32)}u);",
                f"v0 += unsigned(sub_group_any(int({x} & 1u))) + 2u * unsigned(sub_group_all(int({x} & 3u)));",
                f"v0 += work_group_reduce_add({x});", f"v0 ^= unsigned(work_group_any(int({x} & 1u)));",
                f"v0 ^= work_group_broadcast({x}, 0u, 0u, 0u);"]))

    def halves(self, depth, scope):
        r, h = self.random, self.fresh("h")
        value = lambda: f"fminf({self.real(scope)}, 30.0f)"
        self.emit(depth, f"__half2 {h} = __floats2half2_rn({value()}, {value()}), {h}b = __floats2half2_rn({value()}, {value()});")
        if self.chance(0.5):
            self.emit(depth, f"if ({self.condition(scope)}) {h} = __hmul2({h}, {h}b);")
        self.emit(depth, f"{h} = {r.choice([f'__hfma2({h}, {h}b, {h})', f'__hadd2({h}, {h}b)', f'__hsub2({h}, {h}b)', f'__lowhigh2highlow({h})'])};")
        self.emit(depth, f"f0 = fminf(fabsf(__low2float({h})) + fabsf(__high2float({h}b)), 800.0f);")
        self.emit(depth, f"f00 = __bfloat162float(__float2bfloat16(f00 + f0 * {r.randrange(1, 30) / 8}f)); f00 = fminf(f00, 700.0f);")

    def swizzles(self, depth, scope):
        """Vectors as OpenCL has them."""
        r, q = self.random, self.fresh("q")
        order = lambda n: "".join(r.choice("xyzw") for _ in range(n))
        two = "".join(r.sample("xyzw", 2))
        self.emit(depth, f"uint4 {q} = make_uint4({', '.join(self.integer(scope, 1) for _ in range(4))});")
        self.emit(depth, f"{q} = {q}.{order(4)} {r.choice('+*^')} {q}.{order(4)};")
        self.emit(depth, f"if ({self.condition(scope)}) {q}.{two} = {q}.{order(2)};")
        self.emit(depth, f"{q} = {q} {r.choice(['>>', '<<'])} ({q}.{order(4)} & 15u);")
        self.emit(depth, f"v0 += {q}.x * 3u + ({q}.y ^ {q}.z) - {q}.w;")

    def builtin(self, a, b, c):
        """OpenCL's functions of integers."""
        return self.random.choice([
            f"rotate({a}, {b})", f"mad_hi({a}, {b}, {c})", f"abs_diff({a}, {b})", f"add_sat({a}, {b})", f"sub_sat({a}, {b})",
            f"hadd({a}, {b})", f"rhadd({a}, {b})", f"bitselect({a}, {b}, {c})", f"mul24({a} & 0xffffffu, {b} & 0xffffffu)",
            f"clamp({a}, {b} & 255u, ({b} & 255u) + 100u)", f"popcount({a})"])
