//===- BehaviorImport.cpp - A behaviour profile as a synth kernel ---------===//

#include "AttributeJSON.h"
#include "heddle/Synthesis/BehaviorConversion.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Verifier.h"

#include <map>

using namespace mlir;
namespace json = llvm::json;

namespace heddle::synth {

/// What a profile writes for "none of them".
static constexpr int64_t None = UINT32_MAX;

namespace {

/// An object of the profile. What was not asked for remains in it.
class Fields {
public:
  Fields(json::Object Object, StringRef What, std::string &Fault)
      : Object(std::move(Object)), What(What.str()), Fault(Fault) {}

  int64_t integer(StringRef Name) {
    json::Value V = take(Name);
    if (auto I = V.getAsInteger())
      return *I;
    if (auto U = V.getAsUINT64())
      return int64_t(*U);
    fault(Name, "no integer");
    return 0;
  }
  double number(StringRef Name) {
    json::Value V = take(Name);
    if (auto N = V.getAsNumber())
      return *N;
    fault(Name, "no number");
    return 0;
  }
  bool boolean(StringRef Name) {
    json::Value V = take(Name);
    if (auto B = V.getAsBoolean())
      return *B;
    fault(Name, "neither true nor false");
    return false;
  }
  std::string string(StringRef Name) {
    json::Value V = take(Name);
    if (auto S = V.getAsString())
      return S->str();
    fault(Name, "no string");
    return "";
  }
  SmallVector<int64_t> integers(StringRef Name) {
    SmallVector<int64_t> All;
    for (const json::Value &V : array(Name))
      if (auto I = V.getAsInteger())
        All.push_back(*I);
      else
        fault(Name, "no list of integers");
    return All;
  }
  SmallVector<double> numbers(StringRef Name) {
    SmallVector<double> All;
    for (const json::Value &V : array(Name))
      if (auto N = V.getAsNumber())
        All.push_back(*N);
      else
        fault(Name, "no list of numbers");
    return All;
  }
  json::Array array(StringRef Name) {
    json::Value V = take(Name);
    if (json::Array *A = V.getAsArray())
      return std::move(*A);
    fault(Name, "no list");
    return {};
  }
  /// Each object of a list.
  void each(StringRef Name, llvm::function_ref<void(Fields)> Visit) {
    for (json::Value &V : array(Name))
      if (json::Object *O = V.getAsObject())
        Visit(Fields(std::move(*O), Name, Fault));
      else
        fault(Name, "no list of objects");
  }
  Fields object(StringRef Name) {
    json::Value V = take(Name);
    if (json::Object *O = V.getAsObject())
      return Fields(std::move(*O), Name, Fault);
    fault(Name, "no object");
    return Fields({}, Name, Fault);
  }
  /// Gives back what was taken.
  void put(StringRef Name, json::Value V) { Object[Name] = std::move(V); }
  const json::Object &rest() const { return Object; }

private:
  json::Value take(StringRef Name) {
    auto It = Object.find(Name);
    if (It == Object.end()) {
      fault(Name, "missing");
      return nullptr;
    }
    json::Value V = std::move(It->second);
    Object.erase(It);
    return V;
  }
  void fault(StringRef Name, StringRef Is) {
    if (Fault.empty())
      Fault = (What + ": '" + Name + "' is " + Is).str();
  }

  json::Object Object;
  std::string What, &Fault;
};

struct Instruction {
  std::string Opcode;
  SmallVector<int64_t> Defs, Uses;
  int64_t Access, Offset;
  bool IsSpecial;
  int64_t Issued;
  json::Object Rest;
};

class Importer {
public:
  Importer(const json::Object &Behavior, MLIRContext &Context)
      : Root(Behavior, "behavior", Fault), Context(Context), B(&Context),
        Loc(UnknownLoc::get(&Context)) {}
  llvm::Expected<OwningOpRef<ModuleOp>> run(StringRef Name);

private:
  void keepRest(Operation *Op, const json::Object &Rest);
  SmallVector<int64_t> dim3(StringRef Name);
  DenseI64ArrayAttr integers(ArrayRef<int64_t> Values, bool Fold = false);
  FunctionAttr function(Fields &F, StringRef Constant, StringRef Coefficients);
  void importArrays();
  void importLoops();
  void importBlocks();
  void importTerminators();
  Operation *branch(Fields &F);
  EdgeAttr edge(int64_t From, int64_t To);
  void declareRegisters();
  bool isResult(int64_t Register) const;
  void importChain(unsigned Block);
  Value access(int64_t Index);

