//===- AccessPattern.cpp - Where memory instructions go -------------------===//

#include "heddle/Analysis/AccessPattern.h"

#include "heddle/Analysis/KernelNumbering.h"
#include "heddle/Analysis/TextureOperation.h"

#include "llvm/ADT/SmallSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <set>

using namespace llvm;

namespace heddle {

AnalysisKey AccessPatternAnalysis::Key;

AccessPattern AccessPatternAnalysis::run(Function &F,
                                         FunctionAnalysisManager &AM) {
  AM.getResult<LoopBoundsAnalysis>(F); // for what loops leave behind
  return AccessPattern(AM.getResult<KernelExpressionsAnalysis>(F),
                       AM.getResult<ThreadDependenceAnalysis>(F));
}

StringRef nameOf(AccessClass Class) {
  static constexpr const char *Names[] = {"uniform", "affine", "formula",
                                          "computed", "data"};
  return Names[unsigned(Class)];
}

/// Lanes per pass of shared memory: it hands out 128 bytes at once, so lanes
/// that ask for 8 or 16 bytes go in halves or quarters.
static unsigned lanesPerPass(unsigned Bytes) {
  return Bytes <= 4 ? 32 : Bytes <= 8 ? 16 : 8;
}

RequestCost costOf(const WarpEvaluator::Lanes &Addresses, uint32_t Mask,
                   unsigned Bytes, HeddleMemorySpace Space) {
  RequestCost Cost;
  std::set<uint64_t> Sectors, Lines;
  unsigned Active = 0;
  for (unsigned Lane = 0; Lane < 32; ++Lane) {
    if (!(Mask >> Lane & 1))
      continue;
    ++Active;
    uint64_t First = Addresses[Lane], Last = First + std::max(Bytes, 1u) - 1;
    for (uint64_t S = First / 32; S <= Last / 32; ++S)
      Sectors.insert(S);
    for (uint64_t L = First / 128; L <= Last / 128; ++L)
      Lines.insert(L);
  }
  Cost.Sectors = Sectors.size();
  Cost.Lines = Lines.size();
  Cost.IdealSectors = std::max(1u, (Active * Bytes + 31) / 32);
  if (Space != HEDDLE_SPACE_SHARED)
    return Cost;
  // 32 banks of 4 bytes; a word that several lanes want is read once.
  unsigned Group = lanesPerPass(Bytes), Passes = 0, Groups = 0;
  for (unsigned Begin = 0; Begin < 32; Begin += Group) {
    std::array<std::set<uint64_t>, 32> Words;
    bool Any = false;
    for (unsigned Lane = Begin; Lane < Begin + Group; ++Lane) {
      if (!(Mask >> Lane & 1))
        continue;
      Any = true;
      for (uint64_t W = Addresses[Lane] / 4;
           W <= (Addresses[Lane] + std::max(Bytes, 1u) - 1) / 4; ++W)
        Words[W % 32].insert(W);
    }
    size_t Most = 0;
    for (const auto &Bank : Words)
      Most = std::max(Most, Bank.size());
    Passes += Most;
    Groups += Any;
  }
  Cost.Conflicts = Groups ? double(Passes) / Groups : 1;
  return Cost;
}

std::optional<RequestCost> costOfLaunch(const Access &A, const ExprPool &Pool,
                                        const LaunchValues &Launch,
                                        unsigned MaxWarps) {
  const auto *Call = dyn_cast<CallBase>(A.Inst);
  if (Call && textureOperation(*Call))
    return std::nullopt; // its address is that of the image
  WarpEvaluator Evaluator(Pool, Launch);
  uint64_t Blocks = uint64_t(Launch.Grid[0]) * Launch.Grid[1] * Launch.Grid[2];
  uint64_t Warps = Blocks * Launch.warpsPerBlock();
  if (Warps == 0)
    return std::nullopt;
  uint64_t Step = std::max<uint64_t>(1, Warps / MaxWarps);
  // A step that shares a divisor with the warps of a block would look at the
  // same places of each.
  if (Step > 1 && Step % 2 == 0)
    ++Step;
  RequestCost Sum;
  Sum.Conflicts = 0;
  unsigned Count = 0;
  for (uint64_t W = 0; W < Warps && Count < MaxWarps; W += Step, ++Count) {
    Evaluator.setWarp(W / Launch.warpsPerBlock(), W % Launch.warpsPerBlock());
    for (unsigned Loop = 0; Loop < 64; ++Loop)
      if (A.Address->dependsOnLoop(Loop))
        Evaluator.setIteration(Loop, uint64_t(0));
    WarpEvaluator::Lanes Addresses;
    if (!Evaluator.evaluate(A.Address, Evaluator.fullMask(), Addresses))
      return std::nullopt;
    RequestCost One = costOf(Addresses, Evaluator.fullMask(), A.Bytes, A.Space);
    Sum.Sectors += One.Sectors;
    Sum.Lines += One.Lines;
    Sum.Conflicts += One.Conflicts;
    Sum.IdealSectors += One.IdealSectors;
  }
  for (double *Part :
       {&Sum.Sectors, &Sum.Lines, &Sum.Conflicts, &Sum.IdealSectors})
    *Part /= Count;
  return Sum;
}

static std::string objectName(const Value *Pointer, KernelExpressions &X) {
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects);
  std::string Name;
  for (const Value *Object : Objects) {
    std::string One;
    if (const auto *Arg = dyn_cast<Argument>(Object))
      One = X.text(X.get(Arg));
    else if (isa<GlobalVariable>(Object) || isa<AllocaInst>(Object))
      One = variableName(*Object);
    else if (const auto *Load = dyn_cast<LoadInst>(Object))
      One = "*" + X.text(X.get(Load));
    else
      return "?";
    if (!Name.empty() && Name != One)
      return "?";
    Name = One;
  }
  return Name.empty() ? "?" : Name;
}

