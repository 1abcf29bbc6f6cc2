//===- RegisterAllocation.cpp - Registers of values by their lifetimes ----===//

#include "heddle/PTX/RegisterModel.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <tuple>

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

/// The most that setting a register to a constant takes.
constexpr unsigned ConstantCycles = 6;

/// Instructions after an access that write no register that it reads: it has
/// not read them yet. In loops of our own, ptxas 11.8 leaves the registers of
/// an address for others behind it; the number is an assumption.
constexpr unsigned InstsToRead = 2;

/// A stretch of the program in which a value lives. Instruction N reads at 2N
/// and writes at 2N + 1.
struct Segment {
  unsigned Begin, End;
};

/// An instruction that copies one web to another.
struct Copy {
  Op *By;
  unsigned To, From;
};

/// What gets one place: a value that lives across blocks, or one in one block.
struct Web {
  unsigned Value = 0;
  std::vector<Segment> Life;
  SmallVector<unsigned, 2> Hints;    ///< webs that it is copied from or to
  SmallVector<unsigned, 4> Reads;    ///< by instructions of several operands
  SmallVector<unsigned, 2> Accesses; ///< that read it
  unsigned Group = -1;               ///< of what one access moves
  unsigned Heir = -1; ///< pair that takes its place where it dies
  bool IsConstant = false;
  bool IsLoaded = false; ///< from memory, by one of its writes
  unsigned Place = -1;   ///< first register
};

class Allocator {
public:
  Allocator(Code &C, Placement How)
      : C(C), Spread(How != Placement::Tight),
        ByBank(How == Placement::ByBank) {}
  unsigned run();

private:
  static constexpr unsigned None = -1;
  /// More copies of a value are not looked through: kernels have few.
  static constexpr size_t MaxCopies = 32;

  void findWebs();
  void addBlock(OpBlock &B, const BitVector &Out, unsigned Start);
  unsigned webOf(unsigned V);
  bool staysBeside(const Op &O, unsigned V) const;
  bool isFree(unsigned First, unsigned Width, ArrayRef<Segment> Where) const;
  void take(unsigned First, unsigned Width, ArrayRef<Segment> Where);
  void put(Web &W, unsigned First);
  unsigned place(unsigned Width, ArrayRef<Segment> Where, bool Odd = false,
                 unsigned Bank = None) const;
  unsigned bankOf(const Web &W) const;
  unsigned placeBesideBusy(ArrayRef<Segment> Where) const;
  bool placeWithHeir(Web &W);
  unsigned rankOf(const Web &W, bool WideFirst) const;
  unsigned placeLoaded(ArrayRef<Segment> Where) const;
  SmallVector<unsigned, 2> copiesOf(const Web &W) const;
  void placeWeb(Web &W);
  void keepTogether(const Op &O);
  void noteOperands(const Op &O);
  void noteAccess(const Op &O, unsigned At);
  void noteHeir(const Op &O, unsigned V);
  bool takesPlaceOf(const Op &O, unsigned V) const;
  bool isFree(ArrayRef<unsigned> Group, unsigned First) const;
  bool placeGroup(ArrayRef<unsigned> Group);
  void placeAll(bool WideFirst);

  Code &C;
  const bool Spread, ByBank;
  /// By bank, and an access moves several values: the rules of pairs, which
  /// kernels of single words show, were not seen there.
  bool HasGroups = false;
  bool FillsPairs = false; ///< single registers go beside what is in use
  std::vector<Web> Webs;
  std::vector<Copy> Copies;
  std::vector<SmallVector<unsigned, 3>> Reads;  ///< webs of several operands
  std::vector<SmallVector<unsigned, 4>> Groups; ///< webs of one access
  BitVector Crosses;                 ///< values that live across blocks
  DenseMap<unsigned, unsigned> Wide; ///< their webs
  DenseMap<unsigned, unsigned> Here; ///< webs of the others, in this block
  std::vector<BitVector> Busy;       ///< by register, over the program
  std::vector<BitVector> Reading;    ///< where an access has yet to read it
  std::vector<std::pair<unsigned, unsigned>> Temporaries; ///< where, how many
  unsigned Length = 0;
  unsigned Most = 0;
};

