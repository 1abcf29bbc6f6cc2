; "No unsigned wrap" holds for active lanes. The first lanes lie below zero here and load nothing; the others must load what their own index says.
; RUN: %heddle run %s --arg f32[512]=iota --arg f32[256] --arg i32=5 --arg i32=3 --grid 1 --block 256 --engine jit --dump 1=%t.jit -q
; RUN: %heddle run %s --arg f32[512]=iota --arg f32[256] --arg i32=5 --arg i32=3 --grid 1 --block 256 --engine interpreter --dump 1=%t.interpreter -q
; RUN: cmp %t.jit %t.interpreter
; RUN: %heddle run %s --arg f32[512]=iota --arg f32[256] --arg i32=5 --arg i32=3 --grid 1 --block 256 --check -q
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @shifted(ptr %in, ptr %out, i32 %step, i32 %more) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %has = icmp uge i32 %t, %step
  %o = zext i32 %t to i64
  %po = getelementptr float, ptr %out, i64 %o
  br i1 %has, label %load, label %done

load:
  %less = sub i32 %t, %step
  %sum = add nuw i32 %less, %more
  %index = zext i32 %sum to i64
  %p = getelementptr float, ptr %in, i64 %index
  %v = load float, ptr %p
  store float %v, ptr %po
  br label %done

done:
  ret void
}
