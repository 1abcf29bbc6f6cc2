//===- DataValues.h - What depends on loaded data ---------------*- C++ -*-===//

#ifndef HEDDLE_LIB_TRACE_DATAVALUES_H
#define HEDDLE_LIB_TRACE_DATAVALUES_H

#include "heddle/Analysis/KernelNumbering.h"

#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class LoadInst;
class Value;
} // namespace llvm

namespace heddle::statics {

/// What loads, atomics and exchanges between lanes yield in a kernel, and all
/// that is computed from it. Parameters and constants are no data.
class DataValues {
public:
  DataValues(const llvm::Function &Kernel, const KernelNumbering &Numbering);
  bool contains(const llvm::Value *V) const { return Values.contains(V); }

private:
  llvm::SmallPtrSet<const llvm::Value *, 32> Values;
};

/// Whether \p Load reads a parameter or the initialiser of a constant.
bool readsKnown(const llvm::LoadInst &Load, const KernelNumbering &Numbering);

} // namespace heddle::statics

#endif // HEDDLE_LIB_TRACE_DATAVALUES_H
