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

// Division and roots, wherever the flag stands. A division by a power of two stays a multiplication.
// DEFINE: %{quotients} = %heddle kernels %s --kernel quotients --ptx -q --
// RUN: %{quotients} -prec-div=true -prec-sqrt=true -fmad=true | FileCheck %s --check-prefix=EXACT
// RUN: %{quotients} -use_fast_math -prec-div=true -prec-sqrt=true -ftz=false | FileCheck %s --check-prefix=EXACT
// EXACT-DAG: div.rn.f32
// EXACT-DAG: rcp.rn.f32
// EXACT-DAG: sqrt.rn.f32
// EXACT-DAG: 0f3E800000
// RUN: %{quotients} -prec-div=false | FileCheck %s --check-prefix=FULL
// FULL-DAG: div.full.f32
// FULL-DAG: rcp.approx.f32
// FULL-DAG: sqrt.rn.f32
// FULL-DAG: 0f3E800000
// RUN: %{quotients} --prec-sqrt=false --ftz=true -prec-div=false | FileCheck %s --check-prefix=ROOTS
// ROOTS-DAG: div.full.ftz.f32
// ROOTS-DAG: rcp.approx.ftz.f32
// ROOTS-DAG: sqrt.approx.ftz.f32
// RUN: %{quotients} -prec-div=true -use_fast_math | FileCheck %s --check-prefix=OTHERS
// OTHERS-DAG: div.rn.ftz.f32
// OTHERS-DAG: rcp.rn.ftz.f32
// OTHERS-DAG: sqrt.approx.ftz.f32
// RUN: %{quotients} -use_fast_math -ftz=false -fmad=false | FileCheck %s --check-prefix=KEPT --implicit-check-not=.ftz --implicit-check-not=fma.
// KEPT-DAG: div.approx.f32
// KEPT-DAG: sqrt.approx.f32
// What names its rounding keeps it.
// RUN: %heddle kernels %s --kernel named --ptx -q -- -use_fast_math | FileCheck %s --check-prefix=NAMED --implicit-check-not=approx
// NAMED-DAG: div.rn.ftz.f32
// NAMED-DAG: sqrt.rn.ftz.f32
// NAMED-DAG: rcp.rn.ftz.f32
// DEFINE: %{ratio} = %heddle run %s --kernel quotients --grid 1 --block 32 --arg o:f32[96]=zero --arg f32[32]=value:3 --dump 0 -q
// RUN: %{ratio} -- -prec-div=false -prec-sqrt=false | FileCheck %s --check-prefix=VALUES
// RUN: %{ratio} --engine interpreter -- -prec-div=false -prec-sqrt=false | FileCheck %s --check-prefix=VALUES
// VALUES: (f32[96]): 2.57
// RUN: %status 1 %{quotients} -prec-div=maybe 2>&1 | FileCheck %s --check-prefix=MAYBE
// MAYBE: error: unknown argument: '-prec-div=maybe'

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
extern "C" __global__ void quotients(float *o, const float *a) {
  const float x = a[threadIdx.x];
  o[threadIdx.x] = x / (x + 1) + x / 4 + 1 / x + sqrtf(x) * x / 7;
}
extern "C" __global__ void named(float *o, const float *a) {
  const float x = a[threadIdx.x], y = a[threadIdx.x + 32];
  o[threadIdx.x] = __fdiv_rn(x, y);
  o[threadIdx.x + 32] = __fsqrt_rn(x);
  o[threadIdx.x + 64] = __frcp_rn(y);
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
