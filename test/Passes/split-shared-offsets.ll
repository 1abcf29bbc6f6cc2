; RUN: %opt -passes=heddle-split-shared-offsets -S %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [64 x [32 x float]] undef

; Eight rows on, whether or not the sum wraps.
; CHECK-LABEL: @rows(
; CHECK: %[[#Y:]] = sext i32 %y to i64
; CHECK-NEXT: %[[#ROW:]] = add i64 %[[#Y]], 8
; CHECK-NEXT: %p = getelementptr [32 x float], ptr addrspace(3) @tile, i64 %[[#ROW]], i64 %wide
define float @rows(i32 %y, i32 %x) {
  %wide = zext i32 %x to i64
  %row = add i32 %y, 8
  %rows = zext i32 %row to i64
  %p = getelementptr [32 x float], ptr addrspace(3) @tile, i64 %rows, i64 %wide
  %v = load float, ptr addrspace(3) %p
  ret float %v
}

; Constants of nested sums, differences and multiples: 4 * (x + 3) - (y + 5) = (4 * x - y) + 7.
; CHECK-LABEL: @nested(
; CHECK: %[[#FOUR:]] = shl i32 %x, 2
; CHECK-NEXT: %[[#REST:]] = sub i32 %[[#FOUR]], %y
; CHECK-NEXT: %[[#WIDE:]] = sext i32 %[[#REST]] to i64
; CHECK-NEXT: %[[#SUM:]] = add i64 %[[#WIDE]], 7
; CHECK-NEXT: getelementptr float, ptr addrspace(3) @tile, i64 %[[#SUM]]
define ptr addrspace(3) @nested(i32 %x, i32 %y) {
  %three = add i32 %x, 3
  %four = shl i32 %three, 2
  %five = add i32 %y, 5
  %less = sub i32 %four, %five
  %wide = sext i32 %less to i64
  %p = getelementptr float, ptr addrspace(3) @tile, i64 %wide
  ret ptr addrspace(3) %p
}

; The last element less a number, which is all there is besides the constant.
; CHECK-LABEL: @backwards(
; CHECK: %[[#NEG:]] = sub i32 0, %x
; CHECK-NEXT: %[[#WIDE:]] = sext i32 %[[#NEG]] to i64
; CHECK-NEXT: add i64 %[[#WIDE]], 255
define ptr addrspace(3) @backwards(i32 %x) {
  %less = sub i32 255, %x
  %wide = zext i32 %less to i64
  %p = getelementptr float, ptr addrspace(3) @tile, i64 %wide
  ret ptr addrspace(3) %p
}
