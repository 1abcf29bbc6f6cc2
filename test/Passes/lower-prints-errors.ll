; What is not printed is said, with the line where there is one; no call of another form is taken for these.
; RUN: %opt -passes='heddle-lower-prints<keep>' %s 2>&1 >%t.ll | FileCheck %s
; RUN: %opt -passes=heddle-lower-prints %s 2>&1 >/dev/null | FileCheck --check-prefix=DROP %s
; RUN: FileCheck --check-prefix=KEPT %s < %t.ll
; CHECK-DAG: warning: k.cu:5: printf is ignored: its format is not a literal that fits its arguments
; CHECK-DAG: warning: printf is ignored
; DROP-COUNT-2: printf costs nothing here; 'heddle run' prints
; KEPT-NOT: heddle.print
; KEPT: call void @__assertfail(ptr %f)
; KEPT: call i32 @vprintf(
declare i32 @printf(ptr, ...)
declare i32 @vprintf(i32)
declare void @__assertfail(ptr)
@format = private constant [3 x i8] c"%d\00"
define ptx_kernel void @k(ptr %f) !dbg !3 {
  %r = call i32 (ptr, ...) @printf(ptr %f), !dbg !5
  %s = call i32 (ptr, ...) @printf(ptr @format)
  call void @__assertfail(ptr %f)
  %v = call i32 @vprintf(i32 1)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "k", file: !1, line: 4, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !{})
!5 = !DILocation(line: 5, scope: !3)
