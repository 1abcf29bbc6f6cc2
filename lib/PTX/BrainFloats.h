//===- BrainFloats.h - bfloat16 for the back end ----------------*- C++ -*-===//

#ifndef HEDDLE_LIB_PTX_BRAINFLOATS_H
#define HEDDLE_LIB_PTX_BRAINFLOATS_H

#include "llvm/IR/Function.h"

namespace heddle {

/// Gives the back end bfloat16 where \p F has its integers. Engines execute a
/// rounding to bfloat16 as operations on the bits of a float, and arithmetic as
/// that of floats which is rounded; from sm_80 on each is one instruction
/// (PTX ISA, "cvt" and "fma"). Sums and products of two bfloat16 that are only
/// rounded become operations of bfloat16, so do multiply-adds, which hardware
/// rounds once and engines as they round a float's. All else is the same value.
void selectBrainFloats(llvm::Function &F);

} // namespace heddle

#endif