  std::string Fault;
  Fields Root;
  MLIRContext &Context;
  OpBuilder B;
  Location Loc;
  KernelOp Kernel;
  SmallVector<Value> Arrays, Loops;
  SmallVector<int64_t> Headers, LoopOf; ///< by loop, by block
  SmallVector<Block *> Blocks;
  SmallVector<std::vector<Instruction>> Chains;
  SmallVector<Fields> Accesses;
  SmallVector<Value> AccessValues; ///< null before the first use
  std::map<std::pair<int64_t, int64_t>, EdgeAttr> Edges;
  /// A place in the chains.
  using Place = std::pair<unsigned, unsigned>;
  struct RegisterPlaces {
    SmallVector<Place> Defs, Uses;
  };
  std::map<int64_t, RegisterPlaces> Places;
  std::map<int64_t, Value> Registers;
  std::unique_ptr<DominanceInfo> Dominance;
};

void Importer::keepRest(Operation *Op, const json::Object &Rest) {
  if (!Rest.empty())
    Op->setAttr(ExtraName,
                toAttribute(&Context, json::Value(json::Object(Rest))));
}

SmallVector<int64_t> Importer::dim3(StringRef Name) {
  Fields F = Root.object(Name);
  return {F.integer("X"), F.integer("Y"), F.integer("Z")};
}

DenseI64ArrayAttr Importer::integers(ArrayRef<int64_t> Values, bool Fold) {
  if (Fold && !Values.empty() && llvm::all_equal(Values))
    Values = Values.take_front();
  return B.getDenseI64ArrayAttr(Values);
}

FunctionAttr Importer::function(Fields &F, StringRef Constant,
                                StringRef Coefficients) {
  int64_t C = Constant.empty() ? 0 : F.integer(Constant);
  SmallVector<int64_t> K = F.integers(Coefficients);
  K.resize(NumKeys);
  return FunctionAttr::get(&Context, C, K, {});
}

static bool isZero(FunctionAttr F) {
  return !F.getConstant() &&
         llvm::all_of(F.getCoefficients(), [](int64_t C) { return !C; }) &&
         F.getFields().empty();
}

void Importer::importArrays() {
  Root.each("Arrays", [&](Fields F) {
    std::optional<Space> Where = symbolizeSpace(F.string("Where"));
    if (!Where && Fault.empty())
      Fault = "an array is in no memory space";
    auto Op =
        ArrayOp::create(B, Loc, ArrayType::get(&Context),
                        Where.value_or(Space::Global), F.integer("SizeBytes"));
    keepRest(Op, F.rest());
    Arrays.push_back(Op);
  });
}

void Importer::importLoops() {
  Root.each("Loops", [&](Fields F) {
    int64_t Parent = F.integer("Parent");
    Headers.push_back(F.integer("Header"));
    F.integer("Depth"); // both follow from parents
    F.integers("Blocks");
    SmallVector<double> Threads = F.numbers("ThreadTrips");
    double Mean = F.number("MeanTrips");
    FunctionAttr Affine = function(F, "TripConstant", "TripCoefficients");
    bool IsAffine = F.boolean("TripsAffine");
    if (!IsAffine && !isZero(Affine)) {
      F.put("TripConstant", Affine.getConstant());
      F.put("TripCoefficients", json::Array(Affine.getCoefficients()));
    }
    auto Op = LoopOp::create(
        B, Loc, LoopType::get(&Context),
        size_t(Parent) < Loops.size() ? Loops[Parent] : Value(),
        integers(F.integers("Trips"), true), ArrayAttr(), FloatAttr(),
        F.boolean("TripsVaryInWarp"), IsAffine ? Affine : FunctionAttr());
    if (Threads != Op.getDefaultThreadShares())
      Op.setThreadsAttr(
          B.getF64ArrayAttr(llvm::all_equal(Threads) && !Threads.empty()
                                ? llvm::ArrayRef(Threads).take_front()
                                : llvm::ArrayRef(Threads)));
    if (Mean != Op.getDefaultMean())
      Op.setMeanAttr(B.getF64FloatAttr(Mean));
    keepRest(Op, F.rest());
    Loops.push_back(Op);
  });
}

void Importer::importBlocks() {
  Root.each("Blocks", [&](Fields F) {
    const int64_t Index = Chains.size();
    if (Index)
      Blocks.push_back(B.createBlock(&Kernel.getBody()));
    int64_t Loop = F.integer("Loop");
    LoopOf.push_back(Loop);
    Value In = size_t(Loop) < Loops.size() ? Loops[Loop] : Value();
    const bool Heads = In && Headers[Loop] == Index;
    SmallVector<int64_t> Lanes = F.integers("Lanes");
    int64_t E = F.integer("ECount"), W = F.integer("WarpCount"),
            L = F.integer("LCount"), S = F.integer("SCount");
    auto &Chain = Chains.emplace_back();
    F.each("Chain", [&](Fields I) {
      Chain.push_back({I.string("Opcode"),
                       I.integers("Defs"),
                       I.integers("Uses"),
                       I.integer("Access"),
                       I.integer("ByteOffset"),
                       I.boolean("IsSpecial"),
                       I.integer("Issued"),
                       {}});
      Chain.back().Rest = I.rest();
      const Place Here = {Index, Chain.size() - 1};
      for (int64_t R : Chain.back().Defs)
        Places[R].Defs.push_back(Here);
      for (int64_t R : Chain.back().Uses)
        Places[R].Uses.push_back(Here);
    });
    bool IsZero = llvm::all_of(Lanes, [](int64_t N) { return !N; });
    CountsAttr Counts =
        E || W || L || S ? CountsAttr::get(&Context, E, W, L, S) : nullptr;
    auto Op =
        BlockOp::create(B, Loc, Heads ? In : Value(), Heads ? Value() : In,
                        Counts, IsZero ? DenseI64ArrayAttr() : integers(Lanes));
    keepRest(Op, F.rest());
  });
}

EdgeAttr Importer::edge(int64_t From, int64_t To) {
  auto It = Edges.find({From, To});
  return It == Edges.end() ? EdgeAttr() : It->second;
}

Operation *Importer::branch(Fields &F) {
  const int64_t From = F.integer("Block"), Taken = F.integer("Taken"),
                Other = F.integer("Other");
  const bool IsFixed = F.boolean("IsFixed");
  FunctionAttr Where = function(F, "", "Coefficients");
  int64_t Modulus = F.integer("Modulus"), Lower = F.integer("Lower"),
          Upper = F.integer("Upper");
  FunctionAttr Also = function(F, "", "AlsoCoefficients");
  const int64_t AlsoLower = F.integer("AlsoLower"),
                AlsoUpper = F.integer("AlsoUpper");
  const bool HasAlso = IsFixed && !isZero(Also);
  if (!IsFixed && (!isZero(Where) || Modulus || Lower || Upper)) {
    F.put("Coefficients", json::Array(Where.getCoefficients()));
    F.put("Modulus", Modulus);
    F.put("Lower", Lower);
    F.put("Upper", Upper);
  }
  auto Shares = SharesAttr::get(&Context, F.number("AllTaken"),
                                F.number("Mixed"), F.number("MixedLanes"));
  if (!Fault.empty() || size_t(Taken) >= Blocks.size() ||
      size_t(Other) >= Blocks.size() || size_t(From) >= Blocks.size()) {
    if (Fault.empty())
      Fault = "a branch leads nowhere";
    return nullptr;
  }
  auto Optional = [&](bool Has, int64_t V) {
    return IsFixed && Has ? B.getI64IntegerAttr(V) : IntegerAttr();
  };
  B.setInsertionPointToEnd(Blocks[From]);
  return BranchOp::create(
      B, Loc, IsFixed ? Where : FunctionAttr(), Optional(Modulus, Modulus),
      Optional(Lower != INT64_MIN, Lower), Optional(Upper != INT64_MAX, Upper),
      HasAlso ? Also : FunctionAttr(),
      Optional(HasAlso && AlsoLower != INT64_MIN, AlsoLower),
      Optional(HasAlso && AlsoUpper != INT64_MAX, AlsoUpper), Value(), Shares,
      edge(From, Taken), edge(From, Other), Blocks[Taken], Blocks[Other]);
}

void Importer::importTerminators() {
  std::map<int64_t, int64_t> Next; ///< of blocks without a branch
  Root.each("Edges", [&](Fields F) {
    int64_t From = F.integer("From"), To = F.integer("To");
    Edges[{From, To}] =
        EdgeAttr::get(&Context, F.integer("Count"), F.integer("WarpCount"),
                      F.integer("TCount"));
    Next[From] = To;
    if (!F.rest().empty() && Fault.empty())
      Fault = "an edge has fields that the dialect has no words for";
  });
  Root.each("Branches", [&](Fields F) {
    if (Operation *Op = branch(F))
      keepRest(Op, F.rest());
  });
  for (auto [Index, Block] : llvm::enumerate(Blocks)) {
    if (!Block->empty() && Block->back().hasTrait<OpTrait::IsTerminator>())
      continue;
    B.setInsertionPointToEnd(Block);
    auto It = Next.find(Index);
    if (It == Next.end())
      ReturnOp::create(B, Loc);
    else if (size_t(It->second) < Blocks.size())
      BrOp::create(B, Loc, edge(Index, It->second), Blocks[It->second]);
  }
}

/// Whether one instruction writes \p R, alone, and all that read it follow.
bool Importer::isResult(int64_t R) const {
  const RegisterPlaces &P = Places.at(R);
  if (P.Defs.size() != 1)
    return false;
  const auto [Block, Index] = P.Defs.front();
  const bool Runs = Dominance->isReachableFromEntry(Blocks[Block]);
  for (auto [UseBlock, UseIndex] : P.Uses)
    if (UseBlock == Block
            ? UseIndex <= Index
            : !Runs || !Dominance->dominates(Blocks[Block], Blocks[UseBlock]))
      return false;
  return true;
}

void Importer::declareRegisters() {
  Dominance = std::make_unique<DominanceInfo>(Kernel);
  // All that an instruction writes is declared, or nothing.
  std::map<int64_t, bool> Declared;
  for (const auto &[R, P] : Places)
    Declared[R] = !isResult(R);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const auto &Chain : Chains)
      for (const Instruction &I : Chain)
        if (llvm::any_of(I.Defs, [&](int64_t R) { return Declared[R]; }))
          for (int64_t R : I.Defs)
            Changed |= !std::exchange(Declared[R], true);
  }
  B.setInsertionPoint(getBlockOp(*Blocks.front()));
  for (auto [R, Is] : Declared)
    if (Is)
      Registers[R] = RegisterOp::create(B, Loc, RegisterType::get(&Context));
}

