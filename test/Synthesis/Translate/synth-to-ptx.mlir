// What `heddle clone` writes, as a translation.
// RUN: rm -rf %t && %heddle clone %s -o %t -q
// RUN: heddle-translate --synth-to-ptx --arch=sm_80 %s | FileCheck %s --check-prefix=ARCH
// RUN: heddle-translate --synth-to-ptx %s | diff %t/clone.ptx - | FileCheck %s --check-prefix=SAME --allow-empty
// RUN: heddle-opt %s --synth-reduce-loops=factor=10 | heddle-translate --synth-to-ptx | FileCheck %s --check-prefix=TEN
// ARCH: .target sm_80
// SAME-NOT: {{^[<>]}}
// TEN: setp.lt.u32 {{[^;]*}}, 10;
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
