; Up to four operations beside the compare are computed ahead, also if they are used behind it.
; RUN: %opt -passes=heddle-merge-conditions -S %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @bounds(
; CHECK-NEXT: %inX = icmp
; CHECK-NEXT: %row = add
; CHECK-NEXT: %inY = icmp
; CHECK-NEXT: %[[BOTH:.*]] = select i1 %inX, i1 %inY, i1 false
; CHECK-NEXT: br i1 %[[BOTH]], label %inside, label %end
define void @bounds(ptr %p, i32 %x, i32 %y, i32 %w, i32 %h) {
  %inX = icmp slt i32 %x, %w
  br i1 %inX, label %second, label %end
second:
  %row = add i32 %y, 8
  %inY = icmp slt i32 %row, %h
  br i1 %inY, label %inside, label %end
inside:
  store i32 %row, ptr %p
  br label %end
end:
  ret void
}

; Three conditions become one; a special register may be read ahead.
; CHECK-LABEL: @three(
; CHECK: %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK-NOT: {{^}}second:
; CHECK: br i1 {{.*}}, label %inside, label %end
; CHECK: ret void
define void @three(ptr %p, float %x, i32 %n, float %w) {
  %inX = fcmp olt float %x, %w
  br i1 %inX, label %second, label %end
second:
  %double = fmul float %x, 2.0
  %less = fcmp ogt float %double, %w
  br i1 %less, label %third, label %end
third:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = icmp slt i32 %t, %n
  br i1 %mine, label %inside, label %end
inside:
  store i32 %n, ptr %p
  br label %end
end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
