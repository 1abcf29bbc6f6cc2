// What the built-in functions compute, checked by the kernel itself: an element
// of the buffer is 0 or the line of the check that failed.
// RUN: %heddle run %s --grid 2 --block 32 --arg 'i32[64]=zero' --arg f32=2.5 --arg f64=2.5 --arg i32=-77 --arg local=256 --engine interpreter --dump failed | FileCheck %s
// RUN: %heddle run %s --grid 2 --block 32 --arg 'i32[64]=zero' --arg f32=2.5 --arg f64=2.5 --arg i32=-77 --arg local=256 --engine jit --dump failed | FileCheck %s
// CHECK: failed (i32[{{[0-9]+}}]): {{(0 )+}}...

#define EXPECT(condition)                                                      \
  if (!(condition) && failed[get_global_id(0)] == 0)                           \
  failed[get_global_id(0)] = __LINE__

bool near(double value, double expected) {
  return fabs(value - expected) <= 1e-5 * fabs(expected);
}

__kernel void check(__global int *failed, float x, double d, int n, __local int *l) {
  uint u = n, id = get_local_id(0);
  EXPECT(get_global_id(0) == get_group_id(0) * 32 + id && get_global_size(0) == 64);
  EXPECT(get_num_groups(0) == 2 && get_local_size(0) == 32 && get_work_dim() == 1);
  EXPECT(get_global_offset(0) == 0 && get_global_id(1) == 0 && get_local_size(2) == 1);
  EXPECT(near(sin(x), 0.598472144) && near(cos(x), -0.801143616));
  EXPECT(near(exp(x), 12.182493961) && near(exp10(x), 316.227766017));
  EXPECT(near(log(x), 0.916290732) && near(log2(x), 1.321928095));
  EXPECT(near(pow(x, 3.5f), 24.705294220) && near(pown(x, 3), 15.625));
  EXPECT(near(powr(x, 3.5f), 24.705294220) && near(rootn(x, 3), 1.357208808));
  EXPECT(near(sqrt(x), 1.581138830) && near(rsqrt(x), 0.632455532));
  EXPECT(near(native_sin(x), 0.598472144) && near(native_exp(x), 12.182493961));
  EXPECT(near(native_log(x), 0.916290732) && near(native_sqrt(x), 1.581138830));
  EXPECT(near(native_rsqrt(x), 0.632455532) && near(native_recip(x), 0.4));
  EXPECT(near(native_powr(x, 3.5f), 24.705294220) && near(native_divide(x, 4.0f), 0.625));
  EXPECT(near(half_exp(x), 12.182493961) && near(half_sqrt(x), 1.581138830));
  EXPECT(near(erf(x), 0.999593048) && near(tgamma(x), 1.329340388));
  EXPECT(near(fmod(x, 0.75f), 0.25) && near(hypot(x, 6.0f), 6.5));
  EXPECT(near(sinpi(x), 1.0) && near(atan2pi(x, x), 0.25) && near(log1p(x), 1.252762968));
  EXPECT(mad(x, x, x) == 8.75f && fma(x, x, x) == 8.75f && clamp(x, 0.0f, 1.0f) == 1.0f);
  EXPECT(mix(x, 4.5f, 0.5f) == 3.5f && step(3.0f, x) == 0.0f && sign(-x) == -1.0f);
  EXPECT(near(smoothstep(0.0f, 5.0f, x), 0.5) && near(degrees(x), 143.239448783));
  EXPECT(near(sin(d), 0.598472144) && near(cbrt(d), 1.357208808));
  float part;
  int exponent;
  EXPECT(fract(x, &part) == 0.5f && part == 2.0f);
  EXPECT(frexp(x, &exponent) == 0.625f && exponent == 2 && ldexp(x, 3) == 20.0f);
  EXPECT(near(sincos(x, &part), 0.598472144) && near(part, -0.801143616));
  // vectors
  float4 v = (float4)(x, 1.0f, 2.0f, 3.0f);
  EXPECT(dot(v, v) == 20.25f && length(v) == 4.5f && near(normalize(v).w, 0.666666667));
  EXPECT(cross(v, v).x == 0.0f && distance(v, v) == 0.0f && v.hi.y == 3.0f);
  EXPECT(any(isequal(v, (float4)(3.0f))) && !all(isequal(v, (float4)(3.0f))));
  EXPECT(near(sin(v).x, 0.598472144) && max(v, 2.0f).y == 2.0f);
  uchar4 c = convert_uchar4_sat(v * 200.0f);
  EXPECT(c.x == 255 && c.y == 200 && as_uint(c) == 0xffffc8ffu);
  EXPECT(shuffle(v, (uint4)(3, 2, 1, 0)).x == 3.0f);
  EXPECT(convert_int_rte(x) == 2 && convert_int_rtp(x) == 3 && convert_int_sat(1e30f * x) == INT_MAX);
  // integers, n = -77
  EXPECT(abs(n) == 77 && popcount(n) == 29 && clz(-n) == 25 && rotate(1u, u) == 0x80000u);
  EXPECT(add_sat(INT_MAX, -n) == INT_MAX && sub_sat(INT_MIN, -n) == INT_MIN);
  EXPECT(mul_hi(u, u) == 0xffffff66u && mad24(n, 3, 1) == -230 && hadd(n, 1) == -38);
  EXPECT(upsample((short)1, (ushort)2) == 65538 && select(1, 2, n) == 2);
  EXPECT(bitselect(0xf0, 0x0f, 0x3c) == 0xcc && abs_diff(n, 3) == 80);
  // local memory, barriers, atomics, sub-groups
  l[id] = id;
  barrier(CLK_LOCAL_MEM_FENCE);
  EXPECT(l[id ^ 1] == (id ^ 1));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (id == 0)
    l[0] = l[1] = l[2] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&l[0], 2);
  atomic_max(&l[1], (int)id);
  atomic_fetch_add_explicit((__local atomic_int *)&l[2], 3, memory_order_relaxed, memory_scope_work_group);
  barrier(CLK_LOCAL_MEM_FENCE);
  EXPECT(l[0] == 64 && l[1] == 31 && l[2] == 96);
  EXPECT(get_sub_group_size() == 32 && get_sub_group_local_id() == id);
  EXPECT(sub_group_reduce_add((int)id) == 496 && sub_group_broadcast((int)id, 7) == 7);
  EXPECT(sub_group_scan_inclusive_add((int)id) == (int)(id * (id + 1) / 2));
}
