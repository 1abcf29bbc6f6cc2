//===- HalfAtomics.h - Atomic operations on halves on the host --*- C++ -*-===//

#ifndef HEDDLE_LIB_EXEC_HALFATOMICS_H
#define HEDDLE_LIB_EXEC_HALFATOMICS_H

namespace llvm {
class Module;
} // namespace llvm

namespace heddle {

/// Replaces atomic operations on halves and bfloat16 in \p M by loops that
/// compare their bits. Those of LLVM's back end hold them as a number
/// meanwhile, which makes a quiet NaN of a signalling one: as memory never
/// equals that, such a loop never ends.
void expandHalfAtomics(llvm::Module &M);

} // namespace heddle

#endif // HEDDLE_LIB_EXEC_HALFATOMICS_H
