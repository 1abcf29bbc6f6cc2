; Functions whose address nothing takes get no number, and a module without functions stays as it is.
; RUN: split-file %s %t
; RUN: %opt -passes=heddle-number-functions %t/called.ll | FileCheck %s --check-prefix=CALLED --implicit-check-not=inttoptr
; CALLED: call void @one()
; CALLED: call void %f()
; CALLED: @two
; RUN: %opt -passes=heddle-number-functions %t/data.ll | FileCheck %s --check-prefix=DATA
; DATA: @a = global ptr @b
; DATA: @b = global ptr @a

;--- called.ll
define void @one() {
  ret void
}
declare void @two()
define void @k(ptr %f) {
  call void @one()
  call void %f()
  call void @two()
  ret void
}
;--- data.ll
@a = global ptr @b
@b = global ptr @a
