//===- BehaviorExport.cpp - A synth kernel as a behaviour profile ---------===//

#include "AttributeJSON.h"
#include "CountInference.h"
#include "heddle/Synthesis/BehaviorConversion.h"

#include <cmath>
#include <optional>

using namespace mlir;
namespace json = llvm::json;

namespace heddle::synth {

/// What a profile writes for "none of them".
static constexpr int64_t None = UINT32_MAX;
static constexpr unsigned NumLaneClasses = 6;

namespace {

class Exporter {
public:
  explicit Exporter(KernelOp Kernel) : Kernel(Kernel) {
    if (!Kernel.getExecutes())
      Inferred = inferCounts(Kernel);
  }
  json::Object run();

private:
  void number();
  json::Object array(ArrayOp Op);
  json::Object loop(LoopOp Op);
  json::Object access(AccessOp Op);
  json::Object instruction(Operation &Op);
  json::Object block(Block &B);
  void flow(Block &B, json::Array &Branches, json::Array &Edges);
  json::Object branch(BranchOp Op);
  CountsAttr counts(Block &B, int64_t Barriers);
  EdgeAttr edge(Block &B, unsigned Successor);
  json::Array registers(ValueRange Values);
  int64_t loopNumber(LoopOp L) { return L ? Numbers.lookup(L) : None; }

