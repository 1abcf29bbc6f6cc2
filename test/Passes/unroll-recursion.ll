; RUN: %opt -passes=heddle-unroll-recursion %s | FileCheck %s
; 16 levels are written out; a call that is still there is refused.
; CHECK-LABEL: @k(
; CHECK-COUNT-16: sub i32
; CHECK-NOT: sub i32
; CHECK: call i32 @heddle.refused.recursion(
; CHECK-NOT: call i32 @factorial
; CHECK-LABEL: define internal i32 @factorial
; CHECK: "heddle-refused"="recurses deeper than is written out"
define ptx_kernel void @k(ptr %p, i32 %n) {
  %v = call i32 @factorial(i32 %n)
  store i32 %v, ptr %p
  ret void
}
define internal i32 @factorial(i32 %n) {
  %c = icmp ugt i32 %n, 1
  br i1 %c, label %more, label %done
more:
  %m = sub i32 %n, 1
  %r = call i32 @factorial(i32 %m)
  %v = mul i32 %n, %r
  ret i32 %v
done:
  ret i32 1
}
