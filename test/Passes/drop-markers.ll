; RUN: %opt -passes=heddle-drop-markers %s | FileCheck %s
; CHECK-LABEL: @k(
; CHECK-NEXT: %v = alloca i32
; CHECK-NEXT: %a = add i32 %n, 1, !dbg
; CHECK-NEXT: %c = icmp
; CHECK-NEXT: store i32 %a, ptr %v
; CHECK-NEXT: ret i32 %a
define i32 @k(i32 %n) !dbg !3 {
  %v = alloca i32
  call void @llvm.lifetime.start.p0(ptr %v)
  %a = add i32 %n, 1, !dbg !5
    #dbg_value(i32 %a, !6, !DIExpression(), !5)
  %c = icmp sgt i32 %a, 0
  call void @llvm.assume(i1 %c)
  call void @llvm.experimental.noalias.scope.decl(metadata !9)
  store i32 %a, ptr %v
  call void @heddle.early.return(i32 0)
  call void asm sideeffect "", ""()
  call void @llvm.lifetime.end.p0(ptr %v)
  ret i32 %a
}
declare void @heddle.early.return(i32)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 4, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{})
!5 = !DILocation(line: 5, scope: !3)
!6 = !DILocalVariable(name: "a", scope: !3, file: !1, line: 5)
!7 = distinct !{!7}
!8 = distinct !{!8, !7}
!9 = !{!8}
