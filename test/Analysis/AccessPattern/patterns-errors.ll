; What the analysis cannot see through: IR without debug lines, inline assembly, calls
; that nobody knows, poison, flow that has no loops, blocks that nothing reaches. It says
; what each value hangs on and goes on.
; RUN: opt -load-pass-plugin=%plugin -passes='print<heddle-access-pattern>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: Access pattern of odd:
; CHECK-NEXT: store 4 B global p: computed
; CHECK-NEXT: load 4 B shared ?: uniform (0 bank-conflict replays)

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @unknown(i32)

; No debug lines, inline assembly, a call that nobody knows, an indirect call,
; poison, irreducible flow, a block that nothing reaches.
define ptx_kernel void @odd(ptr addrspace(1) %p, ptr %f, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane = call i32 asm "mov.u32 $0, %laneid;", "=r"()
  %who = call i32 @unknown(i32 %tid)
  %some = call i32 %f(i32 %tid)
  %c0 = icmp eq i32 %lane, 0
  br i1 %c0, label %a, label %b
a:
  %x = phi i32 [ 0, %entry ], [ %y1, %b ]
  %x1 = add i32 %x, 1
  %c1 = icmp slt i32 %who, %x1
  br i1 %c1, label %b, label %done
b:
  %y = phi i32 [ 5, %entry ], [ %x1, %a ]
  %y1 = sub i32 %y, %some
  %c2 = icmp eq i32 %y1, poison
  br i1 %c2, label %a, label %done
done:
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %some
  store i32 %who, ptr addrspace(1) %at
  %wild = inttoptr i32 %n to ptr addrspace(3)
  %l = load i32, ptr addrspace(3) %wild
  %c3 = icmp eq i32 %l, 0
  br i1 %c3, label %e1, label %e2
e1:
  ret void
e2:
  unreachable
dead:
  %d = phi i32 [ 0, %dead ]
  br label %dead
}
