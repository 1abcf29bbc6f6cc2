//===- BlockOrder.cpp - Whether the order of thread blocks shows ----------===//

#include "heddle/Exec/BlockOrder.h"

#include "heddle/Analysis/BulkOperation.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Analysis/KernelNumbering.h"
#include "heddle/Analysis/PollingLoops.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {

static bool isSharedByBlocks(const MemoryRecord &M) {
  // The blocks of a cluster always take turns in the same order.
  return M.Space != HEDDLE_SPACE_SHARED && M.Space != HEDDLE_SPACE_CLUSTER &&
         M.Space != HEDDLE_SPACE_LOCAL;
}

bool showsOrder(const Instruction &Atomic) {
  const auto *RMW = dyn_cast<AtomicRMWInst>(&Atomic);
  return RMW ? !commutes(*RMW) : isa<AtomicCmpXchgInst>(Atomic);
}

bool dependsOnBlockOrder(const KernelNumbering &Kernel) {
  // A block that waits for another one: those before it have ended in order.
  if (waitsForBlocks(*Kernel.block(0)->getParent()))
    return true;
  SmallPtrSet<const Value *, 4> Updated, Read;
  bool Any = false;
  for (const MemoryRecord &M : Kernel.memory()) {
    if (!isSharedByBlocks(M))
      continue;
    const auto *Call = dyn_cast<CallBase>(M.Inst);
    if (const auto Bulk = Call ? bulkOperation(*Call) : std::nullopt;
        Bulk && Bulk->Shape.Kind == HEDDLE_BULK_REDUCE)
      return true;
    if (const auto *RMW = dyn_cast<AtomicRMWInst>(M.Inst)) {
      if (showsOrder(*RMW))
        return true;
      Updated.insert(getUnderlyingObject(M.Pointer));
      Any = true;
    } else if (isa<AtomicCmpXchgInst>(M.Inst)) {
      return true;
    } else if (!M.IsStore) {
      Read.insert(getUnderlyingObject(M.Pointer));
    }
  }
  if (!Any)
    return false;
  // Different arguments are taken to be different buffers, as launches have it.
  for (const Value *Object : Updated)
    if (Read.contains(Object) ||
        !(isa<Argument>(Object) || isa<GlobalValue>(Object)))
      return true;
  return false;
}

} // namespace heddle
