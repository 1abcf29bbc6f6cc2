// RUN: heddle-opt %s --synth-to-nvvm | FileCheck %s
// RUN: heddle-opt %s --synth-reduce-loops=factor=10 --synth-to-nvvm=arch=sm_80 | FileCheck %s --check-prefix=TEN
// What LLVM makes of it has each planned instruction once.
// RUN: rm -rf %t && %heddle clone %s -o %t -q
// RUN: heddle-opt %s --synth-to-nvvm | mlir-translate --mlir-to-llvmir | llc -mtriple=nvptx64-nvidia-cuda -mcpu=sm_70 -o %t/nvvm.ptx
// RUN: %python %S/Inputs/opcodes.py %t/clone.ptx > %t/planned
// RUN: %python %S/Inputs/opcodes.py %t/nvvm.ptx | diff %t/planned -
// RUN: FileCheck %s --check-prefix=COUNT < %t/planned
// It runs as well as the clone does.
// RUN: sed s/clone/stream/ %t/clone.launch.yaml > %t/stream.yaml
// RUN: %heddle run %t/nvvm.ptx --launch %t/stream.yaml -q

// CHECK: llvm.func @stream(%{{.*}}: !llvm.ptr<1> {llvm.align = 256 : i64}, %{{.*}}: !llvm.ptr {llvm.align = 16 : i64, llvm.byval = !llvm.array<64 x i8>}) attributes {nvvm.kernel} {
// CHECK: llvm.inline_asm has_side_effects {{.*}}heddle.registers 32
// CHECK: llvm.inline_asm has_side_effects {{.*}}"L0:{{.*}}ld.param.u64 {{.*}}, [stream_param_0];
// CHECK: llvm.inline_asm has_side_effects {{.*}}"L1:{{.*}}ld.global.b32 {{.*}}bar.sync 0;{{.*}}setp.lt.u32 {{[^;]*}}, 100;{{.*}} bra
// TEN: setp.lt.u32 {{[^;]*}}, 10;
// CHECK: llvm.inline_asm has_side_effects {{.*}}"L2:{{.*}}st.global.b32
// CHECK-NEXT: llvm.return
// CHECK-NOT: synth
// COUNT-DAG: add.f32 1
// COUNT-DAG: bar.sync 1
// COUNT-DAG: ld.global.b32 1
// COUNT-DAG: ret 1
// COUNT-DAG: st.global.b32 1
synth.kernel @stream grid [64, 1, 1] threads [256, 1, 1] registers 32 shared 1024 {
  %data = synth.array global 33554432
  %loop = synth.loop trips [100]
  %sum = synth.register
  synth.br ^body
^body:
  synth.block heads %loop
  %next = synth.access %data load 4 bytes affine at <4 * tid.x + 1024 * ctaid.x + 65536 * i0>
  %value = synth.op "ld.global.b32" at %next
  synth.op "add.f32"(%sum, %value) into %sum
  synth.barrier "bar.sync"
  synth.branch trips %loop ^body, ^end
^end:
  %result = synth.access %data store 4 bytes affine at <4 * tid.x + 1024 * ctaid.x>
  synth.op "st.global.b32"(%sum) at %result
  synth.return
}
