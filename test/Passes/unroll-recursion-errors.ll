; What has no body here or is called through a pointer stays; calls that do not recurse become their bodies. Two functions that call each other recurse.
; RUN: split-file %s %t
; RUN: %opt -passes=heddle-unroll-recursion %t/plain.ll | FileCheck %s --check-prefix=PLAIN --implicit-check-not=heddle
; PLAIN-LABEL: ptx_kernel void @k(
; PLAIN-NEXT: call void %f()
; PLAIN-NEXT: call void @elsewhere()
; RUN: %opt -passes=heddle-unroll-recursion %t/two.ll | FileCheck %s --check-prefix=TWO
; TWO-LABEL: ptx_kernel void @k(
; TWO-NOT: call void @even(
; TWO: call void @heddle.refused.recursion
; TWO: "heddle-refused"="recurses deeper than is written out"

;--- plain.ll
declare void @elsewhere()
define void @two() {
  ret void
}
define void @one() {
  call void @two()
  ret void
}
define ptx_kernel void @k(ptr %f) {
  call void @one()
  call void %f()
  call void @elsewhere()
  ret void
}
;--- two.ll
define internal void @even(ptr %p, i32 %n) {
  store volatile i32 %n, ptr %p
  %m = sub i32 %n, 1
  call void @odd(ptr %p, i32 %m)
  ret void
}
define internal void @odd(ptr %p, i32 %n) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %end, label %on
on:
  %m = sub i32 %n, 1
  call void @even(ptr %p, i32 %m)
  br label %end
end:
  ret void
}
define ptx_kernel void @k(ptr %p, i32 %n) {
  call void @even(ptr %p, i32 %n)
  ret void
}
