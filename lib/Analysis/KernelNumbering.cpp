//===- KernelNumbering.cpp - Numbers of blocks and instructions -----------===//

#include "heddle/Analysis/KernelNumbering.h"

#include "heddle/Analysis/AsyncBarrier.h"
#include "heddle/Analysis/AsyncCopy.h"
#include "heddle/Analysis/BulkOperation.h"
#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/Analysis/TextureOperation.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

static HeddleMemorySpace spaceOfAddressSpace(unsigned AS) {
  switch (AS) {
  case NVPTXAS::ADDRESS_SPACE_GLOBAL:
    return HEDDLE_SPACE_GLOBAL;
  case NVPTXAS::ADDRESS_SPACE_SHARED:
    return HEDDLE_SPACE_SHARED;
  case NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER:
    return HEDDLE_SPACE_CLUSTER;
  case NVPTXAS::ADDRESS_SPACE_CONST:
    return HEDDLE_SPACE_CONST;
  case NVPTXAS::ADDRESS_SPACE_LOCAL:
    return HEDDLE_SPACE_LOCAL;
  case NVPTXAS::ADDRESS_SPACE_PARAM:
    return HEDDLE_SPACE_PARAM;
  default:
    return HEDDLE_SPACE_GENERIC;
  }
}

static HeddleMemorySpace spaceOfObject(const Value *Object) {
  if (isa<AllocaInst>(Object))
    return HEDDLE_SPACE_LOCAL;
  if (const auto *Arg = dyn_cast<Argument>(Object))
    if (Arg->hasByValAttr())
      return HEDDLE_SPACE_PARAM;
  return spaceOfAddressSpace(Object->getType()->getPointerAddressSpace());
}

HeddleMemorySpace memorySpaceOf(const Value *Pointer) {
  HeddleMemorySpace Space =
      spaceOfAddressSpace(Pointer->getType()->getPointerAddressSpace());
  if (Space != HEDDLE_SPACE_GENERIC)
    return Space;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects);
  // What one of them may be, of which nothing is known, all may be.
  for (const Value *Object : Objects) {
    HeddleMemorySpace Found = spaceOfObject(Object);
    if (Found == HEDDLE_SPACE_GENERIC ||
        (Space != HEDDLE_SPACE_GENERIC && Found != Space))
      return HEDDLE_SPACE_GENERIC;
    Space = Found;
  }
  return Space;
}

/// The pointer operand and accessed type of a memory instruction.
static std::pair<const Value *, Type *> accessOf(const Instruction &I) {
  if (const auto *Load = dyn_cast<LoadInst>(&I))
    return {Load->getPointerOperand(), Load->getType()};
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    return {Store->getPointerOperand(), Store->getValueOperand()->getType()};
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return {RMW->getPointerOperand(), RMW->getType()};
  if (const auto *CAS = dyn_cast<AtomicCmpXchgInst>(&I))
    return {CAS->getPointerOperand(), CAS->getCompareOperand()->getType()};
  return {nullptr, nullptr};
}

/// Those of a bulk operation, in the order of HeddleBulkRecord. The address of
/// a tensor is in its map, which is read as a parameter.
static void addRecords(const Instruction &I, const BulkOperation &O,
                       std::vector<MemoryRecord> &To) {
  const Value *Global = O.operand(HEDDLE_BULK_GLOBAL);
  auto add = [&](unsigned Operand, HeddleMemorySpace Space, unsigned Bytes,
                 bool IsStore) {
    const Value *Pointer = O.operand(Operand);
    To.push_back({&I, Pointer ? Pointer : Global,
                  Pointer ? Space : HEDDLE_SPACE_PARAM, Bytes,
                  Pointer && IsStore});
  };
  const bool Loads = heddleBulkCompletes(O.Shape.Kind),
             Sends = O.Shape.Kind == HEDDLE_BULK_SEND;
  const HeddleMemorySpace Place =
      Sends ? HEDDLE_SPACE_CLUSTER : HEDDLE_SPACE_SHARED;
  add(HEDDLE_BULK_GLOBAL, Sends ? HEDDLE_SPACE_SHARED : HEDDLE_SPACE_GLOBAL, 16,
      O.writesGlobal());
  add(HEDDLE_BULK_GLOBAL, HEDDLE_SPACE_PARAM, 8, false);
  add(HEDDLE_BULK_SHARED, Place, 16, Loads);
  add(HEDDLE_BULK_BARRIER, Place, 8, Loads);
  for (unsigned N = HEDDLE_BULK_ROWS; N < O.numRecords(); ++N)
    add(HEDDLE_BULK_GLOBAL, HEDDLE_SPACE_PARAM, 8, false);
}

/// Those of a read or write of a texture or surface, in the order of
/// HeddleTextureRecord.
static void addRecords(const Instruction &I, const TextureOperation &O,
                       std::vector<MemoryRecord> &To) {
  const bool Stores = O.isStore();
  To.push_back({&I, O.Handle,
                Stores ? HEDDLE_SPACE_GLOBAL : HEDDLE_SPACE_TEXTURE,
                O.accessBytes(), Stores});
  if (!Stores)
    To.push_back({&I, O.Handle, HEDDLE_SPACE_PARAM, 8, false});
}

KernelNumbering::KernelNumbering(const Function &Kernel) {
  const DataLayout &DL = Kernel.getParent()->getDataLayout();
  for (const BasicBlock &B : Kernel) {
    BlockNumbers[&B] = Blocks.size();
    Blocks.push_back(&B);
    for (const Instruction &I : B) {
      Insts.push_back(&I);
      InstNumbers[&I] = Insts.size();
      if (const auto *Call = dyn_cast<CallBase>(&I)) {
        if (const auto C = asyncCopy(*Call)) {
          MemoryNumbers[&I] = Memory.size();
          Memory.push_back({&I, C->From, HEDDLE_SPACE_GLOBAL, C->Bytes, false});
          Memory.push_back({&I, C->To, HEDDLE_SPACE_SHARED, C->Bytes, true});
          continue;
        }
        if (const auto O = barrierOperation(*Call)) {
          MemoryNumbers[&I] = Memory.size();
          Memory.push_back(
              {&I, O->Barrier,
               O->IsRemote ? HEDDLE_SPACE_CLUSTER : HEDDLE_SPACE_SHARED, 8,
               true});
          Memory.push_back({&I, O->Barrier, HEDDLE_SPACE_PARAM, 8, false});
          continue;
        }
        if (const auto O = bulkOperation(*Call)) {
          MemoryNumbers[&I] = Memory.size();
          addRecords(I, *O, Memory);
          continue;
        }
        if (const auto O = textureOperation(*Call); O && O->numRecords()) {
          MemoryNumbers[&I] = Memory.size();
          addRecords(I, *O, Memory);
          continue;
        }
        if (const auto A = matrixAccess(*Call)) {
          MemoryNumbers[&I] = Memory.size();
          Memory.push_back({&I, A->Pointer, memorySpaceOf(A->Pointer),
                            A->bytesPerLane(), A->IsStore});
          continue;
        }
      }
      auto [Pointer, Accessed] = accessOf(I);
      if (!Pointer)
        continue;
      HeddleMemorySpace Space = memorySpaceOf(Pointer);
      if (Space == HEDDLE_SPACE_PARAM)
        continue;
      MemoryNumbers[&I] = Memory.size();
      Memory.push_back({&I, Pointer, Space,
                        unsigned(DL.getTypeStoreSize(Accessed)),
                        !isa<LoadInst>(I)});
    }
  }
}

} // namespace heddle
