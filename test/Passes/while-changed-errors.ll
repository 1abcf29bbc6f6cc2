; RUN: not %opt -passes='heddle-while-changed<4>(heddle-nothing)' %s 2>&1 | FileCheck %s
; RUN: not %opt -passes='heddle-while-changed<x>(heddle-resolve-pointers)' %s 2>&1 | FileCheck --check-prefix=COUNT %s
; CHECK: error: heddle-while-changed: unknown pass name 'heddle-nothing'
; COUNT: heddle-while-changed<x>
define void @k() {
  ret void
}
