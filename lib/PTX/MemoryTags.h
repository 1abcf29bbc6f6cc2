//===- MemoryTags.h - Numbers that accesses keep to the end -----*- C++ -*-===//
//
// The back end drops the location of an instruction that it moves to another
// block, and a load without a location could not be told from its neighbours.
// The memory operands of a machine instruction stay with it, and so does the
// alias scope in them: each access gets a scope of its own, which no other
// access is declared apart from and which therefore changes nothing.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_PTX_MEMORYTAGS_H
#define HEDDLE_LIB_PTX_MEMORYTAGS_H

#include "llvm/Pass.h"

#include <memory>

namespace llvm {
class Function;
}

namespace heddle {

/// Tags the accesses of \p F, all of which have a location, with its line.
void tagMemoryAccesses(llvm::Function &F);

/// A machine pass that gives each tagged access its location back.
std::unique_ptr<llvm::FunctionPass> createRestoreLocationsPass();

} // namespace heddle

#endif // HEDDLE_LIB_PTX_MEMORYTAGS_H
