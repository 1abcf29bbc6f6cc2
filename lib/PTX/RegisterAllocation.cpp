//===- RegisterAllocation.cpp - Registers of values by their lifetimes ----===//

#include "heddle/PTX/RegisterModel.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace llvm;

namespace heddle::registers {

std::vector<BitVector> liveOut(const Code &C) {
  std::vector<BitVector> Out(C.Blocks.size(), BitVector(C.Widths.size()));
  std::vector<BitVector> In = Out;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t N = C.Blocks.size(); N-- != 0;) {
      for (unsigned S : C.Blocks[N].Successors)
        Out[N] |= In[S];
      BitVector Live = Out[N];
      for (const Op &O : reverse(C.Blocks[N].Ops)) {
        if (!O.Guarded)
          for (unsigned V : O.Defs)
            Live.reset(V);
        for (unsigned V : O.Uses)
          Live.set(V);
      }
      if (Live != In[N]) {
        In[N] = std::move(Live);
        Changed = true;
      }
    }
  }
  return Out;
}

namespace {

/// Registers beyond what any thread may have, so that an allocation that does
/// not fit is seen.
constexpr unsigned NumRegisters = 320;

/// A stretch of the program in which a value lives. Instruction N reads at 2N
/// and writes at 2N + 1.
struct Segment {
  unsigned Begin, End;
};

class Allocator {
public:
  Allocator(const Code &C, bool Spread)
      : C(C), Spread(Spread), Lives(C.Widths.size()),
        Places(C.Widths.size(), None), Hints(C.Widths.size()) {}
  unsigned run();

private:
  static constexpr unsigned None = -1;

  void findSegments();
  bool staysBeside(const Op &O, unsigned V) const;
  bool isFree(unsigned First, unsigned Width, ArrayRef<Segment> Where) const;
  void take(unsigned First, unsigned Width, ArrayRef<Segment> Where);
  unsigned place(unsigned Width, ArrayRef<Segment> Where,
                 bool Odd = false) const;
  void placeValue(unsigned V);

  const Code &C;
  bool Spread;
  std::vector<std::vector<Segment>> Lives;
  std::vector<unsigned> Places; ///< first register of each value
  std::vector<SmallVector<unsigned, 2>> Hints;
  std::vector<BitVector> Busy; ///< by register, over the program
  std::vector<std::pair<unsigned, unsigned>> Temporaries; ///< where, how many
  unsigned Length = 0;
  unsigned Most = 0;
};

/// True if what \p O writes may not take the place of its operand \p V, even
/// where \p V dies: an expansion reads its operands to its end, and as long as
/// there is room ptxas gives the result of arithmetic a register of its own.
bool Allocator::staysBeside(const Op &O, unsigned V) const {
  return O.Temporaries ||
         (Spread && O.Kind == OpKind::Plain && !O.IsCopy && C.Widths[V] == 1);
}

void Allocator::findSegments() {
  const std::vector<BitVector> Out = liveOut(C);
  unsigned Start = 0;
  for (auto [N, B] : enumerate(C.Blocks)) {
    const unsigned End = Start + 2 * B.Ops.size() + 2;
    DenseMap<unsigned, unsigned> Until; ///< of what lives here
    for (unsigned V : Out[N].set_bits())
      Until[V] = End;
    for (size_t I = B.Ops.size(); I-- != 0;) {
      const Op &O = B.Ops[I];
      const unsigned At = Start + 2 * I;
      for (unsigned V : O.Defs) {
        if (O.Guarded)
          continue;
        // A value without readers is written all the same.
        auto It = Until.find(V);
        Lives[V].push_back({At + 1, It == Until.end() ? At + 2 : It->second});
        if (It != Until.end())
          Until.erase(It);
      }
      for (unsigned V : O.Uses)
        Until.try_emplace(V, At + (staysBeside(O, V) ? 2 : 1));
      if (O.Guarded)
        for (unsigned V : O.Defs)
          if (!Until.contains(V))
            Lives[V].push_back({At + 1, At + 2});
      if (O.Temporaries)
        Temporaries.push_back({At, O.Temporaries});
      if (O.IsCopy) {
        Hints[O.Defs[0]].push_back(O.Uses[0]);
        Hints[O.Uses[0]].push_back(O.Defs[0]);
      }
    }
    for (auto [V, To] : Until)
      Lives[V].push_back({Start, To});
    Start = End;
  }
  Length = Start;
}

bool Allocator::isFree(unsigned First, unsigned Width,
                       ArrayRef<Segment> Where) const {
  for (unsigned R = First; R != First + Width; ++R)
    for (const Segment &S : Where)
      if (Busy[R].find_first_in(S.Begin, S.End) != -1)
        return false;
  return true;
}

void Allocator::take(unsigned First, unsigned Width, ArrayRef<Segment> Where) {
  for (unsigned R = First; R != First + Width; ++R)
    for (const Segment &S : Where)
      Busy[R].set(S.Begin, S.End);
  Most = std::max(Most, First + Width);
}

/// Values of two and four registers begin at a multiple of that.
unsigned Allocator::place(unsigned Width, ArrayRef<Segment> Where,
                          bool Odd) const {
  const unsigned Step = Odd ? 2 : Width > 2 ? 4 : Width;
  for (unsigned R = Odd; R + Width <= NumRegisters; R += Step)
    if (isFree(R, Width, Where))
      return R;
  return None;
}

void Allocator::placeValue(unsigned V) {
  const unsigned Width = C.Widths[V];
  unsigned At = None;
  for (unsigned Other : Hints[V])
    if (Places[Other] != None && C.Widths[Other] == Width &&
        isFree(Places[Other], Width, Lives[V])) {
      At = Places[Other];
      break;
    }
  if (At == None)
    At = place(Width, Lives[V], Spread && C.Odd[V]);
  if (At == None) {
    Most = NumRegisters;
    return;
  }
  Places[V] = At;
  take(At, Width, Lives[V]);
}

unsigned Allocator::run() {
  findSegments();
  Busy.assign(NumRegisters, BitVector(Length));
  // The stack pointer has a place of its own, used or not.
  Busy[1].set();
  std::vector<unsigned> Order;
  std::vector<unsigned> First(C.Widths.size(), None);
  for (auto [V, Life] : enumerate(Lives)) {
    for (const Segment &S : Life)
      First[V] = std::min(First[V], S.Begin);
    if (!Life.empty() && C.Widths[V])
      Order.push_back(V);
  }
  llvm::stable_sort(
      Order, [&](unsigned A, unsigned B) { return First[A] < First[B]; });
  for (unsigned V : Order)
    placeValue(V);
  for (auto [At, Count] : Temporaries) {
    const Segment Where[] = {{At, At + 2}};
    for (unsigned I = 0; I != Count; ++I)
      if (unsigned R = place(1, Where); R != None)
        take(R, 1, Where);
  }
  return Most;
}

} // namespace

unsigned allocate(const Code &C, bool Spread) {
  return Allocator(C, Spread).run();
}

} // namespace heddle::registers
