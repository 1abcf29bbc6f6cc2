; RUN: %opt -passes=heddle-refuse-unknown-calls %s | FileCheck %s
; CHECK-LABEL: @k(
; CHECK: call i32 @heddle.refused.body(ptr %p)
; CHECK: call ptr @heddle.refused.heap(i64 8)
; CHECK-NOT: @free
; CHECK: call void @heddle.refused.pointer()
; CHECK: call void @heddle.refused.error()
; An invoke is a call that does not throw; a struct result is zero.
; CHECK-LABEL: @throws(
; CHECK: call void @heddle.refused.body.1()
; CHECK-NEXT: br label %next
; CHECK: extractvalue { i32, i32, i32 } zeroinitializer, 0
; CHECK: call void @known()
; CHECK: "heddle-missing"="unknown(int*)" "heddle-refused"="calls 'unknown(int*)', which has no body here and is no known device function"
; CHECK: "heddle-refused"="allocates memory with 'malloc', which is not modelled; pass it a buffer"
; CHECK: "heddle-refused"="calls 'shuffle': needs a newer GPU (compiled for sm_20)"
declare i32 @_Z7unknownPi(ptr)
declare ptr @malloc(i64)
declare void @free(ptr)
declare void @_Z7shufflev() #0
declare void @throw()
declare { i32, i32, i32 } @triple()
declare i32 @personality(...)
define void @known() {
  ret void
}
define ptx_kernel void @k(ptr %p, ptr %f) #1 {
  %v = call i32 @_Z7unknownPi(ptr %p)
  store i32 %v, ptr %p
  %m = call ptr @malloc(i64 8)
  store ptr %m, ptr %p
  call void @free(ptr %m)
  call void %f()
  call void @_Z7shufflev()
  ret void
}
define i32 @throws() personality ptr @personality {
  invoke void @throw() to label %next unwind label %pad
next:
  %t = call { i32, i32, i32 } @triple()
  %e = extractvalue { i32, i32, i32 } %t, 0
  call void @known()
  ret i32 %e
pad:
  %l = landingpad { ptr, i32 } cleanup
  ret i32 1
}
attributes #0 = { "dontcall-error"="needs a newer GPU" }
attributes #1 = { "target-cpu"="sm_20" }
