//===- JoinAccesses.cpp - Neighbouring accesses as one --------------------===//
//
// ptxas joins accesses of shared, local and constant memory, whose alignment it
// knows: their base is a variable plus a multiple of a power of two. Of a
// pointer argument it knows nothing, so accesses of global memory stay as the
// PTX has them.
//
//===----------------------------------------------------------------------===//

#include "MachineInst.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

#include <map>
#include <tuple>

using namespace llvm;

namespace heddle::machine {

namespace {

/// A vector access takes at most this. Local variables begin at multiples of
/// half of it, if the PTX does not ask for more, and LDC loads no more.
constexpr unsigned MaxBytes = 16, MaxPairBytes = 8;

bool isLocal(const Inst &I) { return spaceOf(I.Name) == HEDDLE_SPACE_LOCAL; }

bool isConstant(const Inst &I) { return StringRef(I.Name).starts_with("LDC"); }

bool isAtMostPair(const Inst &I) { return isLocal(I) || isConstant(I); }

class Joiner {
public:
  explicit Joiner(Block &B, ArrayRef<unsigned> Alignment)
      : B(B), Alignment(Alignment) {}
  void run();

private:
  bool joinable(const Inst &I) const;
  void joinRun(ArrayRef<unsigned> Run);
  void joinThirds(std::map<int64_t, unsigned> &ByOffset);
  void flush();

  Block &B;
  ArrayRef<unsigned> Alignment; ///< in bytes, of what a value holds
  /// Accesses by base, loads and at most pairs, that nothing stands between, by
  /// their offset.
  std::map<std::tuple<Value, bool, bool>, std::map<int64_t, unsigned>> Open;
  BitVector Gone;
};

bool Joiner::joinable(const Inst &I) const {
  const StringRef Base = StringRef(I.Name).split('.').first;
  return I.IsAccess && I.Bytes >= 4 && I.Bytes < MaxBytes && !I.Guard &&
         (Base == "LDS" || Base == "STS" || Base == "LDL" || Base == "STL" ||
          Base == "LDC") &&
         !StringRef(I.From->Opcode).contains("volatile") &&
         !isBarrierAction(I.From->Opcode);
}

/// The accesses of \p Run lie side by side: pairs and quadruples of them that
/// are aligned become one.
void Joiner::joinRun(ArrayRef<unsigned> Run) {
  for (size_t N = 0; N < Run.size();) {
    const Inst &First = B.Insts[Run[N]];
    size_t Count = 1;
    for (unsigned Bytes = isAtMostPair(First) ? MaxPairBytes : MaxBytes;
         Bytes > First.Bytes; Bytes /= 2) {
      const size_t Want = Bytes / First.Bytes;
      if (Want <= Run.size() - N && First.Offset % Bytes == 0 &&
          Alignment[First.Base] % Bytes == 0) {
        Count = Want;
        break;
      }
    }
    if (Count > 1) {
      const bool Loads = First.row().Class == HEDDLE_OP_LOAD;
      // A load stands where the first one stood, a store where the last did.
      const unsigned At =
          Loads ? *std::min_element(Run.begin() + N, Run.begin() + N + Count)
                : *std::max_element(Run.begin() + N, Run.begin() + N + Count);
      Inst Joined = First;
      Joined.Bytes = unsigned(First.Bytes * Count);
      Joined.Name = StringRef(First.Name).split('.').first.str();
      Joined.Name += Joined.Bytes == 16 ? ".128" : ".64";
      for (size_t K = 1; K != Count; ++K) {
        append_range(Joined.Defs, B.Insts[Run[N + K]].Defs);
        append_range(
            Joined.Uses,
            ArrayRef(B.Insts[Run[N + K]].Uses).drop_front(First.Base != 0));
      }
      for (size_t K = 0; K != Count; ++K)
        Gone.set(Run[N + K]);
      Gone.reset(At);
      B.Insts[At] = std::move(Joined);
    }
    N += Count;
  }
}

/// Three words of an aligned quadruple are loaded with the fourth: ptxas 11.8
/// does so with any three, and loads two that are no aligned pair one by one.
void Joiner::joinThirds(std::map<int64_t, unsigned> &ByOffset) {
  constexpr unsigned WordBytes = 4, Words = 3;
  std::map<int64_t, SmallVector<unsigned, 4>> Quadruples;
  for (auto [Offset, Number] : ByOffset)
    if (B.Insts[Number].Bytes == WordBytes &&
        Alignment[B.Insts[Number].Base] % MaxBytes == 0)
      Quadruples[Offset & -int64_t(MaxBytes)].push_back(Number);
  for (const auto &[Start, Numbers] : Quadruples) {
    if (Numbers.size() != Words)
      continue;
    Inst Joined = B.Insts[Numbers[0]];
    for (unsigned Other : ArrayRef(Numbers).drop_front())
      append_range(Joined.Defs, B.Insts[Other].Defs);
    for (unsigned Number : Numbers) {
      ByOffset.erase(B.Insts[Number].Offset);
      Gone.set(Number);
    }
    Joined.Part += unsigned(Start - Joined.Offset);
    Joined.Offset = Start;
    Joined.Bytes = MaxBytes;
    Joined.Name = "LDS.128";
    const unsigned At = *llvm::min_element(Numbers);
    Gone.reset(At);
    B.Insts[At] = std::move(Joined);
  }
}

void Joiner::flush() {
  for (auto &[Key, ByOffset] : Open) {
    if (const auto &[Base, Loads, Pairs] = Key; Loads && !Pairs)
      joinThirds(ByOffset);
    std::vector<unsigned> Run;
    int64_t Next = 0;
    unsigned Bytes = 0;
    for (auto [Offset, Number] : ByOffset) {
      const Inst &I = B.Insts[Number];
      if (!Run.empty() && (Offset != Next || I.Bytes != Bytes)) {
        joinRun(Run);
        Run.clear();
      }
      Run.push_back(Number);
      Bytes = I.Bytes;
      Next = Offset + Bytes;
    }
    joinRun(Run);
  }
  Open.clear();
}

void Joiner::run() {
  Gone.resize(B.Insts.size());
  for (auto [N, I] : enumerate(B.Insts)) {
    const HeddleOpClass Class = I.row().Class;
    const bool Loads = Class == HEDDLE_OP_LOAD;
    const bool AmongLoads =
        !Open.empty() && std::get<1>(Open.begin()->first) && Loads;
    if (joinable(I)) {
      // Loads and stores do not pass each other here.
      if (!Open.empty() && std::get<1>(Open.begin()->first) != Loads)
        flush();
      Open[{I.Base, Loads, isAtMostPair(I)}].try_emplace(I.Offset, N);
      continue;
    }
    // A load that is wide already stands in no other load's way.
    if (AmongLoads && !isLocal(I))
      continue;
    if (Class == HEDDLE_OP_BARRIER || Class == HEDDLE_OP_FENCE ||
        Class == HEDDLE_OP_ATOMIC || isLocal(I) ||
        spaceOf(I.Name) == HEDDLE_SPACE_SHARED ||
        spaceOf(I.Name) == HEDDLE_SPACE_GENERIC)
      flush();
  }
  flush();
  std::vector<Inst> Kept;
  for (auto [N, I] : enumerate(B.Insts))
    if (!Gone[N])
      Kept.push_back(std::move(I));
  B.Insts = std::move(Kept);
}

} // namespace

void joinAccesses(Code &C, ArrayRef<unsigned> Alignment) {
  for (Block &B : C.Blocks)
    Joiner(B, Alignment).run();
}

} // namespace heddle::machine
