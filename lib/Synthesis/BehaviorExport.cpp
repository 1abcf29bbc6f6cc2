//===- BehaviorExport.cpp - A synth kernel as a behaviour profile ---------===//

#include "CountInference.h"
#include "heddle/Synthesis/BehaviorConversion.h"

#include <cmath>
#include <map>
#include <optional>

using namespace mlir;
using heddle::behavior::Keys;
using heddle::behavior::None;
using heddle::behavior::Profile;

namespace heddle::synth {

static_assert(NumKeys == behavior::NumKeys);

namespace {

class Exporter {
public:
  explicit Exporter(KernelOp Kernel) : Kernel(Kernel) {
    if (!Kernel.getExecutes())
      Inferred = inferCounts(Kernel);
  }
  Profile run();

private:
  void number();
  behavior::Loop loop(LoopOp Op);
  behavior::Access access(AccessOp Op);
  behavior::Instruction instruction(Operation &Op);
  behavior::Block block(Block &B);
  behavior::Branch branch(BranchOp Op);
  void exportFlow(Block &B, Profile &P);
  CountsAttr counts(Block &B, uint64_t Barriers);
  EdgeAttr edge(Block &B, unsigned Successor);
  std::vector<unsigned> registers(ValueRange Values);
  unsigned numberOf(LoopOp L) { return L ? Numbers.lookup(L) : None; }
  unsigned numberOf(Value V) {
    return V ? Numbers.lookup(V.getDefiningOp()) : None;
  }

