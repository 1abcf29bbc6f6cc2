// Lanes that have returned are not waited for at a barrier, and lanes that leave
// the kernel run before those that go on to one, whatever the source's order.
// DEFINE: %{kernel} = a
// DEFINE: %{run} = %heddle run %s --kernel %{kernel} --grid 2 --block 64 --arg o:i32[64]=zero --arg i32[128]=iota --arg i32=20 --dump o -q
// DEFINE: %{trace} = %heddle trace %s --kernel %{kernel} --grid 2 --block 64 --arg i32[64]=zero --arg i32[128]=iota --arg i32=20 --isa ir -q
// RUN: %{run} | FileCheck %s --check-prefix=A
// RUN: %{run} --engine interpreter | FileCheck %s --check-prefix=A
// A: o (i32[64]): 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
// RUN: %{trace} -o %t.j
// RUN: %{trace} --engine interpreter -o %t.i
// RUN: cmp %t.j %t.i
// RUN: %{trace} --mode sliced -o %t.s
// RUN: %heddle trace diff %t.j %t.s
// RUN: %{trace} --mode static -o %t.t
// RUN: %heddle trace diff %t.j %t.t
// RUN: %heddle simulate %t.j -q --json - | FileCheck %s --check-prefix=CYCLES
// CYCLES: "cycles": [[#%u,]]
// From PTX as well, whose blocks stay as they are.
// RUN: %heddle kernels %s --kernel a --ptx -o %t.ptx
// RUN: %heddle run %t.ptx --kernel a --grid 2 --block 64 --arg o:i32[64]=zero --arg i32[128]=iota --arg i32=20 --dump 0 -q | FileCheck %s --check-prefix=PTX
// PTX: (i32[64]): 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16

// REDEFINE: %{kernel} = b
// RUN: %{run} | FileCheck %s --check-prefix=B
// RUN: %{run} --engine interpreter | FileCheck %s --check-prefix=B
// B: o (i32[64]): 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
// RUN: %{trace} -o %t.j
// RUN: %{trace} --mode sliced -o %t.s
// RUN: %heddle trace diff %t.j %t.s
// RUN: %{trace} --mode static -o %t.t
// RUN: %heddle trace diff %t.j %t.t

// REDEFINE: %{kernel} = c
// RUN: %{run} | FileCheck %s --check-prefix=C
// RUN: %{run} --engine interpreter | FileCheck %s --check-prefix=C
// C: o (i32[64]): 1 2 3 4

// Inside of another branch, and where the optimiser could store once for both.
// REDEFINE: %{kernel} = d
// RUN: %{run} | FileCheck %s --check-prefix=D
// RUN: %{run} --engine interpreter | FileCheck %s --check-prefix=D
// D: o (i32[64]): 0 -1 2 3 4 5 6 -1 8 9 10 11 12 -1 14 15
// RUN: %{trace} -o %t.j
// RUN: %{trace} --engine interpreter -o %t.i
// RUN: cmp %t.j %t.i
// RUN: %{trace} --mode sliced -o %t.s
// RUN: %heddle trace diff %t.j %t.s
// RUN: %heddle run %s --kernel d --grid 1 --block 64 --arg o:i32[64]=zero --arg i32[128]=iota --arg i32=5 --dump o -q | FileCheck %s --check-prefix=MORE
// MORE: o (i32[64]): 0 -1 2 3 4 5 -2 -1 8 -2 -2 11 -2 -1 14 -2

// In a loop that lanes leave by such ways alone.
// REDEFINE: %{kernel} = e
// RUN: %{run} | FileCheck %s --check-prefix=E
// RUN: %{run} --engine interpreter | FileCheck %s --check-prefix=E
// E: o (i32[64]): 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
// RUN: %{trace} -o %t.j
// RUN: %{trace} --engine interpreter -o %t.i
// RUN: cmp %t.j %t.i

// The same at the end of the loop: those that stay wait at its start.
// REDEFINE: %{kernel} = f
// RUN: %{run} | FileCheck %s --check-prefix=F
// RUN: %{run} --engine interpreter | FileCheck %s --check-prefix=F
// F: o (i32[64]): 0 1 2 3 4 -3 6 7 8 9 10 -3 12 13 14 15
// RUN: %{trace} -o %t.j
// RUN: %{trace} --engine interpreter -o %t.i
// RUN: cmp %t.j %t.i
// RUN: %{trace} --mode sliced -o %t.s
// RUN: %heddle trace diff %t.j %t.s

// A barrier that lanes wait for which are still to come back is none.
// REDEFINE: %{kernel} = bad
// RUN: %status 1 %{run} 2>&1 | FileCheck %s --check-prefix=BAD
// RUN: %status 1 %{run} --engine interpreter 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: early-return.cu:[[#@LINE+89]]: barrier in divergent code

extern "C" __global__ void a(int *out, const int *in, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t >= n)
    return;
  s[t] = in[t];
  __syncthreads();
  out[t] = s[(t + 1) % n];
}
// Both stores must not become one behind the barrier.
extern "C" __global__ void b(int *out, const int *in, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t >= n) {
    out[t] = 7;
    return;
  }
  s[t] = in[t];
  __syncthreads();
  out[t] = s[(t + 1) % n];
}
extern "C" __global__ void c(int *out, const int *in, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    if (t > 60 - i)
      return;
    s[t] = in[t] + i;
    __syncthreads();
    out[t] = s[(t + 1) % 64] - i;
    __syncthreads();
  }
}
extern "C" __global__ void d(int *out, const int *in, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  int first = in[t];
  for (int i = 0, e = t % 14 ? 2 : first & 7; i < e; ++i)
    first += in[(first + i) % 64] * 64;
  if (t % 6 == 1) {
    out[t] = -1;
    return;
  }
  if (in[t] > n && in[t + 64] % 3) {
    out[t] = -2;
    return;
  }
  s[t] = first % 64;
  __syncthreads();
  out[t] = s[t];
}
extern "C" __global__ void e(int *out, const int *in, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  for (int i = 0; i < n; ++i) {
    if (t > 60 - i && in[t] % 3)
      return;
    s[t] = in[t] + i;
    __syncthreads();
    out[t] = s[t] - i;
    __syncthreads();
  }
}
extern "C" __global__ void f(int *out, const int *in, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, i = 0;
  do {
    s[t] = in[t] + i;
    __syncthreads();
    out[t] = s[t] - i;
    if (in[t] % 7 == i) {
      if (in[t + 1] % 3)
        return;
      out[t] = -1;
      if (i > 3) {
        out[t] = -3;
        return;
      }
    }
    ++i;
  } while (t < n + 20 - i && s[t ^ 1] != 17);
}
extern "C" __global__ void bad(int *out, const int *in, int n) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < n) {
    s[t] = in[t];
    __syncthreads();
  }
  out[t] = s[(t + 1) % 64] + in[t + 64];
}
