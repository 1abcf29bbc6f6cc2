//===- Predication.cpp - Short branches as predicates ---------------------===//

#include "MachineInst.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace heddle::machine {

namespace {

/// The most instructions that ptxas 11.8 predicates rather than branches
/// around, alike for sm_70 to sm_90: kernels with one `if` of N products,
/// stores or logical operations branch from N = 8 or 9 on, those with an `else`
/// as long from N = 8 on.
constexpr size_t MaxPredicated = 7;
/// The same with a load of global memory among them, where an instruction with
/// a result of 64 bits counts twice: loads with N multiply-adds and a store
/// branch from N = 15 or 16 on, with N stores from N = 17 or 18 on.
constexpr size_t MaxPredicatedWithLoads = 20;

class Predicator {
public:
  explicit Predicator(Code &C) : C(C) {}
  void run(bool Guards);

private:
  void countPredecessors();
  size_t countWords(const Block &B) const;
  size_t countInsts(const Block &B) const;
  bool waitsAlone(const Block &Before, const Block &B,
                  const Block &Behind) const;
  bool canPredicate(const Block &Before, const Block &B,
                    const Block &Behind) const;
  bool tryAt(unsigned N);
  bool mergeNext(unsigned N);
  bool livesBeyond(const Block &B, Value V) const;
  void take(Block &Into, Block &From, Value Condition,
            const Block *Else = nullptr);