/// The constants that \p E adds to what is not known, in bytes.
static int64_t constantPart(const Expr *E) {
  if (E->isConstant())
    return E->signedValue();
  int64_t Sum = 0;
  if (E->Op == ExprOp::Add)
    for (const Expr *Operand : E->Operands)
      Sum += constantPart(Operand);
  return Sum;
}

/// The address with all that is neither a thread id nor a constant set to a
/// multiple of 128.
static std::optional<RequestCost> costWithoutLaunch(const Access &A,
                                                    ExprPool &Pool) {
  WarpEvaluator::Lanes Addresses = {};
  // Local memory is laid out so that the lanes' copies lie side by side.
  if (A.Space == HEDDLE_SPACE_LOCAL)
    return std::nullopt;
  if (A.Class == AccessClass::Uniform)
    return costOf(Addresses, ~uint32_t(0), A.Bytes, A.Space);
  if (A.Form.Terms.empty())
    return std::nullopt;
  int64_t Stride = 0;
  for (const AffineForm::Term &T : A.Form.Terms) {
    if (!T.Variable->dependsOn(OnThread))
      continue;
    auto Value = SpecialValue(T.Variable->Payload);
    // Rows of a block are whole warps here, so y and z are the same for all.
    if (Value == SpecialValue::ThreadY || Value == SpecialValue::ThreadZ ||
        Value == SpecialValue::Warp)
      continue;
    if ((Value != SpecialValue::ThreadX && Value != SpecialValue::Lane) ||
        !T.Factor->isConstant())
      return std::nullopt;
    Stride += T.Factor->signedValue();
  }
  // Backwards, it is the last lane's address that is aligned.
  const int64_t Aligned = Stride < 0 ? 31 : 0;
  const int64_t Offset = Stride < 0 ? 0 : constantPart(A.Form.Rest);
  for (int64_t Lane = 0; Lane < 32; ++Lane)
    Addresses[size_t(Lane)] =
        (uint64_t(1) << 40) + uint64_t((Lane - Aligned) * Stride + Offset);
  return costOf(Addresses, ~uint32_t(0), A.Bytes, A.Space);
}

/// What the values in \p E that are no formulas depend on.
static unsigned dependenceOfLeaves(const Expr *E,
                                   const ThreadDependence &Dependence) {
  SmallPtrSet<const Expr *, 32> Seen;
  SmallVector<const Expr *, 32> Work = {E};
  unsigned Mask = 0;
  while (!Work.empty()) {
    const Expr *Next = Work.pop_back_val();
    if (!Next->dependsOn(OnData | OnOpaque | OnState) ||
        !Seen.insert(Next).second)
      continue;
    if (Next->Source)
      Mask |= Dependence.of(Next->Source);
    else if (Next->isLeaf() || Next->Op == ExprOp::StateAt)
      Mask |= OnData | OnThread; // a recurrence may hold anything
    append_range(Work, Next->Operands);
  }
  return Mask;
}

