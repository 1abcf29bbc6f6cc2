; What stays: no multiple is computed anyway, it is one of another number, or the constant has more than low bits.
; RUN: %opt -passes=heddle-restore-offsets %s > %t
; RUN: %opt -passes=verify %s | diff - %t
define i32 @alone(i32 %t) {
  %q = lshr i32 %t, 2
  %z = or i32 %q, 3
  ret i32 %z
}
define i32 @multipleOfTwo(i32 %t) {
  %q = lshr i32 %t, 2
  %y = and i32 %q, -2
  %z = or i32 %q, 3
  %r = add i32 %y, %z
  ret i32 %r
}
define i32 @otherBits(i32 %t) {
  %y = and i32 %t, -8
  %z = or i32 %t, 6
  %r = add i32 %y, %z
  ret i32 %r
}
define i32 @already(i32 %t) {
  %y = and i32 %t, -4
  %z = or disjoint i32 %y, 3
  %r = add i32 %y, %z
  ret i32 %r
}