  Code &C;
  std::vector<unsigned> Predecessors;
};

void Predicator::countPredecessors() {
  Predecessors.assign(C.Blocks.size(), 0);
  Predecessors[0] = 1;
  for (const Block &B : C.Blocks)
    if (!B.Removed)
      for (unsigned S : B.Successors)
        ++Predecessors[S];
}

static bool isGlobalLoad(const Inst &I) {
  return I.row().Class == HEDDLE_OP_LOAD &&
         (spaceOf(I.Name) == HEDDLE_SPACE_GLOBAL ||
          spaceOf(I.Name) == HEDDLE_SPACE_GENERIC);
}

static bool isBarrier(const Inst &I) {
  return I.row().Class == HEDDLE_OP_BARRIER;
}

static bool branchesAnyway(const Inst &I) {
  const OpcodeRow &Row = I.row();
  return Row.Class == HEDDLE_OP_BARRIER || Row.Class == HEDDLE_OP_BRANCH ||
         Row.Class == HEDDLE_OP_SHUFFLE || Row.Class == HEDDLE_OP_VOTE ||
         Row.Class == HEDDLE_OP_ATOMIC || Row.Class == HEDDLE_OP_REDUCTION ||
         Row.Class == HEDDLE_OP_WARP_SYNC || Row.Class == HEDDLE_OP_FENCE ||
         Row.Class == HEDDLE_OP_TENSOR || Row.Class == HEDDLE_OP_EXIT ||
         (I.From && (StringRef(I.From->Opcode).starts_with("cp.async.wait") ||
                     isBarrierAction(I.From->Opcode)));
}

static bool isStore(const Inst &I) { return I.row().Class == HEDDLE_OP_STORE; }

static bool hasAccess(const Block &B) {
  return any_of(B.Insts, [](const Inst &I) { return I.IsAccess; });
}

/// Whether a store of \p B waits for its loads while no other access is there
/// that could be under way: none between it and the barriers of \p Before and
/// \p Behind, nor in a short block that \p Behind branches around. ptxas then
/// keeps the branch.
bool Predicator::waitsAlone(const Block &Before, const Block &B,
                            const Block &Behind) const {
  for (const Inst &I : reverse(Before.Insts))
    if (isBarrier(I))
      break;
    else if (I.IsAccess)
      return false;
  if (none_of(B.Insts, isGlobalLoad) || none_of(B.Insts, isStore))
    return false;
  for (const Inst &I : Behind.Insts)
    if (isBarrier(I))
      return true;
    else if (I.IsAccess)
      return false;
  return none_of(Behind.Successors, [&](unsigned S) {
    const Block &Next = C.Blocks[S];
    return Next.Successors.size() == 1 &&
           is_contained(Behind.Successors, Next.Successors[0]) &&
           Next.Steps.size() == 1 && hasAccess(Next);
  });
}

/// Whether the only access around \p B is a store in \p Behind of what \p B
/// loads, as it is: ptxas 11.8 branches then too (8 kernels, sm_70 and sm_80).
static bool isStoredAlone(const Block &Before, const Block &B,
                          const Block &Behind) {
  if (hasAccess(Before) || any_of(B.Insts, isStore))
    return false;
  SmallVector<Value, 4> Loaded;
  for (const Inst &I : B.Insts)
    if (isGlobalLoad(I) || (I.IsCopy && any_of(I.Uses, [&](Value V) {
                              return is_contained(Loaded, V);
                            })))
      append_range(Loaded, I.Defs);
  bool Stores = false;
  for (const Inst &I : Behind.Insts) {
    const bool Reads =
        any_of(Loaded, [&](Value V) { return is_contained(I.Uses, V); });
    if (Reads != I.IsAccess || (I.IsAccess && (Stores || !isStore(I))))
      return false;
    Stores |= I.IsAccess;
  }
  return Stores;
}

/// Whether \p B has accesses with and without a predicate. ptxas keeps the
/// branch around them. It has none around conditions that are tested in turn.
static bool isNested(const Block &B) {
  auto Guarded = [](const Inst &I) { return I.IsAccess && I.Guard; };
  auto Plain = [](const Inst &I) { return I.IsAccess && !I.Guard; };
  return any_of(B.Insts, Guarded) && any_of(B.Insts, Plain);
}

/// Instructions of \p B; those whose result is a pair of registers twice.
size_t Predicator::countWords(const Block &B) const {
  return count_if(B.Insts,
                  [&](const Inst &I) {
                    return any_of(I.Defs,
                                  [&](Value V) { return C.Widths[V] == 2; });
                  }) +
         B.Insts.size();
}

/// Instructions of \p B but for constants.
size_t Predicator::countInsts(const Block &B) const {
  return count_if(B.Insts, [&](const Inst &I) {
    return I.Defs.size() != 1 || !C.Constants.contains(I.Defs[0]);
  });
}

/// Whether \p B runs under a predicate behind \p Before and in front of
/// \p Behind.
bool Predicator::canPredicate(const Block &Before, const Block &B,
                              const Block &Behind) const {
  if (B.Shared || B.Successors.size() != 1 || any_of(B.Insts, branchesAnyway) ||
      isNested(B))
    return false;
  if (any_of(B.Insts, isGlobalLoad) ? countWords(B) > MaxPredicatedWithLoads
                                    : countInsts(B) > MaxPredicated)
    return false;
  return !waitsAlone(Before, B, Behind) && !isStoredAlone(Before, B, Behind);
}

/// \p I of a block whose steps come behind those of \p Into.
static void append(Block &Into, Inst &I) {
  I.Step += Into.Steps.size();
  Into.Insts.push_back(std::move(I));
}

static bool reads(const Inst &I, Value V) {
  return I.Guard == V || is_contained(I.Uses, V);
}

/// Whether another block than \p B reads \p V.
bool Predicator::livesBeyond(const Block &B, Value V) const {
  return any_of(C.Blocks, [&](const Block &Other) {
    return &Other != &B &&
           (Other.Condition == V ||
            any_of(Other.Insts, [&](const Inst &I) { return reads(I, V); }));
  });
}

/// Whether \p B writes all of \p V before it reads it.
static bool overwrites(const Block &B, Value V) {
  for (const Inst &I : B.Insts) {
    if (reads(I, V))
      return false;
    if (is_contained(I.Defs, V))
      return !I.Partial && !I.Guard;
  }
  return false;
}

/// What \p From writes keeps its old value for the lanes that do not run it,
/// unless nothing else reads it, or \p Else writes it for them.
void Predicator::take(Block &Into, Block &From, Value Condition,
                      const Block *Else) {
  for (Inst &I : From.Insts) {
    if (!I.Guard)
      I.Guard = Condition;
    I.Partial |= any_of(I.Defs, [&](Value V) {
      return livesBeyond(From, V) && !(Else && overwrites(*Else, V));
    });
    append(Into, I);
  }
  for (Step S : From.Steps)
    Into.Steps.push_back({S.IRBlock, true});
  From.Insts.clear();
  From.Removed = true;
}

/// Block \p N takes in what follows it and nothing else.
bool Predicator::mergeNext(unsigned N) {
  Block &B = C.Blocks[N];
  if (B.Removed || B.Shared || B.Successors.size() != 1)
    return false;
  const unsigned Number = B.Successors[0];
  Block &Next = C.Blocks[Number];
  if (Number == N || Number == 0 || Predecessors[Number] != 1 || Next.Shared ||
      (Next.Insts.empty() && Next.Successors.empty()))
    return false;
  for (Inst &I : Next.Insts)
    append(B, I);
  append_range(B.Steps, Next.Steps);
  B.Successors = Next.Successors;
  B.Branch = Next.Branch;
  B.Condition = Next.Condition;
  B.Divergent = Next.Divergent;
  Next.Insts.clear();
  Next.Removed = true;
  return true;
}

/// Block \p N branches around one short block, or to one of two.
bool Predicator::tryAt(unsigned N) {
  Block &B = C.Blocks[N];
  if (B.Removed || B.Shared || B.Successors.size() != 2 ||
      B.endsInIndexedJump() || B.Successors[0] == B.Successors[1])
    return false;
  for (unsigned Side : {0, 1}) {
    const unsigned S = B.Successors[Side], J = B.Successors[1 - Side];
    Block &From = C.Blocks[S];
    // A way to the end is a predicated EXIT instead.
    if (C.Blocks[J].Successors.empty() && C.Blocks[J].Insts.empty())
      continue;
    if (Predecessors[S] != 1 || S == N || From.Successors.size() != 1 ||
        !canPredicate(B, From, C.Blocks[From.Successors[0]]))
      continue;
    if (From.Successors[0] == J) {
      take(B, From, B.Condition);
      B.Successors = {J};
      return true;
    }
    Block &Other = C.Blocks[J];
    if (Predecessors[J] == 1 && J != N && Other.Successors == From.Successors &&
        canPredicate(B, Other, C.Blocks[From.Successors[0]])) {
      const unsigned Join = From.Successors[0];
      take(B, From, B.Condition, &Other);
      take(B, Other, B.Condition);
      B.Successors = {Join};
      return true;
    }
  }
  return false;
}

void Predicator::run(bool Guards) {
  for (bool Changed = true; Changed;) {
    Changed = false;
    countPredecessors();
    for (size_t N = C.Blocks.size(); N-- != 0;)
      if (Guards && tryAt(N)) {
        C.Blocks[N].Branch = nullptr;
        countPredecessors();
        Changed = true;
      } else if (mergeNext(N)) {
        countPredecessors();
        Changed = true;
      }
  }
}

} // namespace

