//===- ControlSlice.h - What control and addresses need ---------*- C++ -*-===//
//
// A warp trace says which blocks a warp ran with which lanes, and which
// addresses it touched; it holds no values. The slice of a kernel is the part
// that decides these: branches, addresses, and what they are computed from.
// Executed with the same launch it makes the same trace events as the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_CONTROLSLICE_H
#define HEDDLE_TRANSFORMS_CONTROLSLICE_H

#include "llvm/IR/PassManager.h"

#include <memory>

namespace llvm {
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace heddle {

/// What a slice kept of a kernel.
struct ControlSliceCounts {
  unsigned Instructions = 0;  ///< of the kernel, before
  unsigned Kept = 0;          ///< of them that the slice computes
  unsigned Accesses = 0;      ///< memory records
  unsigned AddressesOnly = 0; ///< of them that no longer read or write memory
  bool KeepsBarriers = false; ///< data still flows between warps
  /// What a block does may depend on what other blocks have written.
  bool BlocksMeet = false;
};

/// Reduces \p Kernel, which must be prepared, in place. Blocks and memory
/// records keep their numbers (KernelNumbering); instructions do not.
///
/// Kept are the operands of branches, of addresses and of barriers, and all
/// that they depend on. A load that is kept for its value keeps every store
/// and atomic that may write what it reads: pointers into different memories,
/// and pointers derived from different arguments or variables, do not meet
/// (Exec/BlockOrder.h assumes the same); everything else may.
///
/// An access whose data is not kept stays as an instruction without data,
/// marked by isAddressOnly: engines report its address and touch no memory.
/// Barriers go where no store is kept, so a slice does not notice that a
/// program's barriers are wrong.
ControlSliceCounts sliceToControl(llvm::Function &Kernel);

/// Whether \p I, an access of a slice, is there for its address alone.
bool isAddressOnly(const llvm::Instruction &I);

/// A kernel reduced in a module of its own.
struct ControlSlice {
  std::unique_ptr<llvm::Module> Module; ///< in the kernel's context
  llvm::Function *Kernel = nullptr;
  ControlSliceCounts Counts;
};
ControlSlice makeControlSlice(const llvm::Function &Kernel);

/// sliceToControl for every kernel of a prepared module: heddle-control-slice.
class ControlSlicePass : public llvm::PassInfoMixin<ControlSlicePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_CONTROLSLICE_H
