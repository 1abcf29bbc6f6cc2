; Functions of integers and fmuladd, which is no call, are computed ahead as before.
; RUN: %opt -passes=heddle-hold-math-calls %s > %t
; RUN: %opt -passes=verify %s | diff - %t

target triple = "nvptx64-nvidia-cuda"

define float @k(float %x, i32 %i) {
  %m = call i32 @llvm.smin.i32(i32 %i, i32 3)
  %f = sitofp i32 %m to float
  %r = call float @llvm.fmuladd.f32(float %x, float %f, float %x)
  ret float %r
}

declare i32 @llvm.smin.i32(i32, i32)
declare float @llvm.fmuladd.f32(float, float, float)