Value Importer::access(int64_t Index) {
  Value &V = AccessValues[Index];
  // Instructions that one request was split into share its access.
  if (V && V.getParentBlock() == B.getInsertionBlock())
    return V;
  Fields F = Accesses[Index];
  int64_t Array = F.integer("Array");
  int64_t Leader = F.integer("Leader"), Distance = F.integer("LeaderDistance");
  Value Leading;
  if (size_t(Leader) < Accesses.size())
    Leading = AccessValues[Leader] ? AccessValues[Leader] : access(Leader);
  if (!Leading && Distance)
    F.put("LeaderDistance", Distance);
  const bool IsAffine = F.boolean("IsAffine");
  SmallVector<int64_t> Range = {F.integer("Least"), F.integer("Most")};
  int64_t Step = F.integer("Step"), Lanes = F.integer("LaneStride");
  double StepShare = F.number("StepShare"), LaneShare = F.number("LaneShare");
  const double OwnLines = F.number("OwnLines"),
               OwnSectors = F.number("OwnSectors");
  const int64_t OwnBytes = F.integer("OwnBytes");
  FunctionAttr At = function(F, "Constant", "Coefficients");
  SmallVector<int64_t> Bits;
  for (const json::Value &V : F.array("Fields"))
    if (const json::Array *Numbers = V.getAsArray();
        Numbers && Numbers->size() == FieldNumbers)
      for (const json::Value &N : *Numbers)
        Bits.push_back(N.getAsInteger().value_or(-1));
    else if (Fault.empty())
      Fault = "the bits of an access are not four numbers";
  At =
      FunctionAttr::get(&Context, At.getConstant(), At.getCoefficients(), Bits);
  auto Double = [&](StringRef Name) { return APFloat(F.number(Name)); };
  auto Int = [&](int64_t V) { return B.getI64IntegerAttr(V); };
  const bool HasStep = Step || StepShare, HasLanes = Lanes || LaneShare;
  const bool HasArray = size_t(Array) < Arrays.size();
  auto Op = AccessOp::create(
      B, Loc, AccessType::get(&Context), HasArray ? Arrays[Array] : Value(),
      Leading, Leading ? Int(Distance) : IntegerAttr(), F.boolean("IsStore"),
      F.integer("Bytes"), IsAffine,
      IsAffine || !isZero(At) ? At : FunctionAttr(), F.integer("Requests"),
      Double("Explained"),
      HasArray || Range[0] || Range[1] ? integers(Range) : DenseI64ArrayAttr(),
      Double("SectorsPerRequest"), Double("ConflictsPerRequest"),
      HasStep ? Int(Step) : IntegerAttr(),
      HasStep ? B.getF64FloatAttr(StepShare) : FloatAttr(),
      HasLanes ? Int(Lanes) : IntegerAttr(),
      HasLanes ? B.getF64FloatAttr(LaneShare) : FloatAttr(),
      F.integer("FootprintSectors"), Double("SectorEntropy"),
      OwnLines ? B.getF64FloatAttr(OwnLines) : FloatAttr(),
      OwnLines ? B.getF64FloatAttr(OwnSectors) : FloatAttr(),
      OwnLines ? Int(OwnBytes) : IntegerAttr(), F.boolean("OwnTogether"));
  keepRest(Op, F.rest());
  return V = Op;
}

