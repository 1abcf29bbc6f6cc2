; What would need a negation of its own behind the product stays: the product is subtracted from, stored, used twice, or squared.
; RUN: %opt -passes=heddle-sink-negations %s > %t
; RUN: %opt -passes=verify %s | diff - %t
define float @subtracted(float %x, float %y, float %z) {
  %n = fneg float %x
  %p = fmul contract float %n, %y
  %d = fsub contract float %p, %z
  ret float %d
}
define void @stored(float %x, float %y, ptr %to) {
  %n = fneg float %x
  %p = fmul contract float %n, %y
  store float %p, ptr %to
  ret void
}
define float @twice(float %x, float %y, float %z) {
  %n = fneg float %x
  %p = fmul contract float %n, %y
  %s = fadd contract float %p, %z
  %q = fdiv float %s, %p
  ret float %q
}
define float @squared(float %x, float %y) {
  %n = fneg float %x
  %p = fmul contract float %n, %y
  %q = fmul float %p, %p
  ret float %q
}
define float @constant(float %x, float %z) {
  %n = fneg float %x
  %p = fmul contract float %n, 3.0
  %s = fadd contract float %p, %z
  ret float %s
}
