; RUN: %opt -passes=heddle-verify-prepared %s 2>&1 | FileCheck %s --implicit-check-not=warning
; CHECK: define ptx_kernel void @k
define ptx_kernel void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
