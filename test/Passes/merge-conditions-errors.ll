; What stays: five operations, a division, a load, a call, results that differ, a condition that is used again.
; RUN: %opt -passes=heddle-merge-conditions %s > %t
; RUN: %opt -passes=verify %s | diff - %t

target triple = "nvptx64-nvidia-cuda"

define void @five(ptr %p, i32 %x, i32 %y, i32 %w) {
  %a = icmp slt i32 %x, %w
  br i1 %a, label %second, label %end
second:
  %1 = add i32 %y, 8
  %2 = xor i32 %1, %x
  %3 = mul i32 %2, %w
  %4 = lshr i32 %3, 1
  %5 = sub i32 %4, %x
  %b = icmp slt i32 %5, %w
  br i1 %b, label %inside, label %end
inside:
  store i32 %x, ptr %p
  br label %end
end:
  ret void
}

define void @division(ptr %p, i32 %x, i32 %y, i32 %w) {
  %a = icmp slt i32 %x, %w
  br i1 %a, label %second, label %end
second:
  %1 = udiv i32 %y, 7
  %b = icmp slt i32 %1, %w
  br i1 %b, label %inside, label %end
inside:
  store i32 %x, ptr %p
  br label %end
end:
  ret void
}

define void @load(ptr %p, i32 %x, i32 %w) {
  %a = icmp slt i32 %x, %w
  br i1 %a, label %second, label %end
second:
  %1 = load i32, ptr %p
  %b = icmp slt i32 %1, %w
  br i1 %b, label %inside, label %end
inside:
  store i32 %x, ptr %p
  br label %end
end:
  ret void
}

define void @call(ptr %p, i32 %x, i32 %y, i32 %w) {
  %a = icmp slt i32 %x, %w
  br i1 %a, label %second, label %end
second:
  %1 = call i32 @llvm.smin.i32(i32 %y, i32 %x)
  %b = icmp slt i32 %1, %w
  br i1 %b, label %inside, label %end
inside:
  store i32 %x, ptr %p
  br label %end
end:
  ret void
}

define i32 @differs(i32 %x, i32 %y, i32 %w) {
  %a = icmp slt i32 %x, %w
  br i1 %a, label %second, label %end
second:
  %b = icmp slt i32 %y, %w
  br i1 %b, label %inside, label %end
inside:
  br label %end
end:
  %r = phi i32 [ 1, %0 ], [ 2, %second ], [ 3, %inside ]
  ret i32 %r
}

define i1 @again(ptr %p, i32 %x, i32 %y, i32 %w) {
  %a = icmp slt i32 %x, %w
  br i1 %a, label %second, label %end
second:
  %b = icmp slt i32 %y, %w
  br i1 %b, label %inside, label %end
inside:
  store i1 %b, ptr %p
  br label %end
end:
  ret i1 %a
}

declare i32 @llvm.smin.i32(i32, i32)
