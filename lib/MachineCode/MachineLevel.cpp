//===- MachineLevel.cpp - The code table from our own lowering ------------===//

#include "Levels.h"
#include "MachineInst.h"

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/MachineCode/MachineCode.h"
#include "heddle/PTX/PTXBlockMap.h"
#include "heddle/PTX/PTXLifter.h"
#include "heddle/PTX/RegisterModel.h"
#include "heddle/PTX/Registers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace heddle::machine {

namespace {

class MachineLevel {
public:
  MachineLevel(CodeTableBuilder &Builder, const PlacedKernel &Placed,
               const Architecture &Arch)
      : Builder(Builder), Placed(Placed), Arch(Arch) {}
  Expected<KernelCode> build(StringRef ArchName);

private:
  void findOrigins();
  Inst partOf(const Inst &I, size_t N, size_t Count) const;
  void splitFragments(Code &C) const;
  void addJoined(Code &C) const;
  void shareBlocks(Code &C) const;
  void balancePipes(Code &C) const;
  registers::Code modelOf(const Code &C) const;
  unsigned order(Code &C, const RegisterBounds &Bounds) const;
  HeddleInst translate(const Inst &I);
  void countParts(const Code &C);
  const Inst *readsUnwritten(const Code &C) const;
  bool placeApart(const Inst &I, std::vector<OutputBlock> &Out);
  Expected<std::vector<OutputBlock>> place(const Code &C);
  unsigned stepOf(const OutputBlock &B, const Inst &I) const;
  std::string whereIs(const ptx::Inst &I) const;

