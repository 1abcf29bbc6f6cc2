//===- FoldWarpSize.cpp - WARP_SZ in sums of PTX --------------------------===//

#include "heddle/ABI/WarpKernel.h"
#include "heddle/PTX/PTXReader.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

using namespace llvm;

namespace heddle::ptx {

/// Registers that hold WARP_SZ from their only write on.
static DenseSet<unsigned> findWarpSizes(const Kernel &K) {
  DenseMap<unsigned, unsigned> Writes;
  DenseSet<unsigned> Found;
  for (const Block &B : K.Blocks)
    for (const Inst &I : B.Insts) {
      for (unsigned D : I.Defs)
        ++Writes[D];
      if (I.Opcode == "mov.u32" && !I.Guarded && I.Defs.size() == 1 &&
          StringRef(I.Text).contains("WARP_SZ"))
        Found.insert(I.Defs[0]);
    }
  DenseSet<unsigned> Only;
  for (unsigned R : Found)
    if (Writes[R] == 1)
      Only.insert(R);
  return Only;
}

void foldWarpSize(Kernel &K) {
  const DenseSet<unsigned> Sizes = findWarpSizes(K);
  if (Sizes.empty())
    return;
  for (Block &B : K.Blocks)
    for (Inst &I : B.Insts) {
      if ((I.Opcode != "add.s32" && I.Opcode != "add.u32") || I.Guarded ||
          I.Uses.size() != 2)
        continue;
      const unsigned At = Sizes.contains(I.Uses[1]) ? 1 : 0;
      if (!Sizes.contains(I.Uses[At]))
        continue;
      I.Uses.erase(I.Uses.begin() + At);
      I.Text = I.Opcode + " " + K.Registers[I.Defs[0]].Name + ", " +
               K.Registers[I.Uses[0]].Name + ", " +
               std::to_string(HEDDLE_WARP_SIZE);
    }
}

} // namespace heddle::ptx
