//===- BehaviorImport.cpp - A behaviour profile as a synth kernel ---------===//

#include "heddle/Synthesis/BehaviorConversion.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Verifier.h"

#include <map>

using namespace mlir;
using heddle::behavior::Keys;
using heddle::behavior::None;
using heddle::behavior::Profile;

namespace heddle::synth {

namespace {

class Importer {
public:
  Importer(const Profile &P, MLIRContext &Context)
      : P(P), Context(Context), B(&Context), Loc(UnknownLoc::get(&Context)) {}
  llvm::Expected<OwningOpRef<ModuleOp>> run(StringRef Name);

private:
  template <typename List>
  DenseI64ArrayAttr integers(const List &Values, bool Fold = false);
  FunctionAttr function(int64_t Constant, const Keys &Coefficients,
                        ArrayRef<behavior::Field> Fields = {});
  void importLoop(const behavior::Loop &L);
  void importBlock(unsigned Index);
  void importBranch(const behavior::Branch &Branch);
  void importTerminators();
  EdgeAttr edge(unsigned From, unsigned To);
  void declareRegisters();
  bool isResult(unsigned Register) const;
  void importChain(unsigned Block);
  Value access(unsigned Index);

  const Profile &P;
  MLIRContext &Context;
  OpBuilder B;
  Location Loc;
  KernelOp Kernel;
  SmallVector<Value> Arrays, Loops;
  SmallVector<Block *> Blocks;
  SmallVector<Value> AccessValues; ///< null before the first use
  std::map<std::pair<unsigned, unsigned>, EdgeAttr> Edges;
  /// A place in the chains.
  using Place = std::pair<unsigned, unsigned>;
  struct RegisterPlaces {
    SmallVector<Place> Defs, Uses;
  };
  std::map<unsigned, RegisterPlaces> Places;
  std::map<unsigned, Value> Registers;
  std::unique_ptr<DominanceInfo> Dominance;
};

template <typename List>
DenseI64ArrayAttr Importer::integers(const List &Values, bool Fold) {
  SmallVector<int64_t> All(Values.begin(), Values.end());
  if (Fold && llvm::all_equal(All))
    All.resize(1);
  return B.getDenseI64ArrayAttr(All);
}

FunctionAttr Importer::function(int64_t Constant, const Keys &Coefficients,
                                ArrayRef<behavior::Field> Fields) {
  SmallVector<int64_t> Bits;
  for (const behavior::Field &F : Fields)
    Bits.append({F.Key, F.Shift, F.Bits, F.Factor});
  return FunctionAttr::get(&Context, Constant, Coefficients, Bits);
}

void Importer::importLoop(const behavior::Loop &L) {
  auto Op = LoopOp::create(
      B, Loc, LoopType::get(&Context),
      L.Parent < Loops.size() ? Loops[L.Parent] : Value(),
      integers(L.Trips, true), ArrayAttr(), FloatAttr(), L.TripsVaryInWarp,
      L.BlockTrips.empty() ? DenseI64ArrayAttr()
                           : B.getDenseI64ArrayAttr(SmallVector<int64_t>(
                                 L.BlockTrips.begin(), L.BlockTrips.end())),
      L.TripsAffine ? function(L.TripConstant, L.TripCoefficients)
                    : FunctionAttr());
  ArrayRef<double> Threads = L.ThreadTrips;
  if (Threads != ArrayRef<double>(Op.getDefaultThreadShares()))
    Op.setThreadsAttr(B.getF64ArrayAttr(
        llvm::all_equal(Threads) ? Threads.take_front() : Threads));
  if (L.MeanTrips != Op.getDefaultMean())
    Op.setMeanAttr(B.getF64FloatAttr(L.MeanTrips));
  Loops.push_back(Op);
}

void Importer::importBlock(unsigned Index) {
  const behavior::Block &Of = P.Blocks[Index];
  if (Index)
    Blocks.push_back(B.createBlock(&Kernel.getBody()));
  for (unsigned I = 0; I < Of.Chain.size(); ++I) {
    for (unsigned R : Of.Chain[I].Defs)
      Places[R].Defs.push_back({Index, I});
    for (unsigned R : Of.Chain[I].Uses)
      Places[R].Uses.push_back({Index, I});
  }
  Value In = Of.Loop == None ? Value() : Loops[Of.Loop];
  const bool Heads = In && P.Loops[Of.Loop].Header == Index;
  const unsigned After = Heads ? P.Loops[Of.Loop].After : None;
  BlockOp::create(B, Loc, Heads ? In : Value(), Heads ? Value() : In,
                  Of.ECount || Of.WarpCount || Of.LCount || Of.SCount
                      ? CountsAttr::get(&Context, Of.ECount, Of.WarpCount,
                                        Of.LCount, Of.SCount)
                      : CountsAttr(),
                  Of.Lanes == decltype(Of.Lanes){} ? DenseI64ArrayAttr()
                                                   : integers(Of.Lanes),
                  After == None ? Value() : Loops[After]);
}

EdgeAttr Importer::edge(unsigned From, unsigned To) {
  auto It = Edges.find({From, To});
  return It == Edges.end() ? EdgeAttr() : It->second;
}

void Importer::importBranch(const behavior::Branch &Of) {
  const bool HasAlso = Of.IsFixed && Of.AlsoCoefficients != Keys{};
  auto Optional = [&](bool Has, int64_t V) {
    return Of.IsFixed && Has ? B.getI64IntegerAttr(V) : IntegerAttr();
  };
  B.setInsertionPointToEnd(Blocks[Of.Block]);
  BranchOp::create(
      B, Loc, Of.IsFixed ? function(0, Of.Coefficients) : FunctionAttr(),
      Optional(Of.Modulus, Of.Modulus),
      Optional(Of.Lower != INT64_MIN, Of.Lower),
      Optional(Of.Upper != INT64_MAX, Of.Upper),
      HasAlso ? function(0, Of.AlsoCoefficients) : FunctionAttr(),
      Optional(HasAlso && Of.AlsoLower != INT64_MIN, Of.AlsoLower),
      Optional(HasAlso && Of.AlsoUpper != INT64_MAX, Of.AlsoUpper), Value(),
      SharesAttr::get(&Context, Of.AllTaken, Of.Mixed, Of.MixedLanes),
      edge(Of.Block, Of.Taken), edge(Of.Block, Of.Other), Blocks[Of.Taken],
      Blocks[Of.Other]);
}

void Importer::importTerminators() {
  std::map<unsigned, unsigned> Next; ///< of blocks without a branch
  for (const behavior::Edge &E : P.Edges) {
    Edges[{E.From, E.To}] =
        EdgeAttr::get(&Context, E.Count, E.WarpCount, E.TCount);
    Next[E.From] = E.To;
  }
  for (const behavior::Branch &Branch : P.Branches)
    importBranch(Branch);
  for (auto [Index, Block] : llvm::enumerate(Blocks)) {
    if (!Block->empty() && Block->back().hasTrait<OpTrait::IsTerminator>())
      continue;
    B.setInsertionPointToEnd(Block);
    if (auto It = Next.find(Index); It != Next.end())
      BrOp::create(B, Loc, edge(Index, It->second), Blocks[It->second]);
    else
      ReturnOp::create(B, Loc);
  }
}

/// Whether one instruction writes \p R, alone, and all that read it follow.
bool Importer::isResult(unsigned R) const {
  const auto &[Defs, Uses] = Places.at(R);
  if (Defs.size() != 1)
    return false;
  const auto [Block, Index] = Defs.front();
  const bool Runs = Dominance->isReachableFromEntry(Blocks[Block]);
  for (auto [UseBlock, UseIndex] : Uses)
    if (UseBlock == Block
            ? UseIndex <= Index
            : !Runs || !Dominance->dominates(Blocks[Block], Blocks[UseBlock]))
      return false;
  return true;
}

void Importer::declareRegisters() {
  Dominance = std::make_unique<DominanceInfo>(Kernel);
  // All that an instruction writes is declared, or nothing.
  std::map<unsigned, bool> Declared;
  for (const auto &[R, At] : Places)
    Declared[R] = !isResult(R);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const behavior::Block &Block : P.Blocks)
      for (const behavior::Instruction &I : Block.Chain)
        if (llvm::any_of(I.Defs, [&](unsigned R) { return Declared[R]; }))
          for (unsigned R : I.Defs)
            Changed |= !std::exchange(Declared[R], true);
  }
  B.setInsertionPoint(getBlockOp(*Blocks.front()));
  for (auto [R, Is] : Declared)
    if (Is)
      Registers[R] = RegisterOp::create(B, Loc, RegisterType::get(&Context));
}

