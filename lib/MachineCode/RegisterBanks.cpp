//===- RegisterBanks.cpp - Which bank of the register file a value is in --===//
//
// A bank reads one operand a cycle; an instruction with more of them in one
// bank takes longer, but for what the instruction before it has read. ptxas
// allocates so that this is rare: in the unrolled loops of matrix products
// hardly any FFMA has its operands in one bank. The bank is all that a timing
// model sees of an allocation, so only it is chosen here, by descent: each
// value, or all that one access moves, goes where it costs least, until nothing
// gets better.
//
//===----------------------------------------------------------------------===//

#include "MachineInst.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::machine {

namespace {

/// What an instruction in a loop counts more than one in front of it, the
/// depth from which on nothing is added, and the rounds of descent.
constexpr unsigned LoopWeight = 8, DeepestLoop = 4, MaxRounds = 8;

class BankDealer {
public:
  BankDealer(const Code &C, const Architecture &Arch)
      : C(C), NumBanks(Arch.registerBanks()), Leader(C.Widths.size()),
        Offset(C.Widths.size(), 0), Bank(C.Widths.size(), 0),
        Members(C.Widths.size()), ReadBy(C.Widths.size()) {}
  std::vector<uint16_t> deal();

private:
  struct Read {
    SmallVector<Value, 4> Values; ///< different ones
    unsigned Weight = 1;
  };

  void keepTogether();
  void keepTogether(ArrayRef<Value> Values);
  void findReads();
  unsigned cost(const Read &R) const;
  unsigned costAround(Value Group) const;
  void place(Value Group, unsigned To);
  bool improve(Value Group);

  const Code &C;
  const unsigned NumBanks;
  std::vector<Value> Leader;    ///< of the values that one access moves
  std::vector<unsigned> Offset; ///< registers behind its leader
  std::vector<uint8_t> Bank;
  std::vector<SmallVector<Value, 1>> Members; ///< by leader
  std::vector<Read> Reads;
  std::vector<SmallVector<unsigned, 4>> ReadBy; ///< by leader: Reads
};

/// By block: how many loops it is in, each from the target of a branch back to
/// that branch.
std::vector<unsigned> loopDepths(const Code &C) {
  std::vector<unsigned> Depths(C.Blocks.size(), 0);
  for (auto [N, B] : enumerate(C.Blocks))
    for (unsigned To : B.Successors)
      for (unsigned In = To; In <= N; ++In)
        ++Depths[In];
  return Depths;
}

void BankDealer::keepTogether(ArrayRef<Value> Values) {
  if (Values.size() < 2 || any_of(Values, [&](Value V) {
        return Leader[V] != V || Members[V].size() != 1;
      }))
    return; // one register each, or moved by another access too
  for (auto [N, V] : enumerate(Values)) {
    if (is_contained(Values.take_front(N), V))
      return;
  }
  for (auto [N, V] : enumerate(Values)) {
    Leader[V] = Values[0];
    Offset[V] = N;
  }
  Members[Values[0]].assign(Values.begin(), Values.end());
}

void BankDealer::keepTogether() {
  for (Value V = 0; V < Leader.size(); ++V) {
    Leader[V] = V;
    Members[V] = {V};
  }
  for (const Block &B : C.Blocks)
    for (const Inst &I : B.Insts)
      if (I.IsAccess) {
        keepTogether(I.Defs);
        keepTogether(ArrayRef<Value>(I.Uses).drop_while(
            [&](Value V) { return V == I.Base; }));
      }
}

void BankDealer::findReads() {
  const std::vector<unsigned> Depths = loopDepths(C);
  for (auto [B, Depth] : zip_equal(C.Blocks, Depths)) {
    unsigned Weight = 1;
    for (unsigned Loop = 0; Loop < std::min(Depth, DeepestLoop); ++Loop)
      Weight *= LoopWeight;
    ArrayRef<Value> Before; // read by the last one that is no access
    for (const Inst &I : B.Insts) {
      Read R;
      R.Weight = Weight;
      for (Value V : I.Uses)
        if (!is_contained(R.Values, V) && !is_contained(Before, V))
          R.Values.push_back(V);
      if (!I.IsAccess)
        Before = I.Uses;
      if (R.Values.size() < 2)
        continue;
      for (Value V : R.Values)
        if (!is_contained(ReadBy[Leader[V]], Reads.size()))
          ReadBy[Leader[V]].push_back(Reads.size());
      Reads.push_back(std::move(R));
    }
  }
}

/// Cycles beyond the first that the read takes, by its weight.
unsigned BankDealer::cost(const Read &R) const {
  unsigned InBank[4] = {}, Most = 0;
  for (Value V : R.Values)
    Most = std::max(Most, ++InBank[Bank[V]]);
  return R.Weight * (Most - 1);
}

unsigned BankDealer::costAround(Value Group) const {
  unsigned Sum = 0;
  for (unsigned R : ReadBy[Group])
    Sum += cost(Reads[R]);
  return Sum;
}

void BankDealer::place(Value Group, unsigned To) {
  for (Value V : Members[Group])
    Bank[V] = (To + Offset[V]) % NumBanks;
}

/// Moves the group to the bank where it costs least; whether it moved.
bool BankDealer::improve(Value Group) {
  const unsigned Now = Bank[Group];
  unsigned Best = Now, Least = costAround(Group);
  for (unsigned To = 0; To < NumBanks && Least; ++To) {
    place(Group, To);
    const unsigned There = costAround(Group);
    if (There < Least) {
      Least = There;
      Best = To;
    }
  }
  place(Group, Best);
  return Best != Now;
}

std::vector<uint16_t> BankDealer::deal() {
  keepTogether();
  findReads();
  for (Value V = 0; V < Leader.size(); ++V)
    if (Leader[V] == V)
      place(V, V % NumBanks);
  bool Moved = true;
  for (unsigned Round = 0; Round < MaxRounds && Moved; ++Round) {
    Moved = false;
    for (Value V = 0; V < Leader.size(); ++V)
      if (Leader[V] == V)
        Moved |= improve(V);
  }
  // Value 0 is no register and keeps its number.
  std::vector<uint16_t> Numbers(Leader.size(), 0);
  unsigned InBank[4] = {1, 0, 0, 0};
  for (Value V = 1; V < Leader.size(); ++V)
    Numbers[V] = Bank[V] + NumBanks * InBank[Bank[V]]++;
  return Numbers;
}

} // namespace

std::vector<uint16_t> dealOverBanks(const Code &C, const Architecture &Arch) {
  return BankDealer(C, Arch).deal();
}

} // namespace heddle::machine
