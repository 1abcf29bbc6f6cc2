//===- SynthVerifier.cpp - What a kernel of the dialect must hold ---------===//

#include "heddle/Dialect/Synth/SynthDialect.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace heddle::synth {

/// Executions by number of active lanes: 0, 1-8, 9-16, 17-24, 25-31, 32.
static constexpr unsigned NumLaneClasses = 6;
/// What PTX allows in a block.
static constexpr int64_t MaxThreads = 1024;
/// What a byte offset from a base may be: PTX's immediate.
static constexpr int64_t MaxOffset = int64_t(1) << 31;

static LogicalResult checkDim3(Operation *Op, ArrayRef<int64_t> Dim3,
                               StringRef What) {
  if (Dim3.size() != 3)
    return Op->emitOpError()
           << What << " has " << Dim3.size() << " numbers; give x, y and z";
  for (int64_t Side : Dim3)
    if (Side < 1 || Side > INT32_MAX)
      return Op->emitOpError() << What << " has a side of " << Side;
  return success();
}

LogicalResult KernelOp::verify() {
  if (failed(checkDim3(*this, getGrid(), "grid")) ||
      failed(checkDim3(*this, getThreads(), "threads")))
    return failure();
  ArrayRef<int64_t> T = getThreads();
  if (T[0] > MaxThreads || T[1] > MaxThreads || T[0] * T[1] > MaxThreads ||
      T[0] * T[1] * T[2] > MaxThreads)
    return emitOpError() << "has more than " << MaxThreads
                         << " threads per block";
  if (getOfGrid()) {
    if (failed(checkDim3(*this, *getOfGrid(), "of")))
      return failure();
    for (auto [Kept, Before] : llvm::zip_equal(getGrid(), *getOfGrid()))
      if (Kept > Before)
        return emitOpError("has a grid that is larger than the one it is of");
  }
  if (getRegisters() < 1 || getRegisters() > 255)
    return emitOpError() << "has " << getRegisters()
                         << " registers per thread; a GPU has 1 to 255";
  if (int64_t(getShared()) < 0)
    return emitOpError("has less than no shared memory");
  if (getExecutes() && getExecutes()->size() != 2)
    return emitOpError("executes: give warp and thread instructions");
  return success();
}

/// Declarations, then synth.block, then the rest.
static LogicalResult checkOrder(mlir::Block &Block) {
  bool Declared = false, Begun = false;
  for (Operation &Op : Block) {
    if (llvm::isa<ArrayOp, LoopOp, RegisterOp>(Op)) {
      if (!Block.isEntryBlock())
        return Op.emitOpError("belongs into the kernel's first block");
      if (Declared)
        return Op.emitOpError("must stand before what the block executes");
    } else if (llvm::isa<BlockOp>(Op)) {
      if (Begun)
        return Op.emitOpError("must stand first in its block");
      Declared = Begun = true;
    } else if (Op.getName().getDialectNamespace() == "synth") {
      Declared = Begun = true;
    } else {
      return Op.emitOpError("has no place in a synth.kernel");
    }
  }
  return success();
}

static bool isInside(LoopOp L, LoopOp Outer) {
  for (; L; L = L.getParentLoop())
    if (L == Outer)
      return true;
  return false;
}

/// Loops are entered at their headers.
static LogicalResult checkEdge(mlir::Block &From, mlir::Block &To) {
  BlockOp Target = getBlockOp(To);
  LoopOp Source = getLoopOf(From);
  for (LoopOp L = getLoopOf(To); L; L = L.getParentLoop()) {
    if (isInside(Source, L))
      break;
    bool Enters = Target.getHeaderOf() && Target.getLoop() == L;
    if (!Enters)
      return From.getTerminator()->emitOpError()
             << "enters a loop beside its header";
  }
  return success();
}

/// Every cycle runs through the header of a loop, or it would not end.
static LogicalResult checkCycles(Region &Body) {
  enum State { Open = 1, Done };
  llvm::DenseMap<mlir::Block *, unsigned> States;
  auto Counts = [](mlir::Block *From, mlir::Block *To) {
    BlockOp B = getBlockOp(*To);
    return !(B && B.getHeaderOf() && isInside(getLoopOf(*From), B.getLoop()));
  };
  for (mlir::Block &Start : Body) {
    if (States[&Start])
      continue;
    llvm::SmallVector<std::pair<mlir::Block *, unsigned>> Stack = {{&Start, 0}};
    States[&Start] = Open;
    while (!Stack.empty()) {
      auto &[Block, Next] = Stack.back();
      Operation *End = Block->getTerminator();
      if (Next == End->getNumSuccessors()) {
        States[Block] = Done;
        Stack.pop_back();
        continue;
      }
      mlir::Block *To = End->getSuccessor(Next++);
      if (!Counts(Block, To))
        continue;
      if (States[To] == Open)
        return End->emitOpError("goes back to a block that heads no loop "
                                "around it; begin that block with "
                                "'synth.block heads %loop'");
      if (!States[To]) {
        States[To] = Open;
        Stack.push_back({To, 0});
      }
    }
  }
  return success();
}