/// True if what \p O writes may not take the place of its operand \p V, even
/// where \p V dies: an expansion reads its operands to its end, and as long as
/// there is room ptxas gives the result of arithmetic a register of its own. In
/// machine code it takes that of the last operand, the addend: butterflies and
/// chains of sums of ours do so.
bool Allocator::staysBeside(const Op &O, unsigned V) const {
  if (O.Temporaries)
    return true;
  const bool IsPair =
      C.IsSelected && O.Defs.size() == 1 && C.Widths[O.Defs[0]] == 2;
  const bool IsAddend =
      C.IsSelected && !ByBank && O.Uses.size() > 1 && V == O.Uses.back();
  return Spread && O.Kind == OpKind::Plain && !O.IsCopy && !IsPair &&
         !IsAddend && C.Widths[V] == 1;
}

/// True if the result of \p O takes the place of \p V, its one operand, where
/// \p V dies. ptxas 11.8 scales the argument and the result of a special
/// function in place, and converts to an integer so.
bool Allocator::takesPlaceOf(const Op &O, unsigned V) const {
  return ByBank && O.Kind == OpKind::Plain && !O.Guarded && !O.Temporaries &&
         O.Defs.size() == 1 && O.Uses.size() == 1 && C.Widths[O.Defs[0]] == 1 &&
         C.Widths[V] == 1;
}

unsigned Allocator::webOf(unsigned V) {
  auto [It, New] = (Crosses[V] ? Wide : Here).try_emplace(V, Webs.size());
  if (New)
    Webs.emplace_back().Value = V;
  return It->second;
}

void Allocator::addBlock(OpBlock &B, const BitVector &Out, unsigned Start) {
  Here.clear();
  DenseMap<unsigned, unsigned> Until; ///< of what lives here
  DenseMap<unsigned, unsigned> Heirs; ///< what values are copied to
  for (unsigned V : Out.set_bits())
    Until[V] = Start + 2 * B.Ops.size() + 2;
  for (size_t I = B.Ops.size(); I-- != 0;) {
    Op &O = B.Ops[I];
    const unsigned At = Start + 2 * I;
    const unsigned Heir = O.Defs.size() == 1 ? Heirs.lookup(O.Defs[0]) : 0;
    for (unsigned V : O.Defs) {
      if (O.Guarded)
        continue;
      // A value without readers is written all the same.
      auto It = Until.find(V);
      Web &W = Webs[webOf(V)];
      W.Life.push_back({At + 1, It == Until.end() ? At + 2 : It->second});
      W.IsConstant = O.Uses.empty() && O.Kind == OpKind::Plain &&
                     O.LatencyCycles <= ConstantCycles && C.Widths[V] == 1;
      W.IsLoaded |= O.Kind == OpKind::Load || O.Kind == OpKind::Read;
      if (It != Until.end())
        Until.erase(It);
    }
    for (unsigned V : O.Uses) {
      const bool Stays = V != Heir && staysBeside(O, V) && !takesPlaceOf(O, V);
      if (Until.try_emplace(V, At + (Stays ? 2 : 1)).second)
        noteHeir(O, V);
    }
    if (O.Guarded)
      for (unsigned V : O.Defs)
        if (!Until.contains(V))
          Webs[webOf(V)].Life.push_back({At + 1, At + 2});
    if (Spread && C.IsSelected)
      keepTogether(O);
    if (Spread && C.IsSelected)
      noteAccess(O, At);
    if (ByBank && O.Kind == OpKind::Plain)
      noteOperands(O);
    if (O.Temporaries)
      Temporaries.push_back({At, O.Temporaries});
    if (O.IsCopy) {
      const unsigned To = webOf(O.Defs[0]), From = webOf(O.Uses[0]);
      Webs[To].Hints.push_back(From);
      Webs[From].Hints.push_back(To);
      Copies.push_back({&O, To, From});
      // What is copied on and on may lie where the last copy lies.
      Heirs[O.Uses[0]] = C.IsSelected && Heir ? Heir : O.Defs[0];
    }
  }
  for (auto [V, To] : Until)
    Webs[webOf(V)].Life.push_back({Start, To});
}

