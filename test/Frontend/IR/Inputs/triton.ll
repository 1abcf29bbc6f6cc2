; As Triton dumps a kernel: a source_filename of LLVM's, an external array for all of shared memory, predicated loads and
; stores as inline assembly, reductions by shuffles, the kernel and its block size in annotations, attributes instead of
; launch bounds, a global scratch pointer as last argument, no debug compile unit but subprograms.
; ModuleID = 'LLVMDialectModule'
source_filename = "LLVMDialectModule"
target datalayout = "e-p3:32:32-p4:32:32-p5:32:32-p6:32:32-p7:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@global_smem = external local_unnamed_addr addrspace(3) global [0 x i8], align 16

define ptx_kernel void @row_sum(ptr addrspace(1) %0, ptr addrspace(1) %1, i32 %2, ptr addrspace(1) readnone captures(none) %3) local_unnamed_addr #0 !dbg !5 {
  %5 = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x(), !dbg !8
  %6 = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x(), !dbg !9
  %7 = and i32 %6, 31, !dbg !9
  %8 = lshr i32 %6, 5, !dbg !9
  %9 = and i32 %6, 127, !dbg !9
  %10 = icmp slt i32 %9, %2, !dbg !10
  %11 = mul i32 %5, %2, !dbg !11
  %12 = add i32 %11, %9, !dbg !11
  %13 = sext i32 %12 to i64, !dbg !11
  %14 = getelementptr float, ptr addrspace(1) %0, i64 %13, !dbg !11
  %15 = tail call i32 asm sideeffect "mov.u32 $0, 0x0;\0A\09@$2 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l,b"(ptr addrspace(1) %14, i1 %10) #2, !dbg !12
  %16 = bitcast i32 %15 to float, !dbg !12
  %17 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %15, i32 16, i32 31), !dbg !13
  %18 = bitcast i32 %17 to float, !dbg !13
  %19 = fadd float %16, %18, !dbg !13
  %20 = bitcast float %19 to i32, !dbg !13
  %21 = tail call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %20, i32 8, i32 31), !dbg !13
  %22 = bitcast i32 %21 to float, !dbg !13
  %23 = fadd float %19, %22, !dbg !13
  %24 = icmp eq i32 %7, 0, !dbg !13
  %25 = zext nneg i32 %8 to i64, !dbg !13
  %26 = getelementptr float, ptr addrspace(3) @global_smem, i64 %25, !dbg !13
  %27 = bitcast float %23 to <1 x i32>, !dbg !13
  tail call void asm sideeffect "@$2 st.shared.b32 [ $0 + 0 ], $1;", "r,r,b"(ptr addrspace(3) %26, <1 x i32> %27, i1 %24) #2, !dbg !13
  tail call void @llvm.nvvm.barrier0(), !dbg !13
  %28 = icmp slt i32 %6, 4, !dbg !13
  %29 = sext i32 %6 to i64, !dbg !13
  %30 = getelementptr float, ptr addrspace(3) @global_smem, i64 %29, !dbg !13
  %31 = tail call i32 asm sideeffect "@$2 ld.shared.b32 $0, [ $1 + 0 ];", "=r,r,b"(ptr addrspace(3) %30, i1 %28) #2, !dbg !13
  %32 = sext i32 %5 to i64, !dbg !14
  %33 = getelementptr float, ptr addrspace(1) %1, i64 %32, !dbg !14
  %34 = icmp eq i32 %6, 0, !dbg !15
  tail call void asm sideeffect "@$2 st.global.b32 [ $1 + 0 ], { $0 };", "r,l,b"(i32 %31, ptr addrspace(1) %33, i1 %34) #2, !dbg !15
  ret void, !dbg !16
}

declare noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1
declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32) #2
declare void @llvm.nvvm.barrier0() #2

attributes #0 = { nounwind "nvvm.reqntid"="128" }
attributes #1 = { nocallback nofree nosync nounwind speculatable willreturn memory(none) }
attributes #2 = { nounwind }

!llvm.module.flags = !{!0, !1}
!llvm.dbg.cu = !{!2}
!nvvm.annotations = !{!4}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = !{i32 4, !"nvvm-reflect-ftz", i32 1}
!2 = distinct !DICompileUnit(language: DW_LANG_C, file: !3, producer: "triton", isOptimized: true, runtimeVersion: 0, emissionKind: LineTablesOnly)
!3 = !DIFile(filename: "row_sum.py", directory: "/src")
!4 = !{ptr @row_sum, !"reqntidx", i32 128}
!5 = distinct !DISubprogram(name: "row_sum", linkageName: "row_sum", scope: !3, file: !3, line: 7, type: !6, scopeLine: 7, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !2)
!6 = !DISubroutineType(cc: DW_CC_normal, types: !7)
!7 = !{}
!8 = !DILocation(line: 8, column: 10, scope: !5)
!9 = !DILocation(line: 9, column: 10, scope: !5)
!10 = !DILocation(line: 10, column: 10, scope: !5)
!11 = !DILocation(line: 11, column: 10, scope: !5)
!12 = !DILocation(line: 12, column: 10, scope: !5)
!13 = !DILocation(line: 13, column: 10, scope: !5)
!14 = !DILocation(line: 14, column: 10, scope: !5)
!15 = !DILocation(line: 15, column: 10, scope: !5)
!16 = !DILocation(line: 16, column: 3, scope: !5)