LogicalResult KernelOp::verifyRegions() {
  llvm::DenseMap<Operation *, BlockOp> Headers;
  for (mlir::Block &Block : getBody()) {
    if (Block.empty() || !Block.back().hasTrait<OpTrait::IsTerminator>())
      return emitOpError("has a block without a terminator");
    if (Block.getNumArguments())
      return emitOpError("has a block with arguments; what loops carry is a "
                         "synth.register");
    if (failed(checkOrder(Block)))
      return failure();
    BlockOp B = getBlockOp(Block);
    if (B && B.getHeaderOf() && !Headers.try_emplace(B.getLoop(), B).second)
      return B.emitOpError("heads a loop that another block heads already");
  }
  for (auto L : getBody().front().getOps<LoopOp>())
    if (!Headers.contains(L))
      return L.emitOpError("has no header: no block begins with 'synth.block "
                           "heads' and this loop");
  for (mlir::Block &Block : getBody())
    for (mlir::Block *To : Block.getSuccessors())
      if (failed(checkEdge(Block, *To)))
        return failure();
  return checkCycles(getBody());
}

LogicalResult ArrayOp::verify() {
  if (int64_t(getSize()) < 0)
    return emitOpError() << "has " << int64_t(getSize()) << " bytes";
  if (getSpace() == Space::Shared &&
      getSize() > llvm::cast<KernelOp>((*this)->getParentOp()).getShared())
    return emitOpError("is larger than the shared memory of the kernel; raise "
                       "the kernel's 'shared'");
  return success();
}

static LogicalResult checkTrips(LoopOp L, ArrayRef<int64_t> Trips,
                                StringRef What, unsigned Quantiles) {
  if (Trips.size() != 1 && Trips.size() != Quantiles)
    return L.emitOpError() << What << " holds " << Trips.size()
                           << " numbers: give one, or " << Quantiles
                           << " quantiles";
  if (!llvm::is_sorted(Trips))
    return L.emitOpError() << What << ": quantiles must not fall";
  if (Trips.front() < 0 || Trips.back() > UINT32_MAX)
    return L.emitOpError() << What << " must lie between 0 and 2^32 - 1";
  return success();
}

/// Whether \p Function depends on iteration numbers of loops that are not
/// among the \p Depth ones around \p Op.
static LogicalResult checkIterations(Operation *Op, FunctionAttr Function,
                                     unsigned Depth) {
  for (unsigned K = unsigned(Key::Iteration0) + Depth;
       K < unsigned(Key::Earlier); ++K)
    if (Function.getCoefficients()[K])
      return Op->emitOpError() << "depends on " << stringifyKey(Key(K))
                               << ", but is inside of " << Depth << " loops";
  return success();
}

static unsigned depthOf(mlir::Block &Block) {
  LoopOp Loop = getLoopOf(Block);
  return Loop ? Loop.getDepth() + 1 : 0;
}

/// Whether a loop around \p Block goes on from another.
static bool goesOn(mlir::Block &Block) {
  for (mlir::Block &Header : *Block.getParent()) {
    BlockOp B = getBlockOp(Header);
    if (B && B.getAfter() && isInside(getLoopOf(Block), B.getLoop()))
      return true;
  }
  return false;
}

/// What is no address depends on whole indices only.
static LogicalResult checkWhole(Operation *Op, FunctionAttr Function) {
  if (!Function.getFields().empty())
    return Op->emitOpError("depends on bits of an index, which only an access "
                           "may");
  if (Function.getCoefficients()[unsigned(Key::Earlier)])
    return Op->emitOpError("depends on iterations of an earlier loop, which "
                           "only an access may");
  return success();
}

