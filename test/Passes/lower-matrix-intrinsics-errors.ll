; Nibbles against their order in memory have no load: the call stays and is named.
; RUN: %opt -passes=heddle-lower-matrix-intrinsics %s 2>%t.err | FileCheck %s
; RUN: FileCheck --check-prefix=SAID %s < %t.err
; CHECK: call i32 @llvm.nvvm.wmma.m8n8k32.load.a.col.s4.p0(
; SAID: remark: 'llvm.nvvm.wmma.m8n8k32.load.a.col.s4.p0' stays as it is
declare i32 @llvm.nvvm.wmma.m8n8k32.load.a.col.s4.p0(ptr)
define i32 @nibbles(ptr %p) {
  %a = call i32 @llvm.nvvm.wmma.m8n8k32.load.a.col.s4.p0(ptr %p)
  ret i32 %a
}
