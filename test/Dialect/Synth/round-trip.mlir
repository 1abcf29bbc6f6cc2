// RUN: heddle-opt %s > %t.1
// RUN: FileCheck %s < %t.1
// RUN: heddle-opt %t.1 | diff %t.1 -
// RUN: heddle-opt %s --mlir-print-op-generic | heddle-opt | diff %t.1 -

// CHECK-LABEL: synth.kernel @chain grid [80, 1, 1] threads [256, 1, 1] {
// CHECK-NEXT: %[[LOOP:.*]] = synth.loop trips [1000]
// CHECK-NEXT: %[[SUM:.*]] = synth.register
synth.kernel @chain grid [80, 1, 1] threads [256, 1, 1] {
  %loop = synth.loop trips [1000]
  %sum = synth.register
  synth.br ^body
// CHECK: synth.block heads %[[LOOP]]
// CHECK-NEXT: synth.op "fma.rn.f32"(%[[SUM]], %[[SUM]], %[[SUM]]) into %[[SUM]]
// CHECK-NEXT: synth.branch trips %[[LOOP]] ^bb1, ^bb2
^body:
  synth.block heads %loop
  synth.op "fma.rn.f32"(%sum, %sum, %sum) into %sum
  synth.branch trips %loop ^body, ^end
^end:
  synth.return
}

// CHECK-LABEL: synth.kernel @all grid [16, 8, 1] of [32, 32, 1] threads [16, 16, 1] registers 37 shared 2048 executes [20029440, 640942080] {
synth.kernel @all grid [16, 8, 1] of [32, 32, 1] threads [16, 16, 1] registers 37 shared 2048
    executes [20029440, 640942080] {
  // CHECK: %[[G:.*]] = synth.array global 1048576
  %a = synth.array global 1048576
  %s = synth.array shared 2048
  // CHECK: %[[OUTER:.*]] = synth.loop trips [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16] varies threads [7.250000e+00] mean 7.500000e+00
  %outer = synth.loop trips [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16] varies threads [7.25] mean 7.5
  // CHECK: synth.loop within %[[OUTER]] trips [128] affine <-2 * i0 + 128> reduced_by 16 at_least 2
  %inner = synth.loop within %outer trips [128] affine <128 - 2 * i0> reduced_by 16 at_least 2
  // CHECK: synth.block counts <ECount = 96, WarpCount = 3> lanes [0, 0, 0, 0, 0, 3]
  synth.block counts <ECount = 96, WarpCount = 3> lanes [0, 0, 0, 0, 0, 3]
  // CHECK: %[[MOV:.*]] = synth.op "mov.u32" special
  %tid = synth.op "mov.u32" special
  // CHECK: synth.br ^bb1 edge <Count = 96, WarpCount = 3, TCount = 96>
  synth.br ^outer edge <Count = 96, WarpCount = 3, TCount = 96>
^outer:
  synth.block heads %outer
  synth.br ^inner
^inner:
  synth.block heads %inner counts <LCount = 7, SCount = 1>
  // CHECK: synth.access %[[G]] load 4 bytes affine at <4 * tid.x - tid.y + 1024 * ctaid.x - 16 * i0 + 64 * i1 - 8> sectors 4.000000e+00 requests 3
  %x = synth.access %a load 4 bytes affine at <4 * tid.x - tid.y + ctaid.x + 1023 * ctaid.x - 16 * i0 + 64 * i1 - 8> sectors 4.0 requests 3
  %p = synth.op "mul.wide.s32"(%tid)
  // CHECK: %[[V:.*]]:2 = synth.op "ld.global.v2.f32"(%{{.*}}) at %{{.*}} plus -8
  %v:2 = synth.op "ld.global.v2.f32"(%p) at %x plus -8
  %z = synth.access %s load 4 bytes drawn range [0, 2044] sectors 8.5
  // CHECK: synth.access %{{.*}} store 4 bytes drawn range [0, 2044] sectors 8.500000e+00 conflicts 1.000000e+00 explained 1.250000e-01 step -4 in 7.500000e-01 lanes 8 in 5.000000e-01 follows %{{.*}} by -12 footprint 64 entropy 5.500000e+00
  %y = synth.access %s store 4 bytes drawn range [0, 2044] sectors 8.5 conflicts 1.0 explained 0.125 step -4 in 0.75 lanes 8 in 0.5 follows %z by -12 footprint 64 entropy 5.5
  // CHECK: synth.op "st.shared.f32"(%{{.*}}, %[[V]]#1) at
  synth.op "st.shared.f32"(%p, %v#1) at %y
  // CHECK: synth.barrier "bar.sync"
  synth.barrier "bar.sync"
  // CHECK: synth.access %[[G]] load 4 bytes affine at <8 * tid.x - 4 * tid.x[0:3] + 128 * ctaid.x[1:4] + 4>
  %bits = synth.access %a load 4 bytes affine at <8 * tid.x - 4 * tid.x[0:3] + 128 * ctaid.x[1:4] + 4>
  // CHECK: synth.access %[[G]] load 4 bytes drawn at <4 * tid.x + 128 * ctaid.x + 4> near 252 range [0, 1020]
  %near = synth.access %a load 4 bytes drawn at <4 * tid.x + 128 * ctaid.x + 4> near 252 range [0, 1020]
  // CHECK: synth.branch where <tid.x + 32 * tid.y> modulo 64 from 3 below 31 shares <all = 2.500000e-01, mixed = 5.000000e-01, lanes = 1.250000e-01> ^bb3 edge <Count = 8>, ^bb4
  synth.branch where <tid.x + 32 * tid.y> modulo 64 from 3 below 31 shares <all = 0.25, mixed = 0.5, lanes = 0.125> ^some edge <Count = 8>, ^latch
^some:
  synth.block in %inner
  // CHECK: synth.access load 4 bytes drawn
  %u = synth.access load 4 bytes drawn
  %w = synth.op "ld.local.b32" at %u
  synth.br ^latch
^latch:
  synth.block in %inner
  // CHECK: synth.branch where <i1> below 7 also <tid.x - i0> from 1 below 31 ^bb2, ^bb5
  synth.branch where <i1> below 7 also <tid.x - i0> from 1 below 31 ^inner, ^outerlatch
^outerlatch:
  synth.block in %outer
  // CHECK: synth.branch shares <all = 5.000000e-01> ^bb1, ^bb6
  synth.branch shares <all = 0.5> ^outer, ^end
^end:
  synth.return
}