void predicate(Code &C) { Predicator(C).run(/*Guards=*/true); }

void mergeChains(Code &C) { Predicator(C).run(/*Guards=*/false); }

/// What \p I writes if that is a constant, by its text; else null.
static const std::string *constantOf(const Code &C, const Inst &I) {
  if (I.Defs.size() != 1)
    return nullptr;
  const auto Known = C.Constants.find(I.Defs[0]);
  return Known == C.Constants.end() ? nullptr : &Known->second;
}

/// Whether \p V is a pointer of 64 bits that only addresses memory in \p B.
/// ptxas 11.8 writes such a constant once where several arms need it (four arms
/// of bfs_level), and others in each arm.
static bool isPointer(const Code &C, const Block &B, Value V) {
  return C.Widths[V] == 2 && all_of(B.Insts, [&](const Inst &I) {
           return !is_contained(I.Uses, V) || (I.IsAccess && I.Base == V) ||
                  is_contained(I.Defs, V);
         });
}

void shareConstants(Code &C) {
  DenseMap<Value, Value> Instead;
  DenseSet<Value> Always; ///< written for all lanes
  for (Block &B : C.Blocks) {
    StringMap<Inst *> Here;
    for (Inst &I : B.Insts) {
      if (I.Name == "BSYNC") // behind the call of a slow path
        Here.clear();
      const std::string *Text = constantOf(C, I);
      if (!Text || (I.Guard && !isPointer(C, B, I.Defs[0])))
        continue;
      Inst &First = *Here.try_emplace(*Text, &I).first->second;
      if (First.Defs[0] == I.Defs[0])
        continue;
      Instead[I.Defs[0]] = First.Defs[0];
      Always.insert(First.Defs[0]);
    }
    erase_if(B.Insts, [&](const Inst &I) {
      return I.Defs.size() == 1 && Instead.contains(I.Defs[0]);
    });
  }
  for (Block &B : C.Blocks)
    for (Inst &I : B.Insts)
      if (I.Guard && I.Defs.size() == 1 && Always.contains(I.Defs[0])) {
        erase(I.Uses, I.Guard);
        I.Guard = 0;
      }
  for (Block &B : C.Blocks)
    for (Inst &I : B.Insts) {
      for (Value &U : I.Uses)
        U = Instead.lookup_or(U, U);
      I.Base = Instead.lookup_or(I.Base, I.Base);
    }
}

} // namespace heddle::machine
