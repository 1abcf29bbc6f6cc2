; Calls that are known stay: functions with a body, intrinsics, functions of the device library, inline assembly.
; RUN: %opt -passes=heddle-refuse-unknown-calls %s | FileCheck %s --implicit-check-not=heddle.refused --implicit-check-not=heddle-refused
; CHECK-LABEL: ptx_kernel void @k(
; CHECK-NEXT: call void @body()
; CHECK-NEXT: call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK-NEXT: call float @heddle.math.fmod.f32(float %x, float %x)
; CHECK-NEXT: call i32 asm "mov.u32 $0, 1;", "=r"()
; CHECK-NEXT: ret void
define void @body() {
  ret void
}
declare float @heddle.math.fmod.f32(float, float)
define ptx_kernel void @k(float %x) {
  call void @body()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %m = call float @heddle.math.fmod.f32(float %x, float %x)
  %a = call i32 asm "mov.u32 $0, 1;", "=r"()
  ret void
}
