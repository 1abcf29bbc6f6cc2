//===- Counters.cpp - Counting and reporting what blocks access -----------===//
//
// The counters are defined by heddleCountAccess (ABI/AccessCounters.h).
// Accesses to one address or to neighbouring elements, most of all, are counted
// by a few scalar instructions; the rest calls that function.
//
//===----------------------------------------------------------------------===//

#include "WarpBuilder.h"

#include "heddle/ABI/AccessCounters.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle {

/// Calls by name, so that the code is the same in every process and can be
/// kept on disk; who links it looks the name up in HostFunctions.
Value *WarpBuilder::callHost(const HostFunction &Function, Type *ResultTy,
                             ArrayRef<Value *> Args) {
  SmallVector<Type *> Types;
  for (Value *A : Args)
    Types.push_back(A->getType());
  HostFunctions[Function.Name] = Function.Address;
  return B.CreateCall(
      Host.getOrInsertFunction(Function.Name,
                               FunctionType::get(ResultTy, Types, false)),
      Args);
}

Value *WarpBuilder::counterRow(Value *Base, unsigned Row, unsigned Columns) {
  return B.CreateConstInBoundsGEP1_64(I64, Base, uint64_t(Row) * Columns);
}

/// Adds to counters in memory. They alias nothing that the kernel accesses, so
/// that a loop may keep them in registers.
void WarpBuilder::addCounter(Value *Pointer, Value *Amount) {
  auto *Old = B.CreateAlignedLoad(Amount->getType(), Pointer, Align(8));
  Old->setMetadata(LLVMContext::MD_alias_scope, CounterScope);
  auto *New = B.CreateAlignedStore(B.CreateAdd(Old, Amount), Pointer, Align(8));
  New->setMetadata(LLVMContext::MD_alias_scope, CounterScope);
}

/// The addresses of all lanes in memory, for functions of the host.
Value *WarpBuilder::addressArray(Value *Pointer) {
  return spillLanes(B.CreatePtrToInt(lanes(Pointer), lanesOf(I64)));
}

void WarpBuilder::observeAccess(Instruction &I) {
  unsigned Record = Clone.memoryNumber(&I);
  if (Record == KernelClone::None)
    return;
  if (Options.Counters)
    countAccess(I, Record);
  if (Options.OnMemory) {
    Value *Addresses =
        addressArray(const_cast<Value *>(getPointerOperandOf(I)));
    callHost(hostFunction("heddleOnMemory", Options.OnMemory), B.getVoidTy(),
             {Warp, B.getInt32(Record), Mask, Addresses});
  }
}

const Value *WarpBuilder::getPointerOperandOf(const Instruction &I) {
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->getPointerOperand();
  if (const auto *CAS = dyn_cast<AtomicCmpXchgInst>(&I))
    return CAS->getPointerOperand();
  return getLoadStorePointerOperand(&I);
}

/// The number of groups of \p Lanes neighbouring bits of \p Bits (i64) of which
/// any is set.
Value *WarpBuilder::countGroups(Value *Bits, unsigned Lanes) {
  for (unsigned Step = 1; Step < Lanes; Step *= 2)
    Bits = B.CreateOr(Bits, B.CreateLShr(Bits, Step));
  uint64_t First = 0;
  for (unsigned At = 0; At < 64; At += Lanes)
    First |= uint64_t(1) << At;
  return B.CreateUnaryIntrinsic(Intrinsic::ctpop,
                                B.CreateAnd(Bits, B.getInt64(First)));
}