LogicalResult LoopOp::verify() {
  if (failed(checkTrips(*this, getTrips(), "trips", NumQuantiles)))
    return failure();
  if (getThreads() && getThreads()->size() != 1 &&
      getThreads()->size() != NumThreadShares)
    return emitOpError() << "threads holds " << getThreads()->size()
                         << " numbers: give one, or " << NumThreadShares;
  if (getParent())
    if (LoopOp L = getParentLoop(); !L ||
                                    L->getBlock() != (*this)->getBlock() ||
                                    !L->isBeforeInBlock(*this))
      return emitOpError("is within a loop that is not declared before it");
  if (getDepth() >= MaxDepth)
    return emitOpError() << "is nested more than " << MaxDepth << " deep";
  if (getMean() && !(getMean()->convertToDouble() >= 0))
    return emitOpError("has a mean that is not a trip count");
  if (int64_t(getReducedBy()) < 1)
    return emitOpError("is reduced by less than 1");
  if (int64_t(getAtLeast()) < 1)
    return emitOpError("runs at least 0 times; a loop that is entered runs");
  if (getAffine() && failed(checkWhole(*this, *getAffine())))
    return failure();
  if (getAffine())
    return checkIterations(*this, *getAffine(), getDepth());
  return success();
}

LoopOp BlockOp::getAfterLoop() {
  return getAfter() ? getAfter().getDefiningOp<LoopOp>() : LoopOp();
}

LogicalResult BlockOp::verify() {
  if (getHeaderOf() && getIn())
    return emitOpError("names two loops: the innermost is enough");
  if ((getHeaderOf() || getIn()) && !getLoop())
    return emitOpError("names a loop that is not declared");
  if (getAfter() && !getHeaderOf())
    return emitOpError("heads no loop that could go on from another");
  if (getAfter() &&
      (!getAfterLoop() || getAfterLoop() == getLoop() ||
       getAfterLoop().getParentLoop() != getLoop().getParentLoop()))
    return emitOpError("goes on from a loop that is not beside its own");
  if (getLanes() && getLanes()->size() != NumLaneClasses)
    return emitOpError() << "has " << getLanes()->size()
                         << " classes of active lanes; there are "
                         << NumLaneClasses;
  return success();
}

LogicalResult AccessOp::verify() {
  if (getBytes() < 1 || getBytes() > 64)
    return emitOpError() << "touches " << getBytes() << " bytes per lane";
  if (getRange() &&
      (getRange()->size() != 2 || (*getRange())[0] > (*getRange())[1]))
    return emitOpError("range: give the least and the greatest offset");
  if (!getArray())
    return success();
  if (!getArray().getDefiningOp<ArrayOp>())
    return emitOpError("names an array that is not declared");
  if (bool(getStep()) != bool(getStepShare()) ||
      bool(getLaneStride()) != bool(getLaneShare()))
    return emitOpError("step and lanes need a distance and its share");
  if (bool(getLeader()) != bool(getDistance()))
    return emitOpError("follows an access by no distance, or none by one");
  if (getLeader())
    if (auto Leader = getLeader().getDefiningOp<AccessOp>();
        !Leader || Leader.getArray() != getArray())
      return emitOpError("follows an access of another array");
  if (getAffine() && !getAt())
    return emitOpError("is affine without a function; add 'at <...>'");
  if (auto Modulus = getModulus();
      Modulus && (!getAffine() || !getRange() || *Modulus <= 0 ||
                  !llvm::isPowerOf2_64(*Modulus)))
    return emitOpError("goes around, but not by a function of keys in a power "
                       "of two from a 'range' on");
  if (auto Near = getNear();
      Near && (getAffine() || !getAt() || !getAt()->getFields().empty() ||
               *Near <= 0 || *Near > UINT32_MAX))
    return emitOpError("is near no sum of keys; 'near' needs a drawn access, "
                       "'at <...>' without bits, and 1 to 4294967295 bytes");
  if (!getAffine() && !getRange())
    return emitOpError("is drawn from no range; add 'range [LEAST, MOST]'");
  if (!getAffine() && !getNear())
    return success();
  if (getAt()->getCoefficients()[unsigned(Key::Earlier)] &&
      !goesOn(*(*this)->getBlock()))
    return emitOpError("depends on iterations of an earlier loop, but no loop "
                       "around it goes on 'after' another");
  return checkIterations(*this, *getAt(), depthOf(*(*this)->getBlock()));
}

static LogicalResult checkOpcode(Operation *Op, StringRef Opcode) {
  auto IsPart = [](char C) {
    return llvm::isAlnum(C) || C == '.' || C == '_' || C == ':';
  };
  if (Opcode.empty() || !llvm::isAlpha(Opcode.front()) ||
      !llvm::all_of(Opcode, IsPart))
    return Op->emitOpError() << "'" << Opcode << "' is not a PTX opcode";
  return success();
}