Value Importer::access(unsigned Index) {
  Value &V = AccessValues[Index];
  // Instructions that one request was split into share its access.
  if (V && V.getParentBlock() == B.getInsertionBlock())
    return V;
  const behavior::Access &A = P.Accesses[Index];
  Value Leading;
  if (A.Leader != None)
    Leading =
        AccessValues[A.Leader] ? AccessValues[A.Leader] : access(A.Leader);
  const bool HasFunction =
      A.IsAffine || A.Constant || A.Coefficients != Keys{} || !A.Fields.empty();
  const bool HasArray = A.Array != None, HasStep = A.Step || A.StepShare,
             HasLanes = A.LaneStride || A.LaneShare, IsOwn = A.OwnLines != 0;
  auto Int = [&](bool Has, int64_t N) {
    return Has ? B.getI64IntegerAttr(N) : IntegerAttr();
  };
  auto Float = [&](bool Has, double F) {
    return Has ? B.getF64FloatAttr(F) : FloatAttr();
  };
  return V = AccessOp::create(
             B, Loc, AccessType::get(&Context),
             HasArray ? Arrays[A.Array] : Value(), Leading,
             Int(bool(Leading), A.LeaderDistance), A.IsStore, A.Bytes,
             A.IsAffine,
             HasFunction ? function(A.Constant, A.Coefficients, A.Fields)
                         : FunctionAttr(),
             Int(A.Modulus != 0, A.Modulus), Int(A.Near != 0, A.Near),
             A.Requests, APFloat(A.Explained),
             HasArray || A.Least || A.Most
                 ? integers(std::array{A.Least, A.Most})
                 : DenseI64ArrayAttr(),
             APFloat(A.SectorsPerRequest), APFloat(A.ConflictsPerRequest),
             Int(HasStep, A.Step), Float(HasStep, A.StepShare),
             Int(HasLanes, A.LaneStride), Float(HasLanes, A.LaneShare),
             A.FootprintSectors, APFloat(A.SectorEntropy),
             Float(IsOwn, A.OwnLines), Float(IsOwn, A.OwnSectors),
             Int(IsOwn, A.OwnBytes), A.OwnTogether);
}