/// The function that counts an access of 32 arbitrary addresses, each aligned
/// and no larger than a sector (global) or a word (shared). Where they lie
/// close together it sets a bit for each unit in a 64-bit map; else it calls
/// heddleCountAccess.
Function *WarpBuilder::scatteredCounter(bool Banks) {
  Function *&Counter = Banks ? BankCounter : LineCounter;
  if (Counter)
    return Counter;
  IRBuilder<>::InsertPointGuard Guard(B);
  Type *Addresses = lanesOf(I64);
  Counter = Function::Create(
      FunctionType::get(B.getVoidTy(), {Ptr, I32, I32, Addresses, Ptr, I32},
                        false),
      GlobalValue::InternalLinkage, Banks ? "count.banks" : "count.lines",
      Host);
  Counter->copyAttributesFrom(Fn);
  Counter->removeParamAttr(0, Attribute::NoAlias);
  Counter->addFnAttr(Attribute::NoInline);
  Value *W = Counter->getArg(0), *Record = Counter->getArg(1),
        *Active = Counter->getArg(2), *A = Counter->getArg(3),
        *Row = Counter->getArg(4), *Bytes = Counter->getArg(5);
  BasicBlock *Start = BasicBlock::Create(Ctx, "start", Counter);
  BasicBlock *Near = BasicBlock::Create(Ctx, "near", Counter);
  BasicBlock *Far = BasicBlock::Create(Ctx, "far", Counter);
  B.SetInsertPoint(Start);
  Value *Lanes = maskLanes(Active);
  Value *Lowest = B.CreateUnaryIntrinsic(
      Intrinsic::vector_reduce_umin,
      B.CreateSelect(Lanes, A, splat(B.getInt64(~0ull))));
  Value *Base = B.CreateAnd(Lowest, B.getInt64(~127ull));
  Value *Unit = B.CreateLShr(B.CreateSub(A, splat(Base)),
                             splat(B.getInt64(Banks ? 2 : 5)));
  Value *InMap = B.CreateICmpULT(Unit, splat(B.getInt64(64)));
  Value *Outside =
      B.CreateAnd(Active, B.CreateNot(B.CreateBitCast(InMap, I32)));
  B.CreateCondBr(B.CreateICmpEQ(Outside, B.getInt32(0)), Near, Far);

  auto bitMap = [&](Value *Shift, Value *Which) {
    Value *Bits = B.CreateShl(splat(B.getInt64(1)),
                              B.CreateAnd(Shift, splat(B.getInt64(63))));
    return B.CreateUnaryIntrinsic(
        Intrinsic::vector_reduce_or,
        B.CreateSelect(Which, Bits, Constant::getNullValue(Addresses)));
  };
  B.SetInsertPoint(Near);
  Value *Map = bitMap(Unit, Lanes);
  Value *Count =
      B.CreateZExt(B.CreateUnaryIntrinsic(Intrinsic::ctpop, Active), I64);
  if (Banks) {
    // The map holds two rows of the 32 banks.
    Value *Both = B.CreateAnd(B.CreateTrunc(Map, I32),
                              B.CreateTrunc(B.CreateLShr(Map, 32), I32));
    Value *Passes = B.CreateSelect(B.CreateICmpEQ(Both, B.getInt32(0)),
                                   B.getInt64(1), B.getInt64(2));
    addCounter(Row, counterVector({B.getInt64(1), Count}));
    addCounter(B.CreateConstGEP1_64(I64, Row, HEDDLE_MEM_BANK_PASSES), Passes);
  } else {
    addCounter(Row,
               counterVector({B.getInt64(1), Count,
                              B.CreateUnaryIntrinsic(Intrinsic::ctpop, Map),
                              countGroups(Map, 4)}));
  }
  B.CreateRetVoid();

  B.SetInsertPoint(Far);
  if (Banks) {
    // As many different banks as lanes: no conflict, however far apart.
    Value *Hit = bitMap(B.CreateAnd(B.CreateLShr(A, splat(B.getInt64(2))),
                                    splat(B.getInt64(31))),
                        Lanes);
    Value *Free = B.CreateICmpEQ(
        B.CreateUnaryIntrinsic(Intrinsic::ctpop, Hit),
        B.CreateZExt(B.CreateUnaryIntrinsic(Intrinsic::ctpop, Active), I64));
    BasicBlock *One = BasicBlock::Create(Ctx, "one", Counter);
    Far = BasicBlock::Create(Ctx, "conflict", Counter);
    B.CreateCondBr(Free, One, Far);
    B.SetInsertPoint(One);
    Value *Number =
        B.CreateZExt(B.CreateUnaryIntrinsic(Intrinsic::ctpop, Active), I64);
    addCounter(Row, counterVector({B.getInt64(1), Number}));
    addCounter(B.CreateConstGEP1_64(I64, Row, HEDDLE_MEM_BANK_PASSES),
               B.getInt64(1));
    B.CreateRetVoid();
    B.SetInsertPoint(Far);
  }
  if (!Banks) {
    // Lanes in a row whose sectors never decrease: count the changes.
    BasicBlock *Sorted = BasicBlock::Create(Ctx, "sorted", Counter);
    Far = BasicBlock::Create(Ctx, "unsorted", Counter);
    SmallVector<int> ByOne = {0};
    for (int L = 0; L + 1 < HEDDLE_WARP_SIZE; ++L)
      ByOne.push_back(L);
    Value *Pairs = B.CreateAnd(Active, B.CreateShl(Active, 1));
    Value *InARow = B.CreateICmpEQ(
        B.CreateUnaryIntrinsic(Intrinsic::ctpop, B.CreateXor(Pairs, Active)),
        B.getInt32(1));
    Value *Before = B.CreateShuffleVector(Unit, ByOne);
    Value *Falls = B.CreateBitCast(B.CreateICmpULT(Unit, Before), I32);
    Value *Rising = B.CreateICmpEQ(B.CreateAnd(Falls, Pairs), B.getInt32(0));
    B.CreateCondBr(B.CreateAnd(InARow, Rising), Sorted, Far);
    B.SetInsertPoint(Sorted);
    auto changes = [&](Value *Differ) {
      Value *Bits = B.CreateAnd(B.CreateBitCast(Differ, I32), Pairs);
      return B.CreateZExt(
          B.CreateAdd(B.CreateUnaryIntrinsic(Intrinsic::ctpop, Bits),
                      B.getInt32(1)),
          I64);
    };
    Value *Two = splat(B.getInt64(2));
    Value *Number =
        B.CreateZExt(B.CreateUnaryIntrinsic(Intrinsic::ctpop, Active), I64);
    addCounter(
        Row, counterVector(
                 {B.getInt64(1), Number, changes(B.CreateICmpNE(Unit, Before)),
                  changes(B.CreateICmpNE(B.CreateLShr(Unit, Two),
                                         B.CreateLShr(Before, Two)))}));
    B.CreateRetVoid();
    B.SetInsertPoint(Far);
  }
  Value *Array = B.CreateAlloca(ArrayType::get(I64, HEDDLE_WARP_SIZE));
  B.CreateAlignedStore(A, Array, Align(8));
  callHost(hostFunction("heddleCountAccess", heddleCountAccess), B.getVoidTy(),
           {W, Record, Active, Array, Bytes,
            B.getInt32(Banks ? HEDDLE_SPACE_SHARED : HEDDLE_SPACE_GLOBAL)});
  B.CreateRetVoid();
  return Counter;
}

