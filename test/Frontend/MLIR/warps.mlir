// Reductions, shuffles, rotations and broadcasts of warps and blocks, of any
// type, and the dialect nvgpu.
// RUN: %heddle run %s --kernel sums --arch sm_70 --grid 1 --block 64 --arg in:f32[64]=iota --arg out:f32[256]=zero --dump out=%t -q
// RUN: od -v -An -tf4 -w4 %t | awk 'NR % 64 == 1 || NR % 64 == 40' | FileCheck %s --check-prefix=SUMS
// Of a warp, of a quarter of one, of the block, a maximum.
// SUMS:      {{^ *}}496{{$}}
// SUMS-NEXT: {{^ *}}1520{{$}}
// SUMS-NEXT: {{^ *}}28{{$}}
// SUMS-NEXT: {{^ *}}284{{$}}
// SUMS-NEXT: {{^ *}}2016{{$}}
// SUMS-NEXT: {{^ *}}2016{{$}}
// SUMS-NEXT: {{^ *}}31{{$}}
// SUMS-NEXT: {{^ *}}63{{$}}
// RUN: %heddle run %s --kernel halves --arch sm_70 --grid 1 --block 64 --arg in:f16[64]=iota --arg out:f16[192]=zero --dump out=%t -q
// RUN: od -v -An -tu2 -w2 %t | awk 'NR % 64 == 2' | FileCheck %s --check-prefix=HALVES
// What lane 0 has, what lane 4 has, what lane 3 has.
// HALVES:      {{^ *}}0{{$}}
// HALVES-NEXT: {{^ *}}17408{{$}}
// HALVES-NEXT: {{^ *}}16896{{$}}
// RUN: %heddle run %s --kernel redux --arch sm_80 --grid 1 --block 32 --arg in:i32[32]=iota --arg out:i32[32]=zero --dump out | FileCheck %s --check-prefix=REDUX
// RUN: %heddle kernels %s --kernel redux --arch sm_80 --ptx | FileCheck %s --check-prefix=INSTRUCTION
// REDUX: out (i32[32]): 496 496
// INSTRUCTION: redux.sync.add
// RUN: %heddle run %s --kernel tiles --arch sm_80 --grid 1 --block 32 --arg in:f16[512]=value:1 --arg out:f32[64]=zero --dump out | FileCheck %s --check-prefix=TILES
// RUN: %heddle simulate %s --kernel tiles --gpu a100 --grid 1 --block 32 --arg in:f16[512]=value:1 --arg out:f32[64]=zero | FileCheck %s --check-prefix=CYCLES
// TILES: out (f32[64]): 16 16 16
// CYCLES: cycles
gpu.module @m {
  gpu.func @sums(%in: memref<64xf32>, %out: memref<256xf32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %in[%i] : memref<64xf32>
    %a = gpu.subgroup_reduce add %v : (f32) -> f32
    %b = gpu.subgroup_reduce add %v cluster(size = 8) : (f32) -> f32
    %c = gpu.all_reduce add %v uniform {} : (f32) -> f32
    %d = gpu.subgroup_reduce maxnumf %v : (f32) -> f32
    %c64 = arith.constant 64 : index
    memref.store %a, %out[%i] : memref<256xf32>
    %j = arith.addi %i, %c64 : index
    memref.store %b, %out[%j] : memref<256xf32>
    %k = arith.addi %j, %c64 : index
    memref.store %c, %out[%k] : memref<256xf32>
    %l = arith.addi %k, %c64 : index
    memref.store %d, %out[%l] : memref<256xf32>
    gpu.return
  }
  gpu.func @halves(%in: memref<64xf16>, %out: memref<192xf16>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %in[%i] : memref<64xf16>
    %one = arith.constant 1 : i32
    %three = arith.constant 3 : i32
    %warp = arith.constant 32 : i32
    %a, %p = gpu.shuffle xor %v, %one, %warp : f16
    %b, %q = gpu.rotate %v, 3, 16 : f16
    %w = vector.broadcast %v : f16 to vector<2xf16>
    %c = gpu.subgroup_broadcast %w, specific_lane %three : vector<2xf16>
    %d = vector.extract %c[1] : f16 from vector<2xf16>
    %c64 = arith.constant 64 : index
    memref.store %a, %out[%i] : memref<192xf16>
    %j = arith.addi %i, %c64 : index
    memref.store %b, %out[%j] : memref<192xf16>
    %k = arith.addi %j, %c64 : index
    memref.store %d, %out[%k] : memref<192xf16>
    gpu.return
  }
  gpu.func @redux(%in: memref<32xi32>, %out: memref<32xi32>) kernel {
    %i = gpu.thread_id x
    %v = memref.load %in[%i] : memref<32xi32>
    %a = gpu.subgroup_reduce add %v uniform : (i32) -> i32
    memref.store %a, %out[%i] : memref<32xi32>
    gpu.return
  }
  gpu.func @tiles(%in: memref<16x32xf16>, %out: memref<64xf32>) workgroup(%tile: memref<16x32xf16, 3>) kernel {
    %i = gpu.thread_id x
    %zero = arith.constant 0 : index
    %eight = arith.constant 8 : index
    %sixteen = arith.constant 16 : index
    %two = arith.constant 2 : index
    %row = arith.remui %i, %sixteen : index
    %part = arith.divui %i, %sixteen : index
    %column = arith.muli %part, %sixteen : index
    %next = arith.addi %column, %eight : index
    %t = nvgpu.device_async_copy %in[%row, %column], %tile[%row, %column], 8 : memref<16x32xf16> to memref<16x32xf16, 3>
    %u = nvgpu.device_async_copy %in[%row, %next], %tile[%row, %next], 8 : memref<16x32xf16> to memref<16x32xf16, 3>
    %g = nvgpu.device_async_create_group %t, %u
    nvgpu.device_async_wait %g {numGroups = 0 : i32}
    gpu.barrier
    %a = nvgpu.ldmatrix %tile[%row, %zero] {numTiles = 4 : i32, transpose = false} : memref<16x32xf16, 3> -> vector<4x2xf16>
    %b = nvgpu.ldmatrix %tile[%row, %zero] {numTiles = 2 : i32, transpose = true} : memref<16x32xf16, 3> -> vector<2x2xf16>
    %none = arith.constant dense<0.0> : vector<2x2xf32>
    %d = nvgpu.mma.sync (%a, %b, %none) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
    %e = vector.extract %d[0, 0] : f32 from vector<2x2xf32>
    %f = vector.extract %d[1, 1] : f32 from vector<2x2xf32>
    %at = arith.muli %i, %two : index
    %one = arith.constant 1 : index
    %after = arith.addi %at, %one : index
    memref.store %e, %out[%at] : memref<64xf32>
    memref.store %f, %out[%after] : memref<64xf32>
    gpu.return
  }
}
