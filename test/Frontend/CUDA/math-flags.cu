// nvcc's flags for single precision and registers mean what they mean to nvcc.
// DEFINE: %{ptx} = %heddle kernels %s --kernel math --ptx -q --
// RUN: %{ptx} -use_fast_math | FileCheck %s --check-prefix=FAST
// FAST-DAG: mul.rn.ftz.f32
// FAST-DAG: ex2.approx.ftz.f32
// FAST-DAG: lg2.approx.ftz.f32
// FAST-DAG: rsqrt.approx.ftz.f32
// FAST-DAG: sqrt.approx.ftz.f32
// FAST-DAG: sin.approx.ftz.f32
// RUN: %{ptx} -ftz=true | FileCheck %s --check-prefix=FLUSH
// FLUSH-DAG: sqrt.rn.ftz.f32
// FLUSH-DAG: rsqrt.approx.ftz.f32
// RUN: %{ptx} -ftz=false | FileCheck %s --check-prefix=KEEP
// KEEP-NOT: .ftz

// Without denormal operands nothing is scaled for the special function unit.
// RUN: %heddle kernels %s --kernel math --isa machine --code-table -q -- -use_fast_math | FileCheck %s --check-prefix=SCALED --implicit-check-not=FSETP
// SCALED: MUFU.EX2

// What is left out is named.
// RUN: %heddle kernels %s --kernel math -- -prec-div=false 2>&1 | FileCheck %s --check-prefix=LEFT
// LEFT: note: '-prec-div=false' is another compiler's and left out

// Denormal numbers are zero, as operands and as results, in both engines and
// from PTX; with doubles beside them they stay, which is said.
// DEFINE: %{launch} = --grid 1 --block 32 --arg o:f32[32]=zero --arg f32[32]=value:2e-38 --dump 0 -q
// RUN: %heddle run %s --kernel quarter %{launch} | FileCheck %s --check-prefix=DENORMAL
// DENORMAL: (f32[32]): 5e-39
// RUN: %heddle run %s --kernel quarter %{launch} -- -ftz=true | FileCheck %s --check-prefix=ZERO
// RUN: %heddle run %s --kernel quarter %{launch} --engine interpreter -- -ftz=true | FileCheck %s --check-prefix=ZERO
// RUN: %heddle kernels %s --kernel quarter --ptx -q -o %t.ptx -- -ftz=true
// RUN: %heddle run %t.ptx --kernel quarter %{launch} | FileCheck %s --check-prefix=ZERO
// ZERO: (f32[32]): 0 0
// RUN: %heddle run %s --kernel doubles %{launch} --json %t.json -- -ftz=true | FileCheck %s --check-prefix=DENORMAL
// RUN: FileCheck %s --check-prefix=SAID --input-file=%t.json
// SAID: kernel 'doubles': with doubles or matrix products beside them execution keeps denormal numbers
// RUN: sed '0,/mul.rn.ftz/s//mul.rn/' %t.ptx > %t.mixed.ptx
// RUN: %heddle run %t.mixed.ptx --kernel quarter %{launch} --json %t.json | FileCheck %s --check-prefix=DENORMAL
// RUN: FileCheck %s --check-prefix=MIXED --input-file=%t.json
// MIXED: kernel 'quarter': some instructions of single precision have .ftz and others do not

// Registers, but for kernels with launch bounds.
// RUN: %heddle kernels %s --kernel math --ptx -q -- -maxrregcount=32 | FileCheck %s --check-prefix=LIMIT
// RUN: %heddle kernels %s --kernel math --ptx -q -- --maxrregcount 32 | FileCheck %s --check-prefix=LIMIT
// LIMIT: .maxnreg 32
// RUN: %heddle kernels %s --kernel math --ptx -q -- -maxrregcount=64 -maxrregcount=32 | FileCheck %s --check-prefix=LIMIT
// RUN: %heddle kernels %s --kernel bounded --ptx -q -- -maxrregcount=32 | FileCheck %s --implicit-check-not=.maxnreg --check-prefix=BOUNDED
// BOUNDED: .maxntid 64
// RUN: %status 1 %heddle kernels %s -q -- -maxrregcount=few 2>&1 | FileCheck %s --check-prefix=FEW
// FEW: error: -maxrregcount=few: this is no number of registers
extern "C" __global__ void math(float *o, const float *a) {
  const float x = a[threadIdx.x];
  o[threadIdx.x] = __expf(x) + __logf(x) * rsqrtf(x) + sqrtf(x) + __sinf(x);
}
extern "C" __global__ void quarter(float *o, const float *a) {
  o[threadIdx.x] = a[threadIdx.x] * 0.5f * 0.5f;
}
extern "C" __global__ void doubles(float *o, const float *a) {
  o[threadIdx.x] = float(double(a[threadIdx.x] * 0.25f) + 1e-300);
}
extern "C" __global__ void __launch_bounds__(64) bounded(float *o) {
  o[threadIdx.x] *= 2;
}