/// Amounts for the first counters of a row.
Value *WarpBuilder::counterVector(ArrayRef<Value *> Amounts) {
  static_assert(HEDDLE_MEM_REQUESTS == 0 && HEDDLE_MEM_LANES == 1 &&
                HEDDLE_MEM_SECTORS == 2 && HEDDLE_MEM_LINES == 3);
  Value *V = Constant::getNullValue(FixedVectorType::get(I64, Amounts.size()));
  for (unsigned N = 0; N < Amounts.size(); ++N)
    V = B.CreateInsertElement(V, Amounts[N], N);
  return V;
}

/// Sectors and lines of neighbouring elements of the lanes in \p Lanes (i64,
/// bit 0 is the lane at \p Base); zeros if there are none.
std::pair<Value *, Value *> WarpBuilder::countRow(Value *Base, Value *Lanes,
                                                  unsigned Bytes) {
  Value *Element = B.CreateLShr(Base, Log2_32(Bytes));
  auto groups = [&](unsigned UnitBytes) {
    unsigned PerUnit = UnitBytes / Bytes;
    Value *Shift = B.CreateAnd(Element, B.getInt64(PerUnit - 1));
    return countGroups(B.CreateShl(Lanes, Shift), PerUnit);
  };
  Value *Sectors = groups(32);
  if (Bytes > 4)
    return {Sectors, groups(128)};
  // At most two lines: those of the first and the last lane.
  auto line = [&](Value *Lane) {
    return B.CreateLShr(B.CreateAdd(Base, B.CreateMul(Lane, B.getInt64(Bytes))),
                        7);
  };
  Value *First =
      B.CreateIntrinsic(Intrinsic::cttz, {I64}, {Lanes, B.getFalse()});
  Value *Last =
      B.CreateSub(B.getInt64(63), B.CreateIntrinsic(Intrinsic::ctlz, {I64},
                                                    {Lanes, B.getFalse()}));
  Value *Lines =
      B.CreateAdd(B.CreateSub(line(Last), line(First)), B.getInt64(1));
  return {Sectors, B.CreateSelect(B.CreateICmpEQ(Lanes, B.getInt64(0)),
                                  B.getInt64(0), Lines)};
}

