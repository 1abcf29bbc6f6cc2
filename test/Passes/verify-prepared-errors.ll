; What is not executed is said, once for each kernel, place and reason.
; RUN: %opt -passes=heddle-verify-prepared %s 2>&1 >/dev/null | FileCheck %s
; RUN: opt -load-pass-plugin=%plugin -passes=heddle-refuse-unknown-calls,heddle-verify-prepared -disable-output %s 2>&1 | FileCheck --check-prefix=BOTH %s
; CHECK: warning: kernel 'k' calls 'f()', which has no body here; this is not executed
; CHECK-NOT: warning
; BOTH-COUNT-2: warning: kernel 'k'
declare void @heddle.refused.body() "heddle-refused"="calls 'f()', which has no body here"
declare void @g()
define ptx_kernel void @k(ptr %p) {
  call void @heddle.refused.body()
  call void @heddle.refused.body()
  call void @g()
  ret void
}
