; What a kernel calls and nobody knows is named and stands in its table as a call; inline assembly that Heddle knows is an instruction like any other.
; RUN: %heddle kernels %s --code-table --isa ir 2>&1 | FileCheck %s
; CHECK: warning: kernel 'calls' calls 'unknown', which has no body here and is no known device function; this is not executed
; CHECK: kernel calls (ir): 1 blocks, 3 instructions, 1 memory records
; CHECK: call.refused.body {{.*}} r1
; CHECK: kernel good (ir): 1 blocks, 3 instructions, 1 memory records
; CHECK: special {{.*}} r1
; CHECK: store {{.*}} <- r1
; RUN: %status 2 %heddle kernels %s --code-table --isa cubin 2>&1 | FileCheck %s --check-prefix=LEVEL
; LEVEL: --isa

target triple = "nvptx64-nvidia-cuda"
declare i32 @unknown(i32)
define ptx_kernel void @calls(ptr addrspace(1) %p, i32 %n) {
  %a = call i32 @unknown(i32 %n)
  store i32 %a, ptr addrspace(1) %p
  ret void
}
define ptx_kernel void @good(ptr addrspace(1) %p, i32 %n) {
  %l = call i32 asm "mov.u32 $0, %laneid;", "=r"()
  store i32 %l, ptr addrspace(1) %p
  ret void
}
