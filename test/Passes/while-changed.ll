; The passes behind the first run only where it found something, and are printed as they are read.
; RUN: %opt -passes='heddle-while-changed<4>(heddle-resolve-pointers,always-inline,globaldce)' %s | FileCheck %s
; RUN: %opt -passes='heddle-while-changed<2>(heddle-unroll-recursion,function(adce),globaldce)' %s | FileCheck --check-prefix=NONE %s
; RUN: %opt -passes='heddle-while-changed<4>(heddle-resolve-pointers,always-inline)' -print-pipeline-passes %s | FileCheck --check-prefix=PRINT %s
; CHECK-NOT: @unused
; NONE: define internal void @unused
; PRINT: heddle-while-changed<4>(heddle-resolve-pointers,always-inline)
define internal i32 @target(i32 %x) alwaysinline {
  ret i32 %x
}
define internal void @unused() {
  ret void
}
@table = internal global ptr @target
define ptx_kernel void @k(ptr %p, i32 %n) {
  %f = load ptr, ptr @table
  %v = call i32 %f(i32 %n)
  store i32 %v, ptr %p
  ret void
}