void WarpBuilder::countAccess(Instruction &I, unsigned Record) {
  const MemoryRecord &R = Clone.numbering().memory()[Record];
  Value *Pointer = const_cast<Value *>(getPointerOperandOf(I));
  Shape S = shape(Pointer);
  unsigned Bytes = R.AccessBytes;
  bool Lines = R.Space == HEDDLE_SPACE_GLOBAL || R.Space == HEDDLE_SPACE_CONST;
  bool Banks = R.Space == HEDDLE_SPACE_SHARED;
  Align A =
      isa<LoadInst, StoreInst>(I) ? getLoadStoreAlignment(&I) : Align(Bytes);
  bool Simple = isPowerOf2_32(Bytes) && Bytes <= 16 && A >= Align(Bytes) &&
                (Lines || Banks);
  bool One = S.Kind == Shape::Uniform;
  bool Row = S.Kind == Shape::Affine && S.Stride == int64_t(Bytes);
  bool Broadcast = S.Kind == Shape::Affine && S.Stride == 0;
  Value *Counter =
      counterRow(MemoryCounters, Record, HEDDLE_NUM_MEMORY_COUNTERS);
  auto addresses = [&] {
    return B.CreatePtrToInt(lanes(Pointer), lanesOf(I64));
  };
  auto countScattered = [&] {
    B.CreateCall(scatteredCounter(Banks),
                 {Warp, B.getInt32(Record), Mask, addresses(), Counter,
                  B.getInt32(Bytes)});
  };
  if (!Simple ||
      (Banks && Bytes > 4 && !One && !(Row && Geometry.Segments == 1))) {
    callHost(hostFunction("heddleCountAccess", heddleCountAccess),
             B.getVoidTy(),
             {Warp, B.getInt32(Record), Mask, spillLanes(addresses()),
              B.getInt32(Bytes), B.getInt32(R.Space)});
    return;
  }
  Value *Wide = B.CreateZExt(Mask, I64);
  Value *Lanes = B.CreateUnaryIntrinsic(Intrinsic::ctpop, Wide);
  if (Banks) {
    // Wide accesses go by half or quarter warps.
    Value *Passes =
        Bytes <= 4 ? B.getInt64(1) : countGroups(Wide, Bytes == 8 ? 16 : 8);
    auto countPasses = [&] {
      addCounter(Counter, counterVector({B.getInt64(1), Lanes}));
      addCounter(B.CreateConstGEP1_64(I64, Counter, HEDDLE_MEM_BANK_PASSES),
                 Passes);
    };
    if (One || (Row && Geometry.Segments == 1))
      return countPasses();
    if (!Broadcast && !(Row && Bytes == 4))
      return countScattered();
    return eitherWay(rowsAvoidConflicts(Pointer, Row), countPasses,
                     countScattered);
  }
  if (One) {
    addCounter(Counter, counterVector({B.getInt64(1), Lanes, B.getInt64(1),
                                       B.getInt64(1)}));
    return;
  }
  if (!Row && !Broadcast)
    return countScattered();

  // Segments whose lines cannot meet count by themselves.
  Parts Bases;
  for (Value *P : bases(Pointer))
    Bases.push_back(B.CreatePtrToInt(P, I64));
  unsigned PerSegment = Geometry.lanesPerSegment();
  Value *Apart = B.getTrue();
  for (unsigned N = 0; N + 1 < Bases.size(); ++N) {
    Value *Gap = B.CreateSub(Bases[N + 1], Bases[N]);
    uint64_t Least = uint64_t(Row ? Bytes : 0) * PerSegment + 128;
    Value *Fits = B.CreateICmpULT(B.CreateSub(Gap, B.getInt64(Least)),
                                  B.getInt64(uint64_t(1) << 40));
    Apart = B.CreateAnd(Apart, Fits);
  }
  auto countRows = [&] {
    Value *Sectors = B.getInt64(0), *NumLines = B.getInt64(0);
    for (unsigned N = 0; N < Bases.size(); ++N) {
      Value *Part = Wide;
      if (Bases.size() > 1)
        Part = B.CreateAnd(B.CreateLShr(Wide, N * PerSegment),
                           B.getInt64((uint64_t(1) << PerSegment) - 1));
      if (Broadcast) {
        Value *Any = B.CreateZExt(B.CreateICmpNE(Part, B.getInt64(0)), I64);
        Sectors = B.CreateAdd(Sectors, Any);
        NumLines = B.CreateAdd(NumLines, Any);
        continue;
      }
      auto [RowSectors, RowLines] = countRow(Bases[N], Part, Bytes);
      Sectors = B.CreateAdd(Sectors, RowSectors);
      NumLines = B.CreateAdd(NumLines, RowLines);
    }
    addCounter(Counter,
               counterVector({B.getInt64(1), Lanes, Sectors, NumLines}));
  };
  if (Bases.size() == 1)
    return countRows();
  eitherWay(Apart, countRows, countScattered);
}