  KernelOp Kernel;
  std::optional<InferredCounts> Inferred;
  llvm::DenseMap<Operation *, unsigned> Numbers; ///< arrays, loops, accesses
  llvm::DenseMap<Block *, unsigned> Blocks;
  llvm::DenseMap<Value, unsigned> Registers; ///< from 1, as they appear
};

} // namespace

static Dim3 dim3(ArrayRef<int64_t> D) {
  return {uint32_t(D[0]), uint32_t(D[1]), uint32_t(D[2])};
}

static Keys keysOf(FunctionAttr F) {
  Keys All = {};
  if (F)
    llvm::copy(F.getCoefficients(), All.begin());
  return All;
}

static double numberOr0(std::optional<APFloat> F) {
  return F ? F->convertToDouble() : 0.0;
}

void Exporter::number() {
  unsigned Arrays = 0, Loops = 0, Accesses = 0;
  for (Block &B : Kernel.getBody()) {
    Blocks.try_emplace(&B, Blocks.size());
    for (Operation &Op : B) {
      if (llvm::isa<ArrayOp>(Op))
        Numbers[&Op] = Arrays++;
      else if (llvm::isa<LoopOp>(Op))
        Numbers[&Op] = Loops++;
      else if (llvm::isa<AccessOp>(Op))
        Numbers[&Op] = Accesses++;
      auto I = llvm::dyn_cast<OpOp>(Op);
      if (!I)
        continue;
      for (ValueRange List :
           {ValueRange(I.getWrites()), ValueRange(I.getInto()),
            ValueRange(I.getReads())})
        for (Value V : List)
          Registers.try_emplace(V, Registers.size() + 1);
    }
  }
}

behavior::Loop Exporter::loop(LoopOp Op) {
  behavior::Loop L;
  for (Block &B : Kernel.getBody()) {
    BlockOp Begin = getBlockOp(B);
    if (Begin && Begin.getHeaderOf() && Begin.getLoop() == Op) {
      L.Header = Blocks.lookup(&B);
      L.After = numberOf(Begin.getAfterLoop());
    }
    for (LoopOp Around = getLoopOf(B); Around; Around = Around.getParentLoop())
      if (Around == Op)
        L.Blocks.push_back(Blocks.lookup(&B));
  }
  L.Parent = numberOf(Op.getParentLoop());
  L.Depth = Op.getDepth();
  llvm::copy(Op.getWarpQuantiles(), L.Trips.begin());
  llvm::copy(Op.getThreadShares(), L.ThreadTrips.begin());
  L.MeanTrips =
      Op.getMean() ? Op.getMean()->convertToDouble() : Op.getDefaultMean();
  L.TripsVaryInWarp = Op.getVaries();
  if (auto Blocks = Op.getBlocks())
    L.BlockTrips.assign(Blocks->begin(), Blocks->end());
  FunctionAttr Affine = Op.getAffine().value_or(FunctionAttr());
  L.TripsAffine = bool(Affine);
  L.TripConstant = Affine ? Affine.getConstant() : 0;
  L.TripCoefficients = keysOf(Affine);
  return L;
}

behavior::Access Exporter::access(AccessOp Op) {
  behavior::Access A;
  A.Array = numberOf(Op.getArray());
  A.Bytes = Op.getBytes();
  A.IsStore = Op.getStore();
  A.Requests = Op.getRequests();
  A.IsAffine = Op.getAffine();
  A.Explained = Op.getExplained().convertToDouble();
  FunctionAttr At = Op.getAt().value_or(FunctionAttr());
  A.Constant = At ? At.getConstant() : 0;
  A.Coefficients = keysOf(At);
  for (size_t I = 0; At && I < At.getFields().size(); I += FieldNumbers) {
    ArrayRef<int64_t> F = At.getFields().slice(I, FieldNumbers);
    A.Fields.push_back({unsigned(F[0]), unsigned(F[1]), unsigned(F[2]), F[3]});
  }
  A.Modulus = Op.getModulus().value_or(0);
  A.Near = Op.getNear().value_or(0);
  if (auto Range = Op.getRange(); Range && !Range->empty()) {
    A.Least = (*Range)[0];
    A.Most = (*Range)[1];
  }
  A.SectorsPerRequest = Op.getSectors().convertToDouble();
  A.ConflictsPerRequest = Op.getConflicts().convertToDouble();
  A.Step = Op.getStep().value_or(0);
  A.StepShare = numberOr0(Op.getStepShare());
  A.LaneStride = Op.getLaneStride().value_or(0);
  A.LaneShare = numberOr0(Op.getLaneShare());
  A.Leader = numberOf(Op.getLeader());
  A.LeaderDistance = Op.getDistance().value_or(0);
  A.FootprintSectors = Op.getFootprint();
  A.SectorEntropy = Op.getEntropy().convertToDouble();
  A.OwnLines = numberOr0(Op.getOwnLines());
  A.OwnSectors = numberOr0(Op.getOwnSectors());
  A.OwnBytes = Op.getOwnBytes().value_or(0);
  A.OwnTogether = Op.getOwnTogether();
  return A;
}

std::vector<unsigned> Exporter::registers(ValueRange Values) {
  std::vector<unsigned> All;
  for (Value V : Values)
    All.push_back(Registers.lookup(V));
  return All;
}

behavior::Instruction Exporter::instruction(Operation &Op) {
  behavior::Instruction Out;
  if (auto Barrier = llvm::dyn_cast<BarrierOp>(Op)) {
    Out.Opcode = Barrier.getOpcode().str();
    return Out;
  }
  auto I = llvm::cast<OpOp>(Op);
  Out.Opcode = I.getOpcode().str();
  Out.Defs = registers(I.getWrites().empty() ? ValueRange(I.getInto())
                                             : I.getWrites());
  Out.Uses = registers(I.getReads());
  Out.Access = numberOf(I.getAccess());
  Out.ByteOffset = int(I.getOffset());
  Out.IsSpecial = I.getSpecial();
  Out.Issued = I.getIssued();
  return Out;
}

/// As given, else as inferred.
CountsAttr Exporter::counts(Block &B, uint64_t Barriers) {
  MLIRContext *Context = Kernel.getContext();
  BlockOp Op = getBlockOp(B);
  if (!Inferred)
    return Op && Op.getCounts() ? *Op.getCounts()
                                : CountsAttr::get(Context, 0, 0, 0, 0);
  Flow Here = Inferred->Blocks.lookup(&B);
  uint64_t Iterations = 0;
  if (LoopOp L = getLoopOf(B))
    for (Block &Header : Kernel.getBody())
      if (BlockOp H = getBlockOp(Header);
          H && H.getHeaderOf() && H.getLoop() == L)
        Iterations = std::llround(Inferred->Blocks.lookup(&Header).Threads);
  uint64_t Warps = std::llround(Here.Warps);
  return CountsAttr::get(Context, std::llround(Here.Threads), Warps, Iterations,
                         Warps * Barriers);
}

EdgeAttr Exporter::edge(Block &B, unsigned Successor) {
  if (Inferred) {
    auto It = Inferred->Edges.find(&B);
    if (It == Inferred->Edges.end())
      return {};
    Flow F = It->second[Successor];
    const uint64_t Count = std::llround(F.Threads);
    if (!Count)
      return {};
    return EdgeAttr::get(Kernel.getContext(), Count,
                         std::max<uint64_t>(std::llround(F.Warps), 1), Count);
  }
  Operation *Op = B.getTerminator();
  if (auto Br = llvm::dyn_cast<BrOp>(Op))
    return Br.getEdge().value_or(EdgeAttr());
  auto Branch = llvm::cast<BranchOp>(Op);
  return (Successor ? Branch.getOtherEdge() : Branch.getTakenEdge())
      .value_or(EdgeAttr());
}

behavior::Block Exporter::block(Block &B) {
  behavior::Block Out;
  uint64_t Barriers = 0;
  for (Operation &Op : B)
    if (llvm::isa<OpOp, BarrierOp>(Op)) {
      Out.Chain.push_back(instruction(Op));
      Barriers += llvm::isa<BarrierOp>(Op);
    }
  CountsAttr Counts = counts(B, Barriers);
  Out.ECount = Counts.getECount();
  Out.WarpCount = Counts.getWarpCount();
  Out.LCount = Counts.getLCount();
  Out.SCount = Counts.getSCount();
  Out.Loop = numberOf(getLoopOf(B));
  if (BlockOp Op = getBlockOp(B); Op && Op.getLanes())
    llvm::copy(*Op.getLanes(), Out.Lanes.begin());
  return Out;
}

behavior::Branch Exporter::branch(BranchOp Op) {
  behavior::Branch Out;
  Out.Block = Blocks.lookup(Op->getBlock());
  Out.Taken = Blocks.lookup(Op.getTaken());
  Out.Other = Blocks.lookup(Op.getOther());
  FunctionAttr Where = Op.getWhere().value_or(FunctionAttr()),
               Also = Op.getAlso().value_or(FunctionAttr());
  Out.IsFixed = bool(Where);
  Out.Coefficients = keysOf(Where);
  if (Where) {
    Out.Modulus = Op.getModulo().value_or(0);
    Out.Lower = Op.getFrom().value_or(INT64_MIN);
    Out.Upper = Op.getBelow().value_or(INT64_MAX);
  }
  Out.AlsoCoefficients = keysOf(Also);
  if (Also) {
    Out.AlsoLower = Op.getAlsoFrom().value_or(INT64_MIN);
    Out.AlsoUpper = Op.getAlsoBelow().value_or(INT64_MAX);
  }
  SharesAttr S = Op.getShares().value_or(SharesAttr());
  if (!S && Inferred)
    S = Inferred->Shares.lookup(Op);
  if (S) {
    Out.AllTaken = S.getAll().convertToDouble();
    Out.Mixed = S.getMixed().convertToDouble();
    Out.MixedLanes = S.getLanes().convertToDouble();
  }
  return Out;
}

void Exporter::exportFlow(Block &B, Profile &P) {
  Operation *Op = B.getTerminator();
  if (auto Branch = llvm::dyn_cast<BranchOp>(Op))
    P.Branches.push_back(branch(Branch));
  // In order of their targets.
  std::map<unsigned, EdgeAttr> Taken;
  for (unsigned I = 0; I < Op->getNumSuccessors(); ++I)
    if (EdgeAttr E = edge(B, I))
      Taken[Blocks.lookup(Op->getSuccessor(I))] = E;
  for (auto [To, E] : Taken)
    P.Edges.push_back(
        {Blocks.lookup(&B), To, E.getCount(), E.getWarpCount(), E.getTCount()});
}

Profile Exporter::run() {
  number();
  Profile P;
  P.Grid = dim3(Kernel.getOfGrid().value_or(Kernel.getGrid()));
  P.Threads = dim3(Kernel.getThreads());
  P.RegistersPerThread = Kernel.getRegisters();
  P.SharedBytes = Kernel.getShared();
  P.NumRegisters = Registers.size();
  for (Block &B : Kernel.getBody()) {
    for (Operation &Op : B) {
      if (auto A = llvm::dyn_cast<ArrayOp>(Op))
        P.Arrays.push_back({behavior::Space(A.getSpace()), A.getSize()});
      else if (auto L = llvm::dyn_cast<LoopOp>(Op))
        P.Loops.push_back(loop(L));
      else if (auto X = llvm::dyn_cast<AccessOp>(Op))
        P.Accesses.push_back(access(X));
    }
    const behavior::Block &Out = P.Blocks.emplace_back(block(B));
    P.WarpInstructions += Out.WarpCount * Out.Chain.size();
    P.ThreadInstructions += Out.ECount * Out.Chain.size();
    exportFlow(B, P);
  }
  if (auto Executes = Kernel.getExecutes()) {
    P.WarpInstructions = (*Executes)[0];
    P.ThreadInstructions = (*Executes)[1];
  }
  return P;
}

llvm::Expected<Profile> exportBehavior(KernelOp Kernel) {
  Profile P = Exporter(Kernel).run();
  if (const char *Fault = behavior::findFault(P))
    return llvm::createStringError("malformed behaviour: " +
                                   llvm::StringRef(Fault));
  return P;
}

synthesis::Reduction exportReduction(KernelOp Kernel) {
  synthesis::Reduction R;
  for (auto L : Kernel.getBody().front().getOps<LoopOp>())
    R.Loops.push_back({L.getReducedBy(), L.getAtLeast()});
  R.Grid = dim3(Kernel.getGrid());
  return R;
}

} // namespace heddle::synth