  KernelOp Kernel;
  std::optional<InferredCounts> Inferred;
  llvm::DenseMap<Operation *, int64_t> Numbers; ///< arrays, loops, accesses
  llvm::DenseMap<Block *, int64_t> Blocks;
  llvm::DenseMap<Value, int64_t> Registers; ///< from 1, as they appear
  int64_t WarpInstructions = 0, ThreadInstructions = 0;
};

} // namespace

/// \p O with what the operation carries besides.
static json::Object withExtra(json::Object O, Operation *Op) {
  if (auto Extra = Op->getAttrOfType<DictionaryAttr>(ExtraName))
    for (NamedAttribute A : Extra)
      O[A.getName().strref()] = toJSON(A.getValue());
  return O;
}

static json::Object dim3(ArrayRef<int64_t> D) {
  return json::Object{{"X", D[0]}, {"Y", D[1]}, {"Z", D[2]}};
}

static json::Array zeros(unsigned N) {
  return json::Array(SmallVector<int64_t>(N, 0));
}

void Exporter::number() {
  int64_t Arrays = 0, Loops = 0, Accesses = 0;
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

json::Object Exporter::array(ArrayOp Op) {
  return json::Object{{"Where", stringifySpace(Op.getSpace())},
                      {"SizeBytes", int64_t(Op.getSize())}};
}

json::Object Exporter::loop(LoopOp Op) {
  json::Array Body;
  Block *Header = nullptr;
  for (Block &B : Kernel.getBody()) {
    BlockOp Begin = getBlockOp(B);
    if (Begin && Begin.getHeaderOf() && Begin.getLoop() == Op)
      Header = &B;
    for (LoopOp L = getLoopOf(B); L; L = L.getParentLoop())
      if (L == Op)
        Body.push_back(Blocks.lookup(&B));
  }
  FunctionAttr Affine = Op.getAffine().value_or(FunctionAttr());
  return json::Object{
      {"Header", Blocks.lookup(Header)},
      {"Parent", loopNumber(Op.getParentLoop())},
      {"Depth", Op.getDepth()},
      {"Blocks", std::move(Body)},
      {"Trips", json::Array(Op.getWarpQuantiles())},
      {"ThreadTrips", json::Array(Op.getThreadShares())},
      {"MeanTrips",
       Op.getMean() ? Op.getMean()->convertToDouble() : Op.getDefaultMean()},
      {"TripsVaryInWarp", Op.getVaries()},
      {"TripsAffine", bool(Affine)},
      {"TripConstant", Affine ? Affine.getConstant() : 0},
      {"TripCoefficients",
       Affine ? json::Array(Affine.getCoefficients()) : zeros(NumKeys)}};
}

json::Object Exporter::access(AccessOp Op) {
  FunctionAttr At = Op.getAt().value_or(FunctionAttr());
  json::Array Fields;
  for (size_t I = 0; At && I < At.getFields().size(); I += FieldNumbers)
    Fields.push_back(json::Array(At.getFields().slice(I, FieldNumbers)));
  ArrayRef<int64_t> Range = Op.getRange().value_or(ArrayRef<int64_t>());
  auto Share = [](std::optional<APFloat> F) {
    return F ? F->convertToDouble() : 0.0;
  };
  return json::Object{
      {"Array",
       Op.getArray() ? Numbers.lookup(Op.getArray().getDefiningOp()) : None},
      {"Bytes", int64_t(Op.getBytes())},
      {"IsStore", Op.getStore()},
      {"Requests", int64_t(Op.getRequests())},
      {"IsAffine", Op.getAffine()},
      {"Explained", Op.getExplained().convertToDouble()},
      {"Constant", At ? At.getConstant() : 0},
      {"Coefficients", At ? json::Array(At.getCoefficients()) : zeros(NumKeys)},
      {"Fields", std::move(Fields)},
      {"Least", Range.empty() ? 0 : Range[0]},
      {"Most", Range.empty() ? 0 : Range[1]},
      {"SectorsPerRequest", Op.getSectors().convertToDouble()},
      {"ConflictsPerRequest", Op.getConflicts().convertToDouble()},
      {"Step", int64_t(Op.getStep().value_or(0))},
      {"StepShare", Share(Op.getStepShare())},
      {"LaneStride", int64_t(Op.getLaneStride().value_or(0))},
      {"LaneShare", Share(Op.getLaneShare())},
      {"Leader",
       Op.getLeader() ? Numbers.lookup(Op.getLeader().getDefiningOp()) : None},
      {"LeaderDistance", int64_t(Op.getDistance().value_or(0))},
      {"FootprintSectors", int64_t(Op.getFootprint())},
      {"SectorEntropy", Op.getEntropy().convertToDouble()},
      {"OwnLines", Share(Op.getOwnLines())},
      {"OwnSectors", Share(Op.getOwnSectors())},
      {"OwnBytes", int64_t(Op.getOwnBytes().value_or(0))},
      {"OwnTogether", Op.getOwnTogether()}};
}

json::Array Exporter::registers(ValueRange Values) {
  json::Array All;
  for (Value V : Values)
    All.push_back(Registers.lookup(V));
  return All;
}

json::Object Exporter::instruction(Operation &Op) {
  if (auto Barrier = llvm::dyn_cast<BarrierOp>(Op))
    return json::Object{{"Opcode", Barrier.getOpcode()},
                        {"Defs", json::Array()},
                        {"Uses", json::Array()},
                        {"Access", None},
                        {"ByteOffset", 0},
                        {"IsSpecial", false},
                        {"Issued", 1}};
  auto I = llvm::cast<OpOp>(Op);
  Value Access = I.getAccess();
  return json::Object{
      {"Opcode", I.getOpcode()},
      {"Defs", registers(I.getWrites().empty() ? ValueRange(I.getInto())
                                               : I.getWrites())},
      {"Uses", registers(I.getReads())},
      {"Access", Access ? Numbers.lookup(Access.getDefiningOp()) : None},
      {"ByteOffset", int64_t(I.getOffset())},
      {"IsSpecial", I.getSpecial()},
      {"Issued", int64_t(I.getIssued())}};
}

/// As given, else as inferred.
CountsAttr Exporter::counts(Block &B, int64_t Barriers) {
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

json::Object Exporter::block(Block &B) {
  json::Array Chain;
  int64_t Barriers = 0;
  for (Operation &Op : B)
    if (llvm::isa<OpOp, BarrierOp>(Op)) {
      Chain.push_back(withExtra(instruction(Op), &Op));
      Barriers += llvm::isa<BarrierOp>(Op);
    }
  CountsAttr Counts = counts(B, Barriers);
  WarpInstructions += Counts.getWarpCount() * Chain.size();
  ThreadInstructions += Counts.getECount() * Chain.size();
  json::Array Lanes = zeros(NumLaneClasses);
  BlockOp Op = getBlockOp(B);
  if (Op && Op.getLanes())
    Lanes = json::Array(*Op.getLanes());
  json::Object Out = json::Object{
      {"ECount", Counts.getECount()},     {"WarpCount", Counts.getWarpCount()},
      {"LCount", Counts.getLCount()},     {"SCount", Counts.getSCount()},
      {"Loop", loopNumber(getLoopOf(B))}, {"Lanes", std::move(Lanes)},
      {"Chain", std::move(Chain)}};
  return Op ? withExtra(std::move(Out), Op) : Out;
}

json::Object Exporter::branch(BranchOp Op) {
  SharesAttr S = Op.getShares().value_or(SharesAttr());
  if (!S && Inferred)
    S = Inferred->Shares.lookup(Op);
  auto Share = [&](const APFloat &F) { return F.convertToDouble(); };
  FunctionAttr Where = Op.getWhere().value_or(FunctionAttr());
  FunctionAttr Also = Op.getAlso().value_or(FunctionAttr());
  auto Of = [](FunctionAttr Function, std::optional<uint64_t> V,
               int64_t Default) {
    return V ? int64_t(*V) : Function ? Default : 0;
  };
  auto Bound = [&](std::optional<uint64_t> V, int64_t Default) {
    return Of(Where, V, Default);
  };
  return json::Object{
      {"Block", Blocks.lookup(Op->getBlock())},
      {"Taken", Blocks.lookup(Op.getTaken())},
      {"Other", Blocks.lookup(Op.getOther())},
      {"IsFixed", bool(Where)},
      {"Coefficients",
       Where ? json::Array(Where.getCoefficients()) : zeros(NumKeys)},
      {"Modulus", Bound(Op.getModulo(), 0)},
      {"Lower", Bound(Op.getFrom(), INT64_MIN)},
      {"Upper", Bound(Op.getBelow(), INT64_MAX)},
      {"AlsoCoefficients",
       Also ? json::Array(Also.getCoefficients()) : zeros(NumKeys)},
      {"AlsoLower", Of(Also, Op.getAlsoFrom(), INT64_MIN)},
      {"AlsoUpper", Of(Also, Op.getAlsoBelow(), INT64_MAX)},
      {"AllTaken", S ? Share(S.getAll()) : 0.0},
      {"Mixed", S ? Share(S.getMixed()) : 0.0},
      {"MixedLanes", S ? Share(S.getLanes()) : 0.0}};
}

void Exporter::flow(Block &B, json::Array &Branches, json::Array &Edges) {
  Operation *Op = B.getTerminator();
  if (auto Branch = llvm::dyn_cast<BranchOp>(Op))
    Branches.push_back(withExtra(branch(Branch), Op));
  // In order of their targets.
  std::map<int64_t, EdgeAttr> Taken;
  for (unsigned I = 0; I < Op->getNumSuccessors(); ++I)
    if (EdgeAttr E = edge(B, I))
      Taken[Blocks.lookup(Op->getSuccessor(I))] = E;
  for (auto [To, E] : Taken)
    Edges.push_back(json::Object{{"From", Blocks.lookup(&B)},
                                 {"To", To},
                                 {"Count", E.getCount()},
                                 {"WarpCount", E.getWarpCount()},
                                 {"TCount", E.getTCount()}});
}

json::Object Exporter::run() {
  number();
  json::Array Arrays, Loops, Accesses, AllBlocks, Branches, Edges;
  for (Block &B : Kernel.getBody()) {
    for (Operation &Op : B) {
      if (auto A = llvm::dyn_cast<ArrayOp>(Op))
        Arrays.push_back(withExtra(array(A), A));
      else if (auto L = llvm::dyn_cast<LoopOp>(Op))
        Loops.push_back(withExtra(loop(L), L));
      else if (auto X = llvm::dyn_cast<AccessOp>(Op))
        Accesses.push_back(withExtra(access(X), X));
    }
    AllBlocks.push_back(block(B));
    flow(B, Branches, Edges);
  }
  if (auto Executes = Kernel.getExecutes()) {
    WarpInstructions = (*Executes)[0];
    ThreadInstructions = (*Executes)[1];
  }
  return withExtra(
      json::Object{
          {"Grid", dim3(Kernel.getOfGrid().value_or(Kernel.getGrid()))},
          {"Threads", dim3(Kernel.getThreads())},
          {"RegistersPerThread", int64_t(Kernel.getRegisters())},
          {"SharedBytes", int64_t(Kernel.getShared())},
          {"WarpInstructions", WarpInstructions},
          {"ThreadInstructions", ThreadInstructions},
          {"NumRegisters", Registers.size()},
          {"Arrays", std::move(Arrays)},
          {"Accesses", std::move(Accesses)},
          {"Loops", std::move(Loops)},
          {"Branches", std::move(Branches)},
          {"Edges", std::move(Edges)},
          {"Blocks", std::move(AllBlocks)}},
      Kernel);
}

json::Object exportBehavior(KernelOp Kernel) { return Exporter(Kernel).run(); }

json::Object exportReduction(KernelOp Kernel) {
  json::Array Loops;
  for (auto L : Kernel.getBody().front().getOps<LoopOp>())
    Loops.push_back(json::Object{{"Factor", int64_t(L.getReducedBy())},
                                 {"MinTrips", int64_t(L.getAtLeast())}});
  return json::Object{{"Grid", dim3(Kernel.getGrid())},
                      {"Loops", std::move(Loops)}};
}

} // namespace heddle::synth
