; RUN: %opt -passes=heddle-expand-constant-expressions %s | FileCheck %s
; CHECK-LABEL: @k(
; CHECK: %[[G:.*]] = getelementptr inbounds i8, ptr addrspace(1) @table, i64 12
; CHECK-NEXT: store i32 1, ptr addrspace(1) %[[G]]
; CHECK: left:
; CHECK-NEXT: ptrtoint ptr addrspace(1) @table to i64
; CHECK-NEXT: br label %out
@table = addrspace(1) global [16 x i32] zeroinitializer
define i64 @k(i1 %c) {
  store i32 1, ptr addrspace(1) getelementptr inbounds (i8, ptr addrspace(1) @table, i64 12)
  br i1 %c, label %left, label %out
left:
  br label %out
out:
  %v = phi i64 [ 0, %0 ], [ ptrtoint (ptr addrspace(1) @table to i64), %left ]
  ret i64 %v
}