void Allocator::noteOperands(const Op &O) {
  SmallVector<unsigned, 3> Read;
  for (unsigned V : O.Uses)
    if (C.Widths[V] == 1)
      if (const unsigned W = webOf(V); !is_contained(Read, W))
        Read.push_back(W);
  if (Read.size() < 2)
    return;
  for (unsigned W : Read)
    Webs[W].Reads.push_back(Reads.size());
  Reads.push_back(std::move(Read));
}

void Allocator::noteAccess(const Op &O, unsigned At) {
  if (O.Kind != OpKind::Load && O.Kind != OpKind::Read &&
      O.Kind != OpKind::Store)
    return;
  for (unsigned V : O.Uses)
    if (C.Widths[V])
      Webs[webOf(V)].Accesses.push_back(At);
}

/// \p V dies at \p O. If that writes a pair, \p V gets one half of it: ptxas
/// 11.8 has an index and its factor where the address will be, unless another
/// pair is an operand. All that small kernels load and store by an index do so.
void Allocator::noteHeir(const Op &O, unsigned V) {
  const auto IsPair = [&](unsigned U) { return C.Widths[U] == 2; };
  if (takesPlaceOf(O, V)) {
    const unsigned To = webOf(O.Defs[0]), From = webOf(V);
    Webs[To].Hints.push_back(From);
    Webs[From].Hints.push_back(To);
  } else if (Spread && C.IsSelected && O.Kind == OpKind::Plain && !O.Guarded &&
             O.Defs.size() == 1 && IsPair(O.Defs[0]) && C.Widths[V] == 1 &&
             none_of(O.Uses, IsPair)) {
    const unsigned To = webOf(O.Defs[0]);
    Webs[webOf(V)].Heir = To;
  }
}

/// What one access moves lies in registers behind each other.
void Allocator::keepTogether(const Op &O) {
  if (O.Kind == OpKind::Plain || O.Kind == OpKind::Fence ||
      O.Kind == OpKind::Branch)
    return;
  SmallVector<unsigned, 4> Group;
  unsigned Width = 0;
  for (unsigned V : O.Kind == OpKind::Store ? ArrayRef<unsigned>(O.Uses)
                                            : ArrayRef<unsigned>(O.Defs)) {
    if (!C.Widths[V] || V == O.Base)
      continue;
    const unsigned W = webOf(V);
    if (Webs[W].Group != None || is_contained(Group, W))
      return;
    Group.push_back(W);
    Width += C.Widths[V];
  }
  if (Group.size() < 2 || PowerOf2Ceil(Width) * 4 != O.SizeBytes)
    return;
  for (unsigned W : Group)
    Webs[W].Group = Groups.size();
  Groups.push_back(std::move(Group));
}

void Allocator::findWebs() {
  const std::vector<BitVector> Out = liveOut(C);
  Crosses.resize(C.Widths.size());
  for (const BitVector &O : Out)
    Crosses |= O;
  for (auto [N, B] : enumerate(C.Blocks)) {
    addBlock(B, Out[N], Length);
    Length += 2 * B.Ops.size() + 2;
  }
}

bool Allocator::isFree(unsigned First, unsigned Width,
                       ArrayRef<Segment> Where) const {
  for (unsigned R = First; R != First + Width; ++R)
    for (const Segment &S : Where)
      // Most registers that are in use are so from the beginning on.
      if (Reading[R][S.Begin] || (S.Begin != S.End && Busy[R][S.Begin]) ||
          Busy[R].find_first_in(S.Begin, S.End) != -1)
        return false;
  return true;
}

void Allocator::take(unsigned First, unsigned Width, ArrayRef<Segment> Where) {
  for (unsigned R = First; R != First + Width; ++R)
    for (const Segment &S : Where)
      Busy[R].set(S.Begin, S.End);
  Most = std::max(Most, First + Width);
}

void Allocator::put(Web &W, unsigned First) {
  const unsigned Width = C.Widths[W.Value];
  W.Place = First;
  take(First, Width, W.Life);
  for (unsigned At : HasGroups ? ArrayRef<unsigned>() : W.Accesses)
    for (unsigned R = First; R != First + Width; ++R)
      Reading[R].set(std::min(At + 2, Length),
                     std::min(At + 2 + 2 * InstsToRead, Length));
}