LogicalResult OpOp::verify() {
  if (failed(checkOpcode(*this, getOpcode())))
    return failure();
  if (!getWrites().empty() && !getInto().empty())
    return emitOpError("writes results and declared registers; declare all");
  for (Value V : getInto())
    if (!V.getDefiningOp<RegisterOp>())
      return emitOpError("writes a register that another operation makes; "
                         "declare it with synth.register");
  if (int64_t Far = getOffset(); Far <= -MaxOffset || Far >= MaxOffset)
    return emitOpError("is too far from its access");
  StringRef Base = getOpcode().split('.').first;
  const bool IsMemory = llvm::is_contained(
      {"ld", "ldu", "st", "atom", "red", "prefetch", "cp"}, Base);
  if (!getAccess()) {
    if (getOffset())
      return emitOpError("has an offset, but no access");
    return success();
  }
  if (!IsMemory)
    return emitOpError() << "'" << getOpcode() << "' accesses no memory";
  auto Access = getAccess().getDefiningOp<AccessOp>();
  if (!Access || Access->getBlock() != (*this)->getBlock())
    return emitOpError("names an access of another block");
  if (!Access.getArray())
    return success();
  Space Where = Access.getArray().getDefiningOp<ArrayOp>().getSpace();
  for (Space Other : {Space::Global, Space::Shared, Space::Const, Space::Local})
    if (getOpcode().contains(("." + stringifySpace(Other)).str()) &&
        Other != Where)
      return emitOpError() << "'" << getOpcode() << "' does not reach an array "
                           << "in " << stringifySpace(Where) << " memory";
  return success();
}

LogicalResult BarrierOp::verify() {
  StringRef Base = getOpcode().split('.').first;
  if (Base != "bar" && Base != "barrier")
    return emitOpError() << "'" << getOpcode() << "' is not a barrier of PTX";
  return checkOpcode(*this, getOpcode());
}

LogicalResult BranchOp::verify() {
  if (!getWhere() && !getTrips() && !getShares())
    return emitOpError("does not say how lanes divide: add 'where', 'trips' "
                       "or 'shares'");
  if (getWhere() && getTrips())
    return emitOpError("divides lanes in two ways; give 'where' or 'trips'");
  if (getWhere()) {
    if (!getFrom() && !getBelow())
      return emitOpError("does not bound its function: add 'from' or 'below'");
    if (getFrom() && getBelow() && int64_t(*getFrom()) >= int64_t(*getBelow()))
      return emitOpError("lets no lane go: its bounds hold no number");
    if (getWhere()->getConstant())
      return emitOpError("has a constant in its function; move its bounds");
    if (getModulo() && !llvm::isPowerOf2_64(*getModulo()))
      return emitOpError(
          "takes its function modulo a number that is not a power "
          "of two");
    const unsigned Depth = depthOf(*(*this)->getBlock());
    if (failed(checkWhole(*this, *getWhere())) ||
        failed(checkIterations(*this, *getWhere(), Depth)))
      return failure();
    if (!getAlso())
      return success();
    if (getModulo())
      return emitOpError("takes one of two functions modulo a number");
    if (!getAlsoFrom() && !getAlsoBelow())
      return emitOpError("does not bound its second function: add 'from' or "
                         "'below'");
    if (getAlsoFrom() && getAlsoBelow() &&
        int64_t(*getAlsoFrom()) >= int64_t(*getAlsoBelow()))
      return emitOpError("lets no lane go: its second bounds hold no number");
    if (getAlso()->getConstant())
      return emitOpError("has a constant in its second function; move its "
                         "bounds");
    if (failed(checkWhole(*this, *getAlso())))
      return failure();
    return checkIterations(*this, *getAlso(), Depth);
  }
  if (getModulo() || getFrom() || getBelow())
    return emitOpError("bounds no function; add 'where'");
  if (!getTrips())
    return success();
  auto Counted = getTrips().getDefiningOp<LoopOp>();
  if (!Counted || !isInside(getLoopOf(*(*this)->getBlock()), Counted))
    return emitOpError("counts a loop that it is not in");
  if (!isInside(getLoopOf(*getTaken()), Counted) ||
      isInside(getLoopOf(*getOther()), Counted))
    return emitOpError("counts a loop: the first successor must stay in it, "
                       "the second must leave it");
  return success();
}

} // namespace heddle::synth
