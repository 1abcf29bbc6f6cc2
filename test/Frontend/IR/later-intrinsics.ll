; An intrinsic of a later architecture is named with its line before LLVM gives up on it,
; by every command that makes PTX.
; RUN: %status 1 %heddle kernels %s 2>&1 | FileCheck %s
; RUN: %status 1 %heddle trace %s --grid 1 --block 32 --arg 'u8[4]' -o %t 2>&1 | FileCheck %s
; RUN: %status 1 %heddle clone %s --grid 1 --block 32 --arg 'u8[4]' -o %t 2>&1 | FileCheck %s
; CHECK: error: {{.*}}copy.cu:7: kernel 'k' uses cp.async, which needs sm_80; compile it for that: --arch sm_80, or HEDDLE_ARCH=sm_80 for the plugin
; RUN: %heddle kernels %s --arch sm_80 | FileCheck %s --check-prefix=LATER
; LATER: k
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [4 x i8] poison, align 4

define ptx_kernel void @k(ptr addrspace(1) %p) !dbg !3 {
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) @tile, ptr addrspace(1) %p), !dbg !5
  call void @llvm.nvvm.cp.async.wait.all()
  ret void
}

declare void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.wait.all()

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "copy.cu", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 5, type: !4, spFlags: DISPFlagDefinition, unit: !0)
!4 = !DISubroutineType(types: !{null})
!5 = !DILocation(line: 7, scope: !3)