/// Values of two and four registers begin at a multiple of that.
unsigned Allocator::place(unsigned Width, ArrayRef<Segment> Where, bool Odd,
                          unsigned Bank) const {
  const unsigned Step = Odd || Bank != None ? 2 : Width > 2 ? 4 : Width;
  const unsigned Beside = Odd && C.IsSelected;
  for (unsigned R = Odd            ? 1
                    : Bank == None ? 0
                                   : Bank;
       R + Width <= NumRegisters; R += Step)
    if (isFree(R - Beside, Width + Beside, Where))
      return R;
  return None;
}

/// The bank, even or odd registers, that most instructions want for \p W: the
/// one in which no other operand of theirs is. None if both are as good.
unsigned Allocator::bankOf(const Web &W) const {
  int Odd = 0;
  for (unsigned R : W.Reads) {
    unsigned In[2] = {};
    for (unsigned N : Reads[R])
      if (&Webs[N] != &W && Webs[N].Place != None)
        ++In[Webs[N].Place % 2];
    if (In[0] + In[1] + 1 == Reads[R].size() && (!In[0] || !In[1]))
      Odd += In[0] ? 1 : -1;
  }
  return Odd > 0 ? 1 : Odd < 0 ? 0 : None;
}

/// The other half of a pair that is in use already, so that pairs stay free.
unsigned Allocator::placeBesideBusy(ArrayRef<Segment> Where) const {
  for (unsigned R = 0; R != NumRegisters; ++R)
    if (isFree(R, 1, Where) && !isFree(R ^ 1, 1, Where))
      return R;
  return None;
}

/// A register for a value that is stored as it was loaded: ptxas 11.8 takes the
/// first that is free, of a free pair the upper one. Only what is computed gets
/// a pair of its own (kernels that exchange elements or move structures).
unsigned Allocator::placeLoaded(ArrayRef<Segment> Where) const {
  const unsigned First = place(1, Where);
  return First != None && First % 2 == 0 && isFree(First + 1, 1, Where)
             ? First + 1
             : First;
}

/// The webs that hold the value of \p W by one copy or several, nearest first.
SmallVector<unsigned, 2> Allocator::copiesOf(const Web &W) const {
  SmallVector<unsigned, 2> Found(W.Hints);
  for (size_t N = 0; N < Found.size() && N < MaxCopies; ++N)
    for (unsigned Next : Webs[Found[N]].Hints)
      if (&Webs[Next] != &W && !is_contained(Found, Next))
        Found.push_back(Next);
  return Found;
}

bool Allocator::isFree(ArrayRef<unsigned> Group, unsigned First) const {
  for (unsigned N : Group) {
    const Web &W = Webs[N];
    if (!isFree(First, C.Widths[W.Value], W.Life))
      return false;
    First += C.Widths[W.Value];
  }
  return true;
}

/// Where copies of its members are, else in the first place that is free.
bool Allocator::placeGroup(ArrayRef<unsigned> Group) {
  unsigned Width = 0;
  for (unsigned N : Group)
    Width += C.Widths[Webs[N].Value];
  const unsigned Step = PowerOf2Ceil(Width);
  unsigned First = None;
  unsigned Offset = 0;
  for (unsigned N : Group) {
    for (unsigned Other : copiesOf(Webs[N])) {
      const unsigned At = Webs[Other].Place;
      if (First == None && At != None && At >= Offset &&
          (At - Offset) % Step == 0 && isFree(Group, At - Offset))
        First = At - Offset;
    }
    Offset += C.Widths[Webs[N].Value];
  }
  for (unsigned R = 0; R + Step <= NumRegisters && First == None; R += Step)
    if (isFree(Group, R))
      First = R;
  if (First == None)
    return false;
  for (unsigned N : Group) {
    put(Webs[N], First);
    First += C.Widths[Webs[N].Value];
  }
  return true;
}

