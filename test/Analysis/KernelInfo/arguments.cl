// Offsets in the parameter block are those of PTX: each argument at the next
// multiple of its own alignment.
// RUN: %heddle kernels %s | FileCheck %s
// RUN: %heddle kernels %s --json - | FileCheck %s --check-prefix=JSON

typedef struct { char tag; double value; } Pair;

// CHECK: {{^}}k  {{.*}}arguments.cl:[[#@LINE+26]]
// CHECK-NEXT: argument c char scalar 1 B at 0
// CHECK-NEXT: argument s short scalar 2 B at 2
// CHECK-NEXT: argument g float* global 8 B at 8 restrict
// CHECK-NEXT: argument l double2* local 8 B at 16
// CHECK-NEXT: argument k int* constant 8 B at 24 read
// CHECK-NEXT: argument f float scalar 4 B at 32
// CHECK-NEXT: argument v float4 scalar 16 B at 48
// CHECK-NEXT: argument w float3 scalar 16 B at 64
// CHECK-NEXT: argument p Pair struct 16 B at 80
// CHECK-NEXT: argument d double scalar 8 B at 96
// CHECK-NEXT: parameters 104 B
// CHECK-NEXT: registers {{[0-9]+}} per thread
// CHECK-NEXT: shared 512 B and what the launch asks for
// CHECK-NEXT: launch bounds block of 8 x 4 x 1
// CHECK-NEXT: barriers 1

// JSON: "name": "v",
// JSON-NEXT: "type": "float4",
// JSON-NEXT: "kind": "scalar",
// JSON-NEXT: "size_bytes": 16,
// JSON-NEXT: "align_bytes": 16,
// JSON-NEXT: "offset_bytes": 48
// JSON: "static_shared_bytes": 512,
// JSON-NEXT: "dynamic_shared": true,
__attribute__((reqd_work_group_size(8, 4, 1)))
__kernel void k(char c, short s, __global float *restrict g, __local double2 *l,
                __constant int *k, float f, float4 v, float3 w, Pair p, double d) {
  __local float tile[128];
  tile[get_local_id(0)] = g[0];
  l[get_local_id(0)] = (double2)(d, p.value);
  barrier(CLK_LOCAL_MEM_FENCE);
  g[1] = tile[get_local_id(0) ^ 1] + l[get_local_id(0) ^ 1].y + c + s + k[0] + f + v.x + w.z;
}
