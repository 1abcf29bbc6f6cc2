//===- PTXInitialiser.h - First contents of variables in PTX ----*- C++ -*-===//

#ifndef HEDDLE_LIB_PTX_PTXINITIALISER_H
#define HEDDLE_LIB_PTX_PTXINITIALISER_H

#include "heddle/PTX/PTXModule.h"

#include "llvm/ADT/ArrayRef.h"

namespace heddle::ptx {

/// Reads "{{1, 2}, {3}}" into \p V, an array of \p Sizes (the first is 0 where
/// the initialiser says it) whose elements have the type \p Type ("u32").
llvm::Error readInitialiser(llvm::StringRef Text, llvm::StringRef Type,
                            llvm::ArrayRef<uint64_t> Sizes, Variable &V);

} // namespace heddle::ptx

#endif // HEDDLE_LIB_PTX_PTXINITIALISER_H