/// Writes both ways to count an access; \p Fast decides which one runs.
void WarpBuilder::eitherWay(Value *Fast, function_ref<void()> Quick,
                            function_ref<void()> Slow) {
  BasicBlock *Each = BasicBlock::Create(Ctx, "apart", Fn);
  BasicBlock *Together = BasicBlock::Create(Ctx, "together", Fn);
  BasicBlock *Done = BasicBlock::Create(Ctx, "counted", Fn);
  B.CreateCondBr(Fast, Each, Together);
  B.SetInsertPoint(Together);
  Slow();
  B.CreateBr(Done);
  B.SetInsertPoint(Each);
  Quick();
  B.CreateBr(Done);
  B.SetInsertPoint(Done);
}

/// Whether no two segments of an access to shared memory ask one bank for
/// different words: each pair of rows (of words, or else one word each) is the
/// same or lies in other banks. All lanes count, active or not.
Value *WarpBuilder::rowsAvoidConflicts(Value *Pointer, bool Rows) {
  Parts Words;
  for (Value *P : bases(Pointer))
    Words.push_back(B.CreateLShr(B.CreatePtrToInt(P, I64), 2));
  unsigned Width = Rows ? Geometry.lanesPerSegment() : 1;
  Value *Free = B.getTrue();
  for (unsigned N = 0; N < Words.size(); ++N)
    for (unsigned M = 0; M < N; ++M) {
      Value *Gap = B.CreateSub(Words[N], Words[M]);
      Value *Banks = B.CreateAnd(Gap, 31);
      Value *Apart = B.CreateICmpULE(B.CreateSub(Banks, B.getInt64(Width)),
                                     B.getInt64(HEDDLE_WARP_SIZE - 2 * Width));
      Free = B.CreateAnd(Free,
                         B.CreateOr(B.CreateICmpEQ(Gap, B.getInt64(0)), Apart));
    }
  return Free;
}

} // namespace heddle
