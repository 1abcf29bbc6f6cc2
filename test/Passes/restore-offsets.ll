; RUN: %opt -passes=heddle-restore-offsets %s | FileCheck %s

; CHECK-LABEL: @tile(
; CHECK: %[[#Y:]] = and i32 %q, -4
; CHECK-NEXT: %[[#SUM:]] = or disjoint i32 %[[#Y]], 3
; CHECK: %last = getelementptr float, ptr %a, i32 %[[#SUM]]
define float @tile(ptr %a, i32 %t) {
  %s = lshr i32 %t, 4
  %y = shl nuw i32 %s, 2
  %q = lshr i32 %t, 2
  %z = or i32 %q, 3
  %first = getelementptr float, ptr %a, i32 %y
  %last = getelementptr float, ptr %a, i32 %z
  %u = load float, ptr %first
  %v = load float, ptr %last
  %r = fadd float %u, %v
  ret float %r
}
