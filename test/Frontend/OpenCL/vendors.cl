// What other compilers take and Clang does not: parameters of size_t and bool,
// __local variables in a block, __constant variables in a function, the flags
// of drivers.
// RUN: %heddle run %s --kernel tile --grid 1 --block 4 --arg o:i32[4]=iota --arg i64=2 --arg i8=1 --dump o -- -cl-nv-verbose -cl-nv-maxrregcount=32 2>%t.notes | FileCheck %s
// RUN: %heddle run %s --kernel tile --engine interpreter --grid 1 --block 4 --arg o:i32[4]=iota --arg i64=2 --arg i8=1 --dump o | FileCheck %s
// RUN: %heddle kernels %s -- -cl-nv-verbose -cl-nv-maxrregcount=32 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: note: '-cl-nv-verbose' is another compiler's and left out
// LEFT: note: '-cl-nv-maxrregcount=32' is another compiler's and left out
// RUN: FileCheck %s --check-prefix=NOTES < %t.notes
// CHECK: o (i32[4]): 8 7 6 5
// NOTES: vendors.cl:[[#@LINE+4]]: a __constant variable in a function as const
// NOTES: vendors.cl:[[#@LINE+5]]: a parameter of type size_t as ulong
// NOTES: vendors.cl:[[#@LINE+4]]: a parameter of type bool as uchar
// NOTES: vendors.cl:[[#@LINE+7]]: a __local variable inside of a block
int weight(int i) { __constant int w[2] = {1, 2}; return w[i]; }

kernel void tile(global int *o, size_t n, bool reverse) {
  int i = get_local_id(0);
  if (n > 1) {
    int v = o[i] + weight(1);
    __local int t[4];
    t[i] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = t[reverse ? 3 - i : i] + 3;
  }
}

// Every flag of the OpenCL specifications.
// RUN: %heddle kernels %s -- -cl-fast-relaxed-math -cl-mad-enable -cl-std=CL1.2 -cl-single-precision-constant -cl-denorms-are-zero | FileCheck %s --check-prefix=FLAGS
// RUN: %heddle kernels %s -- -cl-no-signed-zeros -cl-unsafe-math-optimizations -cl-finite-math-only -cl-fp32-correctly-rounded-divide-sqrt | FileCheck %s --check-prefix=FLAGS
// RUN: %heddle kernels %s -- -cl-kernel-arg-info -cl-uniform-work-group-size -cl-strict-aliasing -cl-opt-disable -w -Werror -cl-std=CL3.0 | FileCheck %s --check-prefix=FLAGS
// FLAGS: tile
