//===- PTXBlockMap.h - Which IR block a PTX block runs with -----*- C++ -*-===//

#ifndef HEDDLE_PTX_PTXBLOCKMAP_H
#define HEDDLE_PTX_PTXBLOCKMAP_H

#include "heddle/Analysis/KernelNumbering.h"
#include "heddle/PTX/PTXReader.h"

#include "llvm/Support/Error.h"

#include <vector>

namespace heddle {

/// For each block of the PTX the number of the IR block that it runs with.
struct PTXBlockMap {
  std::vector<unsigned> IRBlock;
  /// False for a copy of a block (tail duplication) that another one already
  /// stands for.
  std::vector<bool> Counted;
};

/// Maps and checks: every jump of the PTX must be a path of the IR through
/// blocks of which the back end left nothing, so that the PTX runs when and as
/// often as the map says. An error names the two blocks where it does not hold.
llvm::Expected<PTXBlockMap> mapBlocks(const ptx::Kernel &PTX,
                                      const KernelNumbering &Numbering);

} // namespace heddle

#endif // HEDDLE_PTX_PTXBLOCKMAP_H
