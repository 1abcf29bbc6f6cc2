// A string of printf that lies where it should not: a message with the line, by all
// ways to execute. What may be read is printed, under --check as well.
// DEFINE: %{kernel} = wild
// DEFINE: %{at} = 0
// DEFINE: %{run} = %heddle run %s --grid 1 --block 32 --kernel %{kernel} --arg i8[16]=value:65 --arg i64=%{at} -q
// DEFINE: %{wrong} = %status 1 %{run}
// DEFINE: %{text} = FAR
// DEFINE: %{all} = %{wrong} --engine jit 2>&1 | FileCheck %s --check-prefix=%{text} && %{wrong} --engine interpreter 2>&1 | FileCheck %s --check-prefix=%{text} && %{wrong} --check 2>&1 | FileCheck %s --check-prefix=%{text}
// REDEFINE: %{at} = 99999999999
// RUN: %{all}
// FAR: heddle: error: {{.*}}wild-strings.cu:[[#@LINE+19]]: out-of-bounds read of a string that is printed at address 0x{{[0-9a-f]+}}, 99999999983 bytes past the end of 'p' (16 bytes) (block (0, 0, 0), thread (0, 0, 0)), and 31 more
// REDEFINE: %{kernel} = shared
// REDEFINE: %{text} = SHARED
// RUN: %{all}
// SHARED: heddle: error: {{.*}}wild-strings.cu:[[#@LINE+25]]: out-of-bounds read of a string that is printed at offset 99999999999 of shared memory (32 bytes) (block (0, 0, 0), thread (0, 0, 0)), and 31 more
//
// No zero ends it before its buffer does.
// REDEFINE: %{kernel} = unended
// REDEFINE: %{at} = 0
// RUN: %{wrong} --check 2>&1 | FileCheck %s --check-prefix=END
// END: heddle: error: {{.*}}wild-strings.cu:[[#@LINE+13]]: out-of-bounds read of a string that is printed at address 0x{{[0-9a-f]+}}, just past the end of 'p' (16 bytes)
// REDEFINE: %{kernel} = good
// RUN: %{run} --check | FileCheck %s --check-prefix=GOOD --match-full-lines
// RUN: %{run} --engine jit | FileCheck %s --check-prefix=GOOD --match-full-lines
// RUN: %{run} --engine interpreter | FileCheck %s --check-prefix=GOOD --match-full-lines
// GOOD: AAAA AA (null) a string 7 bcd   AAAAAAA|
#include <cstdio>

extern "C" __global__ void wild(const char *p, long n) {
  printf("a %s\n", p + n);
}
extern "C" __global__ void unended(const char *p, long n) {
  printf("%.16s\n", p);
  printf("%d %s\n", 1, p);
}
extern "C" __global__ void shared(const char *p, long n) {
  __shared__ char s[32];
  s[threadIdx.x] = 'a';
  __syncthreads();
  printf("%.4s\n", s + n);
}
extern "C" __global__ void good(const char *p, long n) {
  __shared__ char s[4];
  if (threadIdx.x < 4)
    s[threadIdx.x] = threadIdx.x < 3 ? 'b' + threadIdx.x : 0;
  __syncthreads();
  if (threadIdx.x == 3)
    printf("%.4s %.*s %s %s %d %s %9.7s|\n", p, 2, p + 14, (const char *)n, "a string", 7, s, p);
}