/// Places \p W in a half of the pair that takes its place, and that with it;
/// false if there is no room there.
bool Allocator::placeWithHeir(Web &W) {
  Web &H = Webs[W.Heir];
  if (H.Place != None) {
    for (unsigned R : {H.Place, H.Place + 1})
      if (isFree(R, 1, W.Life)) {
        put(W, R);
        return true;
      }
    return false;
  }
  for (unsigned R = 0; R + 2 <= NumRegisters && H.Group == None; R += 2)
    if (isFree(R, 1, W.Life) && isFree(R, 2, H.Life)) {
      put(W, R);
      put(H, R);
      return true;
    }
  return false;
}

void Allocator::placeWeb(Web &W) {
  if (W.Place != None ||
      (W.Group != None && Webs[Groups[W.Group][0]].Place == None &&
       placeGroup(Groups[W.Group])))
    return;
  const unsigned Width = C.Widths[W.Value];
  for (unsigned Other : C.IsSelected ? copiesOf(W) : W.Hints) {
    const unsigned At = Webs[Other].Place;
    if (At != None && C.Widths[Webs[Other].Value] == Width &&
        isFree(At, Width, W.Life)) {
      W.Place = At;
      break;
    }
  }
  if (W.Place == None && W.Heir != None && !HasGroups && placeWithHeir(W))
    return;
  if (W.Place == None && FillsPairs && Width == 1)
    W.Place = placeBesideBusy(W.Life);
  const bool IsStored = Spread && C.Odd[W.Value];
  if (W.Place == None && IsStored && W.IsLoaded && C.IsSelected)
    W.Place = placeLoaded(W.Life);
  if (W.Place == None)
    W.Place = place(Width, W.Life, IsStored, Width == 1 ? bankOf(W) : None);
  if (W.Place == None)
    Most = NumRegisters;
  else
    put(W, W.Place);
}

/// What is placed first: what one access moves, or with \p WideFirst all of
/// several registers. By bank, these and the operands that they take the place
/// of come first and the constants last.
unsigned Allocator::rankOf(const Web &W, bool WideFirst) const {
  const bool IsSingle = C.Widths[W.Value] == 1;
  if (ByBank)
    return W.IsConstant ? 2 : IsSingle && W.Heir == None && !HasGroups;
  return WideFirst ? IsSingle : W.Group == None;
}

/// Places the webs by rank, those of one rank in the order of their first
/// writes.
void Allocator::placeAll(bool WideFirst) {
  Most = 0;
  Busy.assign(NumRegisters, BitVector(Length));
  Reading = Busy;
  // The stack pointer has a place of its own, used or not.
  Busy[1].set();
  std::vector<std::tuple<unsigned, unsigned, unsigned>> Order;
  for (auto [N, W] : enumerate(Webs)) {
    W.Place = None;
    unsigned First = None;
    for (const Segment &S : W.Life)
      First = std::min(First, S.Begin);
    if (C.Widths[W.Value])
      Order.push_back({rankOf(W, WideFirst), First, N});
  }
  llvm::sort(Order);
  for (auto [Rank, First, N] : Order)
    placeWeb(Webs[N]);
  for (auto [At, Count] : Temporaries) {
    const Segment Where[] = {{At, At + 2}};
    for (unsigned I = 0; I != Count; ++I)
      if (unsigned R = place(1, Where); R != None)
        take(R, 1, Where);
  }
}

unsigned Allocator::run() {
  findWebs();
  HasGroups = ByBank && !Groups.empty();
  placeAll(false);
  if (!Spread && C.IsSelected) {
    std::pair<unsigned, unsigned> Best = {Most, 0};
    unsigned Last = 0;
    auto Try = [&](unsigned Way) {
      FillsPairs = Way % 2;
      placeAll(Way / 2);
      Last = Way;
    };
    for (unsigned Way : {1, 2, 3}) {
      Try(Way);
      Best = std::min(Best, {Most, Way});
    }
    if (Last != Best.second)
      Try(Best.second);
  }
  for (const Copy &Each : Copies)
    Each.By->IsIdle = Webs[Each.To].Place == Webs[Each.From].Place;
  return Most;
}

} // namespace

unsigned allocate(Code &C, Placement How) { return Allocator(C, How).run(); }

} // namespace heddle::registers
