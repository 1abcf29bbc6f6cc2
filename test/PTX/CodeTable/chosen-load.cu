// The back end makes one load of a choice between two, at the address that it chooses. It is an
// access with addresses of its own, not the read of a parameter.
// RUN: %heddle kernels --no-ptxas --code-table --isa ptx %s | FileCheck %s
// RUN: %heddle kernels --code-table --isa machine --arch sm_80 %s | FileCheck %s --check-prefix=MACHINE
// CHECK: ld.global.b32 {{.*}} global 4 B m0+0
// CHECK: ld.global.b32 {{.*}} global 4 B m1+0
// MACHINE: LDG.E {{.*}} global 4 B m0+0
// MACHINE: LDG.E {{.*}} global 4 B m{{[12]}}+0
__device__ unsigned birth = 8, survival = 12;
__global__ void next(const int *now, unsigned *out) {
  int i = threadIdx.x;
  out[i] = (now[i] == 7 ? survival : birth) >> i;
}