/// Of the texels of a read, whose addresses the launch's images decide: no
/// formula is given for them.
static AccessClass classOfTexels(const TextureOperation &O,
                                 KernelExpressions &X,
                                 const ThreadDependence &Dependence) {
  for (const Value *V : O.placeOperands()) {
    const Expr *E = X.get(V);
    if (E->dependsOn(OnData | OnOpaque | OnState) &&
        dependenceOfLeaves(E, Dependence) & OnData)
      return AccessClass::Data;
  }
  return AccessClass::Computed;
}

AccessPattern::AccessPattern(KernelExpressions &X,
                             const ThreadDependence &Dependence)
    : X(&X) {
  KernelNumbering Numbering(X.function());
  for (const MemoryRecord &Record : Numbering.memory()) {
    const auto *Call = dyn_cast<CallBase>(Record.Inst);
    const auto Texture = Call ? textureOperation(*Call) : std::nullopt;
    if (Texture && Record.Space == HEDDLE_SPACE_PARAM)
      continue; // its footprint, no access of its own
    Access A;
    A.Inst = Record.Inst;
    A.Space = Record.Space;
    A.Bytes = Record.AccessBytes;
    A.IsStore = Record.IsStore;
    A.IsAtomic =
        isa<AtomicRMWInst>(Record.Inst) || isa<AtomicCmpXchgInst>(Record.Inst);
    A.Object = objectName(Record.Pointer, X);
    A.Address = X.get(Record.Pointer, Record.Inst->getParent());
    if (Texture) {
      A.Class = classOfTexels(*Texture, X, Dependence);
    } else if (A.Address->dependsOn(OnData | OnOpaque | OnState)) {
      const unsigned Mask = dependenceOfLeaves(A.Address, Dependence);
      A.Class = Mask & OnData ? AccessClass::Data : AccessClass::Computed;
      if (A.Class == AccessClass::Data)
        A.Loads = decidingLoads({Record.Pointer}, X.dominators());
      // Rows that all lanes take from the same place of a table.
      if (!(Mask & OnThread))
        affineForm(A.Address, OnThread, X.pool(), A.Form);
    } else if (affineForm(A.Address, OnThread | OnBlock | OnIteration, X.pool(),
                          A.Form)) {
      A.Class = any_of(A.Form.Terms,
                       [](const AffineForm::Term &T) {
                         return T.Variable->dependsOn(OnThread);
                       })
                    ? AccessClass::Affine
                    : AccessClass::Uniform;
    } else {
      A.Class = A.Address->dependsOn(OnThread) ? AccessClass::Formula
                                               : AccessClass::Uniform;
    }
    A.Cost = costWithoutLaunch(A, X.pool());
    Accesses.push_back(std::move(A));
  }
}

const char *spaceName(HeddleMemorySpace Space) {
  switch (Space) {
  case HEDDLE_SPACE_GLOBAL:
    return "global";
  case HEDDLE_SPACE_SHARED:
    return "shared";
  case HEDDLE_SPACE_CONST:
    return "constant";
  case HEDDLE_SPACE_LOCAL:
    return "local";
  case HEDDLE_SPACE_TEXTURE:
    return "texture";
  default:
    return "generic";
  }
}

void AccessPattern::print(raw_ostream &OS) const {
  OS << "Access pattern of " << X->function().getName() << ":\n";
  for (const Access &A : Accesses) {
    std::string Line = sourceLineOf(*A.Inst);
    OS << "  " << (Line.empty() ? "" : Line + ": ")
       << (A.IsAtomic  ? "atomic"
           : A.IsStore ? "store"
                       : "load")
       << " " << A.Bytes << " B " << spaceName(A.Space) << " " << A.Object
       << ": " << nameOf(A.Class);
    for (const AffineForm::Term &T : A.Form.Terms)
      OS << " " << X->text(T.Variable) << ":" << X->text(T.Factor);
    if (A.Class == AccessClass::Formula)
      OS << " " << X->text(A.Address);
    if (A.Cost && A.Space == HEDDLE_SPACE_SHARED)
      OS << " (" << format("%g", A.Cost->Conflicts - 1)
         << " bank-conflict replays)";
    else if (A.Cost)
      OS << " (" << format("%g", A.Cost->Sectors) << " sectors, "
         << format("%g", A.Cost->Lines) << " lines)";
    for (unsigned I = 0; I < A.Loads.size(); ++I)
      OS << (I ? ", " : " by ") << describeLoad(*A.Loads[I], *X);
    OS << "\n";
  }
}

} // namespace heddle