  CodeTableBuilder &Builder;
  const PlacedKernel &Placed;
  const Architecture &Arch;
  DenseMap<const ptx::Inst *, std::pair<const PlacedInst *, unsigned>> Origins;
  /// The accesses that wmma.load or wmma.store is.
  DenseMap<const ptx::Inst *, SmallVector<const HeddleInst *, 4>> Fragments;
  std::vector<unsigned> IRBlocks;
  DenseMap<const ptx::Inst *, unsigned> NumParts; ///< of matrix products
  std::vector<uint16_t> Numbers; ///< of the code table, by value
};

void MachineLevel::findOrigins() {
  for (auto [B, Insts] : enumerate(Placed.Blocks))
    for (const PlacedInst &P : Insts) {
      Origins[P.From] = {&P, unsigned(B)};
      if (isFragmentAccess(P.From->Opcode))
        Fragments[P.From].push_back(&P.Inst);
    }
  // A block runs with where most of its instructions stand: accesses alone
  // have a home of their own.
  unsigned Before = 0;
  for (const ptx::Block &B : Placed.PTX.Blocks) {
    unsigned Number = Before;
    for (const ptx::Inst &I : B.Insts) {
      auto It = Origins.find(&I);
      if (It == Origins.end())
        continue;
      Number = It->second.second;
      if (It->second.first->Inst.Memory == HEDDLE_NO_MEMORY)
        break;
    }
    IRBlocks.push_back(Number);
    Before = Number;
  }
}

/// Access \p N of the \p Count that \p I is, a wmma.load or wmma.store: with
/// its share of the registers.
Inst MachineLevel::partOf(const Inst &I, size_t N, size_t Count) const {
  const HeddleInst &Access = *Fragments.lookup(I.From)[N];
  const bool IsLoad = Access.Class == HEDDLE_OP_LOAD;
  Inst Part = I;
  Part.Fragment = N + 1;
  Part.Bytes = Access.AccessBytes;
  const auto *Call =
      dyn_cast<CallBase>(Builder.numbering().memory()[Access.Memory].Inst);
  if (Call && isMatrixOperation(*Call))
    Part.Name = "LDSM.16.M88." + utostr(Part.Bytes / 4);
  else
    Part.Name = accessName(I.Name, *I.From, Part.Bytes);
  SmallVectorImpl<Value> &Data =
      IsLoad ? static_cast<SmallVectorImpl<Value> &>(Part.Defs) : Part.Uses;
  const size_t First = IsLoad ? 0 : 1, // a store's address
      Size = Data.size() - First;
  SmallVector<Value, 8> Own(Data.begin(), Data.begin() + First);
  append_range(Own,
               ArrayRef(Data).slice(First + N * Size / Count,
                                    (N + 1) * Size / Count - N * Size / Count));
  Data.assign(Own.begin(), Own.end());
  return Part;
}

/// Makes each access of a fragment an instruction of its own.
void MachineLevel::splitFragments(Code &C) const {
  for (Block &B : C.Blocks) {
    std::vector<Inst> Insts;
    for (Inst &I : B.Insts) {
      const size_t Count =
          I.From && isFragmentAccess(I.From->Opcode) && I.IsAccess
              ? Fragments.lookup(I.From).size()
              : 0;
      for (size_t N = 0; N < Count; ++N)
        Insts.push_back(partOf(I, N, Count));
      if (!Count)
        Insts.push_back(std::move(I));
    }
    B.Insts = std::move(Insts);
  }
}

/// Makes the blocks of the IR that no block of the PTX runs with further steps
/// of those that their accesses stand in. The back end joined them with the
/// block before, since what stood between computed nothing.
void MachineLevel::addJoined(Code &C) const {
  BitVector Named(Placed.Blocks.size());
  for (unsigned N : IRBlocks)
    Named.set(N);
  for (Block &B : C.Blocks) {
    DenseMap<unsigned, unsigned> Added; ///< their steps
    for (Inst &I : B.Insts) {
      if (!I.IsAccess || !Origins.contains(I.From))
        continue;
      const unsigned Home = Origins.lookup(I.From).second;
      auto At = Added.find(Home);
      if (At == Added.end() && !Named[Home]) {
        At = Added.try_emplace(Home, unsigned(B.Steps.size())).first;
        B.Steps.push_back({Home, /*Optional=*/false});
        Named.set(Home);
      }
      if (At != Added.end())
        I.Step = At->second;
    }
  }
}

/// A block of the IR that several of the PTX run with cannot be told from its
/// neighbours by its events.
void MachineLevel::shareBlocks(Code &C) const {
  DenseMap<unsigned, unsigned> FirstOf;
  for (auto [N, From] : enumerate(Placed.PTX.Blocks)) {
    Block &B = C.Blocks[N];
    if (none_of(From.Insts,
                [&](const ptx::Inst &I) { return Origins.contains(&I); })) {
      B.Shared = true;
      B.Steps.clear();
      continue;
    }
    auto [It, New] = FirstOf.try_emplace(B.Steps[0].IRBlock, N);
    if (!New)
      B.Shared = C.Blocks[It->second].Shared = true;
  }
}

/// Moves, sums of two and shifts run on either pipe: ptxas writes those that
/// would wait as IMAD.
void MachineLevel::balancePipes(Code &C) const {
  for (Block &B : C.Blocks) {
    unsigned ALU = 0, FMA = 0;
    for (Inst &I : B.Insts) {
      const bool Busy = ALU > FMA;
      if (Busy && I.Name == "MOV")
        I.Name = "IMAD.MOV.U32";
      else if (Busy && I.Name == "IADD3" && !I.Partial && I.Uses.size() == 2 &&
               !I.Guard)
        I.Name = "IMAD.IADD";
      else if (Busy && I.Name == "SHF.L.U32" && I.Uses.size() == 1)
        I.Name = "IMAD.SHL.U32";
      const StringRef Pipe = I.row().Pipe;
      ALU += Pipe == "ALU";
      FMA += Pipe == "FMA";
    }
  }
}

/// What only orders, or accesses memory while the warp goes on: other accesses
/// do not pass it.
static void orderAsync(const Inst &I, registers::Op &O) {
  const StringRef Opcode = I.From->Opcode;
  const bool Waits = I.IsAccess || I.row().Class == HEDDLE_OP_NOP;
  if (isBarrierAction(Opcode) || isBulkCopy(Opcode)) {
    if (Waits)
      O.Kind = registers::OpKind::Fence;
  } else if (Opcode.starts_with("cp.async")) {
    O.Kind = I.IsAccess ? registers::OpKind::Store : registers::OpKind::Fence;
  }
}

/// A slow path takes more registers if an operand lives on behind the BSYNC
/// that waits for it: it uses those of the others again.
static void countLivingOperands(const Code &C, registers::Code &Out) {
  const std::vector<BitVector> LiveOut = registers::liveOut(Out);
  for (auto [N, B] : enumerate(C.Blocks)) {
    BitVector Live = LiveOut[N], Behind;
    bool LivesOn = false;
    for (auto [I, O] :
         zip_equal(reverse(B.Insts), reverse(Out.Blocks[N].Ops))) {
      if (I.Name == "BSYNC") {
        Behind = Live;
        LivesOn = false;
      }
      if (I.OperandTemporaries && LivesOn)
        O.Temporaries += I.OperandTemporaries;
      if (!O.Guarded)
        for (unsigned V : O.Defs)
          Live.reset(V);
      for (unsigned V : O.Uses) {
        Live.set(V);
        LivesOn |= !Behind.empty() && C.Widths[V] && Behind[V];
      }
    }
  }
}

/// The code as the scheduler and the allocator see it.
registers::Code MachineLevel::modelOf(const Code &C) const {
  using namespace registers;
  registers::Code Out;
  Out.Widths = C.Widths;
  Out.Odd.resize(C.Widths.size());
  Out.IsSelected = true;
  for (const Block &B : C.Blocks) {
    OpBlock &To = Out.Blocks.emplace_back();
    To.Successors.assign(B.Successors.begin(), B.Successors.end());
    for (auto [N, I] : enumerate(B.Insts)) {
      const OpcodeRow &Row = I.row();
      Op O;
      O.Id = N;
      O.Guarded = I.Guard && I.Partial;
      O.IsCopy = I.IsCopy && I.Uses.size() == 1 && I.Defs.size() == 1;
      O.LatencyCycles = Row.Cycles;
      O.Temporaries = I.Temporaries;
      O.Defs.assign(I.Defs.begin(), I.Defs.end());
      O.Uses.assign(I.Uses.begin(), I.Uses.end());
      if (I.Guard)
        O.Uses.insert(O.Uses.begin(), I.Guard);
      if (I.Partial)
        for (Value D : I.Defs)
          if (!is_contained(O.Uses, D) && !O.Guarded)
            O.Uses.push_back(D);
      switch (Row.Class) {
      case HEDDLE_OP_LOAD:
      case HEDDLE_OP_TEXTURE:
        // No store of the kernel changes the texels of a texture.
        O.Kind = !I.IsAccess || StringRef(I.Name).contains("CONSTANT") ||
                         StringRef(I.Name).starts_with("LDC") ||
                         StringRef(I.Name).starts_with("T")
                     ? OpKind::Read
                     : OpKind::Load;
        break;
      case HEDDLE_OP_STORE:
      case HEDDLE_OP_ATOMIC:
      case HEDDLE_OP_REDUCTION:
        O.Kind = OpKind::Store;
        break;
      case HEDDLE_OP_BARRIER:
      case HEDDLE_OP_FENCE:
      case HEDDLE_OP_WARP_SYNC:
        O.Kind = OpKind::Fence;
        break;
      case HEDDLE_OP_BRANCH:
      case HEDDLE_OP_EXIT:
        O.Kind = OpKind::Branch;
        break;
      default:
        // BSSY waits for nothing: ptxas has it where a load is waited for.
        if (I.Name == "BSYNC")
          O.Kind = OpKind::Branch;
        break;
      }
      if (I.EndsRegion)
        O.Kind = OpKind::Branch;
      if (I.From)
        orderAsync(I, O);
      O.Convergent =
          Row.Class == HEDDLE_OP_SHUFFLE || Row.Class == HEDDLE_OP_VOTE;
      O.IsProduct = Row.Class == HEDDLE_OP_TENSOR;
      O.Shared = spaceOf(I.Name) == HEDDLE_SPACE_SHARED ||
                 StringRef(I.Name).starts_with("LDGSTS");
      O.Base = I.Base;
      O.Offset = I.Offset;
      O.SizeBytes = I.Bytes;
      const bool Stores = Row.Class == HEDDLE_OP_STORE ||
                          Row.Class == HEDDLE_OP_ATOMIC ||
                          Row.Class == HEDDLE_OP_REDUCTION;
      if (Stores && C.Widths[I.Base] == 2)
        for (Value V : I.Uses)
          if (C.Widths[V] == 1)
            Out.Odd.set(V);
      To.Ops.push_back(std::move(O));
    }
  }
  countLivingOperands(C, Out);
  return Out;
}

/// Puts the instructions of each block in the order that hides most latency and
/// gives the registers per thread.
unsigned MachineLevel::order(Code &C, const RegisterBounds &Bounds) const {
  const registers::Attempt Chosen = registers::chooseOrder(modelOf(C), Bounds);
  for (auto [B, Ops] : zip_equal(C.Blocks, Chosen.Ordered.Blocks)) {
    std::vector<Inst> Insts;
    for (const registers::Op &O : Ops.Ops)
      if (!O.IsIdle)
        Insts.push_back(std::move(B.Insts[O.Id]));
    B.Insts = std::move(Insts);
  }
  return Chosen.Used;
}

/// Whether \p I is the asynchronous operation \p From, not one of those that
/// go with it.
static bool isOperationItself(const Inst &I, const HeddleInst &From) {
  if (accessesRecords(From))
    return I.IsAccess;
  return I.row().Class == From.Class ||
         (I.row().Class == HEDDLE_OP_NOP &&
          !StringRef(I.Name).starts_with("CCTL"));
}

HeddleInst MachineLevel::translate(const Inst &I) {
  const OpcodeRow &Row = I.row();
  HeddleInst Out = {};
  Out.Opcode = Builder.opcode(I.Name);
  Out.Memory = HEDDLE_NO_MEMORY;
  Out.Class = classInTable(I.Name, Row);
  Out.Type = Row.Type;
  Out.Issued = 1;
  Out.Space = spaceOf(I.Name);
  SmallVector<uint16_t, 8> Uses;
  if (I.Guard)
    Uses.push_back(Numbers[I.Guard]);
  const auto NumberOf = [&](Value V) { return Numbers[V]; };
  llvm::append_range(Uses, map_range(I.Uses, NumberOf));
  const SmallVector<uint16_t, 8> Defs(map_range(I.Defs, NumberOf));
  CodeTableBuilder::setRegisters(Out, Defs, Uses);
  Out.Guarded = I.Guard != 0;
  auto It = Origins.find(I.From);
  if (It == Origins.end())
    return Out;
  const HeddleInst &From = I.Fragment
                               ? *Fragments.lookup(I.From)[I.Fragment - 1]
                               : It->second.first->Inst;
  Out.SourceLine = From.SourceLine;
  Out.SourceFile = From.SourceFile;
  if (Out.Class == HEDDLE_OP_TENSOR) {
    Out.Type = From.Type;
    Out.Flags = From.Flags;
    Out.Products = From.Products / std::max(1u, NumParts.lookup(I.From));
  }
  if (Out.Class == HEDDLE_OP_BARRIER) {
    Out.Flags = From.Flags & HEDDLE_INST_GRID;
    Out.Products = From.Products;
  }
  if (From.Flags & HEDDLE_INST_ASYNC && isOperationItself(I, From)) {
    Out.Flags = From.Flags;
    Out.Class = From.Class;
    Out.Products = From.Products;
    // No register waits for the sums of wgmma: a fence does.
    if (Out.Class == HEDDLE_OP_TENSOR) {
      Out.AccessBytes = From.AccessBytes;
      llvm::erase_if(Uses, [&](uint16_t U) { return is_contained(Defs, U); });
      CodeTableBuilder::setRegisters(Out, {}, Uses);
    }
  }
  if (I.IsAccess) {
    Out.Memory = From.Memory;
    Out.ByteOffset = From.ByteOffset + int32_t(I.Part);
    Out.AccessBytes = I.Bytes;
    Out.Flags = From.Flags | (I.IsOneLane ? HEDDLE_INST_UNIFORM : 0);
    if (Out.Space != HEDDLE_SPACE_GLOBAL)
      Out.Space = From.Space;
  }
  return Out;
}

/// Puts \p I, which PTX has in another block than the IR, where its addresses
/// are: at each step of \p Out that runs with its block of the IR.
bool MachineLevel::placeApart(const Inst &I, std::vector<OutputBlock> &Out) {
  const unsigned Home = Origins.lookup(I.From).second;
  bool Found = false;
  for (OutputBlock &B : Out)
    for (auto [N, S] : enumerate(B.Steps))
      if (S.IRBlock == Home) {
        auto At = B.Insts.begin();
        if (N != 0) { // behind what the steps before it access
          At = B.Insts.end();
          if (At != B.Insts.begin() &&
              B.Insts.back().first.Class == HEDDLE_OP_BRANCH)
            --At;
        }
        B.Insts.insert(At, {translate(I), unsigned(N)});
        Found = true;
      }
  return Found;
}

/// The blocks of the table: those of \p C; those that share a block of the IR
/// are one. Fails for an access whose block is none of them.
Expected<std::vector<OutputBlock>> MachineLevel::place(const Code &C) {
  std::vector<OutputBlock> Out;
  DenseMap<unsigned, unsigned> ByIRBlock; ///< their first
  std::vector<const Inst *> Apart;        ///< from the block of their record
  unsigned To = 0;
  for (const Block &B : C.Blocks) {
    if (!B.Steps.empty()) {
      auto [It, New] =
          ByIRBlock.try_emplace(B.Steps[0].IRBlock, unsigned(Out.size()));
      To = B.Shared ? It->second : unsigned(Out.size());
      if (To == Out.size())
        Out.push_back({B.Steps, {}});
    } else if (Out.empty()) {
      Out.push_back({{Step()}, {}});
    }
    for (const Inst &I : B.Insts) {
      // A copy of a block that another one stands for has no place.
      if (I.From && !Origins.contains(I.From))
        continue;
      const HeddleInst Made = translate(I);
      const unsigned Number =
          Made.Memory == HEDDLE_NO_MEMORY ? 0 : stepOf(Out[To], I);
      if (Number < Out[To].Steps.size())
        Out[To].Insts.push_back({Made, Number});
      else
        Apart.push_back(&I);
    }
  }
  for (const Inst *I : Apart)
    if (!placeApart(*I, Out))
      return createStringError("'" + I->From->Opcode + "' (" +
                               whereIs(*I->From) + ") has no block there");
  return Out;
}

/// How many instructions a matrix product takes in one iteration.
void MachineLevel::countParts(const Code &C) {
  for (const Block &B : C.Blocks) {
    DenseMap<std::pair<const ptx::Inst *, unsigned>, unsigned> Here;
    for (const Inst &I : B.Insts)
      if (I.row().Class == HEDDLE_OP_TENSOR) {
        unsigned &Parts = NumParts[I.From];
        Parts = std::max(Parts, ++Here[{I.From, I.Step}]);
      }
  }
}

/// The step of \p B whose addresses \p I has.
unsigned MachineLevel::stepOf(const OutputBlock &B, const Inst &I) const {
  const unsigned Home = Origins.lookup(I.From).second;
  if (I.Step < B.Steps.size() && B.Steps[I.Step].IRBlock == Home)
    return I.Step;
  const auto *At =
      find_if(B.Steps, [&](const Step &S) { return S.IRBlock == Home; });
  return At - B.Steps.begin();
}

/// The user's line that \p I comes from, and its own.
std::string MachineLevel::whereIs(const ptx::Inst &I) const {
  std::string Where;
  if (auto It = Origins.find(&I); It != Origins.end())
    if (const HeddleInst &From = It->second.first->Inst; From.SourceLine)
      Where = (sys::path::filename(Builder.code().Files[From.SourceFile]) +
               ":" + Twine(From.SourceLine) + ", ")
                  .str();
  return Where + "PTX line " + std::to_string(I.TextLine);
}

/// The first instruction of \p C that reads what PTX writes and \p C does not:
/// an error of the selection, which would time another program.
const Inst *MachineLevel::readsUnwritten(const Code &C) const {
  BitVector Unwritten(C.Widths.size());
  for (const ptx::Block &B : Placed.PTX.Blocks)
    for (const ptx::Inst &I : B.Insts)
      for (Value D : I.Defs)
        Unwritten.set(D);
  for (const Block &B : C.Blocks)
    for (const Inst &I : B.Insts)
      for (Value D : I.Defs)
        Unwritten.reset(D);
  for (const Block &B : C.Blocks)
    for (const Inst &I : B.Insts)
      if (any_of(I.Uses, [&](Value U) { return Unwritten[U]; }))
        return &I;
  return nullptr;
}

Expected<KernelCode> MachineLevel::build(StringRef ArchName) {
  findOrigins();
  const ptx::Inst *Missing = nullptr;
  auto Selected = select(Placed.PTX, IRBlocks, Arch, Missing);
  if (!Selected)
    return createStringError("'" + Missing->Opcode + "' (" + whereIs(*Missing) +
                             ") is not modelled there");
  Code C = std::move(*Selected);
  splitFragments(C);
  if (const Inst *I = readsUnwritten(C))
    return createStringError("'" + I->From->Opcode + "' (" + whereIs(*I->From) +
                             ") reads there what nothing writes");
  for (const Block &B : C.Blocks)
    for (const Inst &I : B.Insts)
      NumParts[I.From] += I.row().Class == HEDDLE_OP_TENSOR;
  packHalves(C, Placed.PTX, Arch);
  joinExtremes(C, Arch);
  joinProducts(C);
  addJoined(C);
  shareBlocks(C);
  predicate(C);
  shareConstants(C);
  unroll(C);
  sinkExitMoves(C);
  joinAccesses(C, C.Alignments);
  nameUniform(C);
  placeBranches(C, Arch);
  balancePipes(C);
  const RegisterBounds Bounds = registerBounds(
      launchBounds(*Builder.numbering().block(0)->getParent()), ArchName);
  const unsigned Registers = order(C, Bounds);
  if (C.Widths.size() * Arch.registerBanks() > UINT16_MAX)
    return createStringError("it has more than 65535 values there");
  countParts(C);
  Numbers = dealOverBanks(C, Arch);
  Builder.code().NumRegisters = 1 + *llvm::max_element(Numbers);
  auto Blocks = place(C);
  if (!Blocks)
    return Blocks.takeError();
  KernelCode Done = finishBlocks(Builder, *Blocks, Placed.Blocks.size());
  Done.RegistersPerThread = std::min(Registers, Bounds.Most);
  Done.RegisterSource = sourceOfRegisters("machine code", Registers, Bounds);
  takeBoundRegisters(*Builder.numbering().block(0)->getParent(), ArchName,
                     Done);
  return Done;
}

} // namespace

Expected<KernelCode> buildMachineLevel(CodeTableBuilder &Builder,
                                       const PlacedKernel &Placed,
                                       StringRef ArchName) {
  Architecture Arch;
  StringRef Number = ArchName;
  if (!Number.consume_front("sm_") || Number.consumeInteger(10, Arch.Number) ||
      Arch.Number < 70 || Arch.Number > NewestAlike)
    return createStringError(ArchName +
                             " is not modelled there (sm_70 to sm_103 are)");
  Arch.Number = std::min(Arch.Number, NewestCompared);
  return MachineLevel(Builder, Placed, Arch).build(ArchName);
}

} // namespace heddle::machine