void Importer::importChain(unsigned Block) {
  B.setInsertionPoint(Blocks[Block]->getTerminator());
  for (const Instruction &I : Chains[Block]) {
    StringRef Base = StringRef(I.Opcode).split('.').first;
    if ((Base == "bar" || Base == "barrier") && I.Defs.empty() &&
        I.Uses.empty() && I.Access == None && I.Issued == 1) {
      keepRest(BarrierOp::create(B, Loc, I.Opcode), I.Rest);
      continue;
    }
    SmallVector<Value> Reads, Into;
    SmallVector<Type> Writes;
    for (int64_t R : I.Uses)
      Reads.push_back(Registers[R]);
    for (int64_t R : I.Defs)
      if (Value V = Registers[R])
        Into.push_back(V);
      else
        Writes.push_back(RegisterType::get(&Context));
    Value Access =
        size_t(I.Access) < Accesses.size() ? access(I.Access) : Value();
    auto Op = OpOp::create(B, Loc, Writes, I.Opcode, Reads, Access, I.Offset,
                           Into, I.IsSpecial, I.Issued);
    keepRest(Op, I.Rest);
    for (auto [Number, R] : llvm::enumerate(Op.getWrites()))
      Registers[I.Defs[Number]] = R;
  }
}

llvm::Expected<OwningOpRef<ModuleOp>> Importer::run(StringRef Name) {
  auto failed = [&](const Twine &Reason) {
    return llvm::createStringError("malformed behaviour profile: " + Reason);
  };
  OwningOpRef<ModuleOp> Module = ModuleOp::create(Loc);
  B.setInsertionPointToStart(Module->getBody());
  SmallVector<int64_t> Executes = {Root.integer("WarpInstructions"),
                                   Root.integer("ThreadInstructions")};
  Kernel = KernelOp::create(B, Loc, Name, dim3("Grid"), dim3("Threads"),
                            Root.integer("RegistersPerThread"),
                            Root.integer("SharedBytes"), DenseI64ArrayAttr(),
                            integers(Executes));
  Root.integer("NumRegisters"); // those that appear
  Blocks.push_back(B.createBlock(&Kernel.getBody()));
  importArrays();
  importLoops();
  importBlocks();
  importTerminators();
  Root.each("Accesses", [&](Fields F) { Accesses.push_back(std::move(F)); });
  if (!Fault.empty())
    return failed(Fault);
  AccessValues.resize(Accesses.size());
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
  keepRest(Kernel, Root.rest());
  if (!Fault.empty())
    return failed(Fault);
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
importBehavior(const json::Object &Behavior, StringRef Name,
               MLIRContext &Context) {
  Context.loadDialect<SynthDialect>();
  return Importer(Behavior, Context).run(Name);
}

} // namespace heddle::synth