void Importer::importChain(unsigned Block) {
  B.setInsertionPoint(Blocks[Block]->getTerminator());
  for (const behavior::Instruction &I : P.Blocks[Block].Chain) {
    StringRef Base = StringRef(I.Opcode).split('.').first;
    if ((Base == "bar" || Base == "barrier") && I.Defs.empty() &&
        I.Uses.empty() && I.Access == None && I.Issued == 1) {
      BarrierOp::create(B, Loc, I.Opcode);
      continue;
    }
    SmallVector<Value> Reads, Into;
    SmallVector<Type> Writes;
    for (unsigned R : I.Uses)
      Reads.push_back(Registers[R]);
    for (unsigned R : I.Defs)
      if (Value V = Registers[R])
        Into.push_back(V);
      else
        Writes.push_back(RegisterType::get(&Context));
    Value Access = I.Access == None ? Value() : access(I.Access);
    auto Op = OpOp::create(B, Loc, Writes, I.Opcode, Reads, Access,
                           I.ByteOffset, Into, I.IsSpecial, I.Issued);
    for (auto [Number, R] : llvm::enumerate(Op.getWrites()))
      Registers[I.Defs[Number]] = R;
  }
}

llvm::Expected<OwningOpRef<ModuleOp>> Importer::run(StringRef Name) {
  auto failed = [&](const Twine &Reason) {
    return llvm::createStringError("malformed behaviour profile: " + Reason);
  };
  if (const char *Fault = behavior::findFault(P))
    return failed(Fault);
  OwningOpRef<ModuleOp> Module = ModuleOp::create(Loc);
  B.setInsertionPointToStart(Module->getBody());
  auto Size = [&](const Dim3 &D) {
    return integers(std::array<int64_t, 3>{D.X, D.Y, D.Z});
  };
  Kernel = KernelOp::create(
      B, Loc, B.getStringAttr(Name), Size(P.Grid), Size(P.Threads),
      B.getI64IntegerAttr(P.RegistersPerThread),
      B.getI64IntegerAttr(P.SharedBytes), DenseI64ArrayAttr(),
      integers(std::array{P.WarpInstructions, P.ThreadInstructions}));
  Blocks.push_back(B.createBlock(&Kernel.getBody()));
  for (const behavior::Array &A : P.Arrays)
    Arrays.push_back(ArrayOp::create(B, Loc, ArrayType::get(&Context),
                                     Space(A.Where), A.SizeBytes));
  for (const behavior::Loop &L : P.Loops)
    importLoop(L);
  for (unsigned I = 0; I < P.Blocks.size(); ++I)
    importBlock(I);
  importTerminators();
  AccessValues.resize(P.Accesses.size());
  declareRegisters();
  // What reads a result comes after it: dominators first, then what never ran.
  SmallVector<std::pair<unsigned, unsigned>> Order; ///< level, block
  if (Blocks.size() == 1)                           // of which no tree is made
    Order.push_back({0, 0});
  for (unsigned I = 0; I < Blocks.size() && Blocks.size() > 1; ++I)
    Order.push_back({Dominance->isReachableFromEntry(Blocks[I])
                         ? Dominance->getNode(Blocks[I])->getLevel()
                         : UINT_MAX,
                     I});
  llvm::sort(Order);
  for (auto [Level, I] : Order)
    importChain(I);
  std::string Messages;
  ScopedDiagnosticHandler Handler(&Context, [&](Diagnostic &D) {
    if (Messages.empty())
      Messages = D.str();
    return success();
  });
  if (mlir::failed(verify(*Module)))
    return failed(Messages);
  return Module;
}

} // namespace

llvm::Expected<OwningOpRef<ModuleOp>>
importBehavior(const Profile &P, StringRef Name, MLIRContext &Context) {
  Context.loadDialect<SynthDialect>();
  return Importer(P, Context).run(Name);
}

} // namespace heddle::synth
