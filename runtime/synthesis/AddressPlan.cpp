//===- AddressPlan.cpp - What the accesses of a clone touch ---------------===//

#include "synthesis/AddressPlan.h"

#include "behavior/AccessFit.h"
#include "behavior/LoopForest.h"
#include "synthesis/AddressChains.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace heddle::synthesis {

using namespace behavior;

/// The part that one index has in the offset, over its values up to \p Last.
static std::pair<int64_t, int64_t> rangeAlong(const Access &A, unsigned K,
                                              int64_t Last) {
  std::vector<Field> Own;
  for (const Field &F : A.Fields)
    if (F.Key == K)
      Own.push_back(F);
  Keys Coefficients = {}, Where = {};
  Coefficients[K] = A.Coefficients[K];
  std::pair<int64_t, int64_t> Range = {0, 0};
  // Each field is greatest where its bits are ones and all above are as they
  // may be: values that end in ones or zeroes reach all extremes.
  auto Try = [&](int64_t Index) {
    if (Index < 0 || Index > Last)
      return;
    Where[K] = Index;
    const int64_t V = valueOf(Coefficients, Own, Where);
    Range = {std::min(Range.first, V), std::max(Range.second, V)};
  };
  constexpr int64_t MostTried = 1 << 16;
  const int64_t Each =
      Own.empty() ? std::max<int64_t>(Last, 1) : Last / MostTried + 1;
  for (int64_t I = 0; I <= Last; I += Each)
    Try(I);
  Try(Last);
  return Range;
}

/// Least and greatest offset of the function over all threads and iterations.
std::pair<int64_t, int64_t> AddressPlan::rangeOf(const Access &A,
                                                 unsigned B) const {
  const unsigned Loop = P.Blocks[B].Loop;
  if (!A.IsAffine && A.Leader != None) {
    auto [Least, Most] = rangeOf(P.Accesses[A.Leader], B);
    return {Least + A.LeaderDistance,
            std::max<int64_t>(Most + A.LeaderDistance,
                              A.Least + drawn(A, B).spanBytes(A.Bytes))};
  }
  if (!A.IsAffine && drawn(A, B).NearPlaces) {
    const auto [Least, Most] = rangeOf(sumOf(A), B);
    return {Least, Most + int64_t(A.Near)};
  }
  if (!A.IsAffine) {
    const DrawnAccess D = drawn(A, B);
    const int64_t Far =
        D.WalksOut ? D.Step * std::max<int64_t>(Code.maxTrips(Loop), 1) : 0;
    return {A.Least + std::min<int64_t>(Far, 0),
            A.Least + int64_t(D.spanBytes(A.Bytes)) +
                std::max<int64_t>(Far, 0)};
  }
  if (A.Modulus)
    return {A.Least,
            std::max(A.Most + int64_t(A.Bytes), A.Least + int64_t(A.Modulus))};
  int64_t Least = A.Constant, Most = A.Constant + A.Bytes;
  auto Add = [&](int64_t Coefficient, int64_t Last) {
    int64_t Far = Coefficient * Last;
    (Far < 0 ? Least : Most) += Far;
  };
  const int64_t Last[] = {P.Threads.X - 1, P.Threads.Y - 1, P.Threads.Z - 1,
                          Plan.Grid.X - 1, Plan.Grid.Y - 1, Plan.Grid.Z - 1};
  for (unsigned K = 0; K < Iteration0; ++K) {
    auto [Lowest, Highest] = rangeAlong(A, K, Last[K]);
    Least += Lowest;
    Most += Highest;
  }
  for (unsigned L = Loop; L != None; L = P.Loops[L].Parent)
    Add(A.Coefficients[Iteration0 + P.Loops[L].Depth],
        std::max<int64_t>(Code.maxTrips(L), 1) - 1);
  if (const unsigned L = continuedFrom(P.Loops, Loop); L != None)
    Add(A.Coefficients[EarlierTrips], Code.maxTrips(P.Loops[L].After));
  return {Least, Most};
}

/// Windows of a fixed size: what would leave them is shifted, or moves less.
Access AddressPlan::inBounds(const Access &Given, unsigned B) const {
  Access A = Given;
  if (P.Arrays[A.Array].Where == Space::Global || !A.IsAffine)
    return A;
  const int64_t Size = P.Arrays[A.Array].SizeBytes;
  if (A.Modulus && A.Least >= 0 && rangeOf(A, B).second <= Size)
    return A;
  A.Modulus = 0;
  // Threads at the border may be kept out by a branch.
  if (auto [Least, Most] = rangeOf(A, B); Most - Least <= Size)
    A.Constant += Least < 0 ? -Least : std::min<int64_t>(Size - Most, 0);
  for (unsigned K = NumKeys; K-- > 0;) {
    auto [Least, Most] = rangeOf(A, B);
    if (Least >= 0 && Most <= Size)
      return A;
    A.Coefficients[K] = 0;
    std::erase_if(A.Fields, [&](const Field &F) { return F.Key == K; });
  }
  A.Constant = 0;
  return A;
}

void AddressPlan::placeArrays() {
  const size_t N = P.Arrays.size();
  BufferOf.assign(N, None);
  Margins.assign(N, 0);
  SizeBytes.assign(N, 0);
  Bases.resize(N);
  for (size_t I = 0; I < N; ++I)
    SizeBytes[I] = P.Arrays[I].SizeBytes;
  for (unsigned B = 0; B < P.Blocks.size(); ++B)
    for (const ChainBlocks::Slot &S : Blocks[B].Slots) {
      if (S.From->Access == None || P.Accesses[S.From->Access].Array == None)
        continue;
      const Access &A = P.Accesses[S.From->Access];
      auto [Least, Most] = rangeOf(A, B);
      Least += std::min(S.From->ByteOffset, 0);
      Most += std::max(S.From->ByteOffset, 0);
      Margins[A.Array] = std::max(Margins[A.Array], -Least);
      SizeBytes[A.Array] = std::max<uint64_t>(SizeBytes[A.Array], Most);
    }
  for (size_t I = 0; I < N; ++I) {
    if (P.Arrays[I].Where != Space::Global)
      continue;
    // The padding keeps the arrays in the same channels and banks.
    constexpr uint64_t Alignment = 256, Period = 65536;
    const uint64_t Own = P.Arrays[I].SizeBytes;
    Margins[I] = (Margins[I] + Period - 1) / Period * Period;
    BufferOf[I] = BufferBytes.size();
    BufferBytes.push_back((Own + Alignment - 1) / Alignment * Alignment +
                          Margins[I] +
                          (SizeBytes[I] - Own + Period - 1) / Period * Period);
  }
}

std::vector<IndexContents> AddressPlan::contents() const {
  std::vector<IndexContents> Out(BufferBytes.size());
  for (size_t I = 0; I < P.Arrays.size(); ++I)
    if (BufferOf[I] != None)
      Out[BufferOf[I]] = Indices.contents()[I];
  return Out;
}

std::string AddressPlan::variables(Space Where) const {
  std::string Text;
  for (size_t I = 0; I < P.Arrays.size(); ++I)
    if (P.Arrays[I].Where == Where)
      Text += fmt::format(".{0} .align 16 .b8 {0}{1}[{2}];\n",
                          Where == Space::Const ? "const" : "local", I,
                          P.Arrays[I].SizeBytes + 16);
  return Text;
}

std::string AddressPlan::arrayBase(unsigned Array) {
  std::string &R = Bases[Array];
  if (!R.empty())
    return R;
  R = Code.newRegister(Kind::B64);
  const Space Where = P.Arrays[Array].Where;
  std::string Symbol =
      Where == Space::Shared
          ? std::string("s")
          : fmt::format("{}{}", Where == Space::Const ? "const" : "local",
                        Array);
  if (BufferOf[Array] != None)
    Code.start(PlannedCode::Entry,
               fmt::format("ld.param.u64 {}, [a{}]", R, BufferOf[Array]));
  else
    Code.start(PlannedCode::Entry, fmt::format("mov.u64 {}, {}", R, Symbol));
  return R;
}

/// The part of a function that threads and blocks decide; empty if none.
std::string AddressPlan::offsetOf(const Keys &Coefficients) {
  Keys Fixed = {};
  std::copy_n(Coefficients.begin(), unsigned(Iteration0), Fixed.begin());
  if (Fixed == Keys{})
    return "";
  auto [It, New] = Offsets.try_emplace(Fixed);
  if (!New)
    return It->second;
  const uint64_t Sizes[] = {P.Threads.X, P.Threads.Y, P.Threads.Z},
                 Grid[] = {Plan.Grid.X, Plan.Grid.Y, Plan.Grid.Z};
  std::string R;
  auto Add = [&](const std::string &Key, int64_t Factor, uint64_t Count) {
    R = Code.addProduct(PlannedCode::Entry, R, Key, Factor, Count - 1);
  };
  for (unsigned D = 0; D < 3; ++D) {
    int64_t Thread = Fixed[ThreadX + D], Block = Fixed[BlockX + D];
    if (Thread && Block == Thread * int64_t(Sizes[D]) && Sizes[D] > 1) {
      Add(Code.globalIndex(D), Thread, Sizes[D] * Grid[D]);
      continue;
    }
    if (Thread)
      Add(Code.key(ThreadX + D), Thread, Sizes[D]);
    if (Block)
      Add(Code.key(BlockX + D), Block, Grid[D]);
  }
  return Offsets[Fixed] = R;
}

/// \p Of in block \p At, or what a block that runs before made of it.
template <typename T>
static std::string *
madeBefore(std::map<std::pair<T, unsigned>, std::string> &M, const T &Of,
           unsigned At, const std::vector<std::vector<bool>> &Dominators) {
  for (auto It = M.lower_bound({Of, 0}); It != M.end() && It->first.first == Of;
       ++It)
    if (Dominators[At][It->first.second])
      return &It->second;
  return nullptr;
}

/// \p Start with the fields of an access added, in block \p At.
std::string AddressPlan::addFields(std::string Start,
                                   const std::vector<Field> &Fields,
                                   unsigned At) {
  const uint32_t Sides[] = {P.Threads.X, P.Threads.Y, P.Threads.Z,
                            Plan.Grid.X, Plan.Grid.Y, Plan.Grid.Z};
  for (const Field &F : Fields) {
    const unsigned Width = std::bit_width(Sides[F.Key] - 1);
    if (F.Shift >= Width)
      continue; // zero
    const std::pair Sum = {Start, F};
    if (std::string *Made = madeBefore(FieldSums, Sum, At, Dominators)) {
      Start = *Made;
      continue;
    }
    // The bits where they are if the factor allows, else moved down.
    const bool IsTop = F.Shift + F.Bits >= Width;
    const int64_t Unit = int64_t(1) << F.Shift;
    const bool Stays = !IsTop && F.Factor % Unit == 0;
    const std::pair Part = {
        F.Key, std::pair(F.Shift, IsTop ? 0 : F.Bits + 64 * Stays)};
    std::string Index;
    if (std::string *Made = madeBefore(BitsOf, Part, At, Dominators)) {
      Index = *Made;
    } else {
      Index = Code.key(F.Key);
      const uint64_t Mask = (uint64_t(1) << F.Bits) - 1;
      auto Step = [&](std::string_view Opcode, uint64_t Operand) {
        std::string Next = Code.newRegister(Kind::B32);
        Code.start(At,
                   fmt::format("{} {}, {}, {}", Opcode, Next, Index, Operand));
        Index = Next;
      };
      if (!Stays && F.Shift)
        Step("shr.u32", F.Shift);
      if (!IsTop)
        Step("and.b32", Stays ? Mask << F.Shift : Mask);
      BitsOf[{Part, At}] = Index;
    }
    const uint64_t Most =
        Stays ? Sides[F.Key] - 1 : (Sides[F.Key] - 1) >> F.Shift;
    Start = FieldSums[{Sum, At}] = Code.addProduct(
        At, Start, Index, Stays ? F.Factor / Unit : F.Factor, Most);
  }
  return Start;
}

/// Of an access with a modulus this is the distance from its least address
/// before it goes around.
AddressPlan::Place AddressPlan::affine(const Access &A, unsigned B) {
  const unsigned Loop = P.Blocks[B].Loop;
  // The loops that move it, innermost first.
  const unsigned Continued =
      A.Coefficients[EarlierTrips] ? continuedFrom(P.Loops, Loop) : None;
  std::vector<unsigned> Moving;
  for (unsigned L = Loop; L != None; L = P.Loops[L].Parent)
    if (A.Coefficients[Iteration0 + P.Loops[L].Depth] || L == Continued)
      Moving.push_back(L);
  auto Step = [&](unsigned L) {
    return A.Coefficients[Iteration0 + P.Loops[L].Depth];
  };
  int64_t Constant =
      A.Modulus ? A.Constant - A.Least : A.Constant + Margins[A.Array];
  constexpr int64_t ImmediateRange = int64_t(1) << 30;
  int64_t Far = Constant / ImmediateRange;
  // Functions of bits are made where they are needed, unless that is a loop.
  const unsigned At = A.Fields.empty() || Loop != None ? PlannedCode::Entry : B;
  auto Key =
      std::tuple(A.Modulus ? None : A.Array, A.Coefficients,
                 Moving.empty() ? None : Moving.front(), Far, A.Fields, At);
  Place &Group = Groups[Key];
  if (Group.Base.empty()) {
    std::string Base = A.Modulus ? "0" : arrayBase(A.Array), Start = Base;
    if (!A.Fields.empty()) {
      Access Whole = A;
      Whole.Fields.clear();
      std::fill(Whole.Coefficients.begin() + Iteration0,
                Whole.Coefficients.end(), 0);
      Start = addFields(affine(Whole, PlannedCode::Entry).Base, A.Fields, At);
    } else if (std::string Offset = offsetOf(A.Coefficients); !Offset.empty()) {
      Start = Code.newRegister(Kind::B64);
      Code.start(PlannedCode::Entry,
                 A.Modulus
                     ? fmt::format("mov.u64 {}, {}", Start, Offset)
                     : fmt::format("add.s64 {}, {}, {}", Start, Base, Offset));
    }
    if (Far && A.Fields.empty()) {
      std::string Moved = Code.newRegister(Kind::B64);
      Code.start(PlannedCode::Entry, fmt::format("add.s64 {}, {}, {}", Moved,
                                                 Start, Far * ImmediateRange));
      Start = Moved;
    }
    // Outer loops first; each header steps its register and sets back the next.
    // The first step is taken before the first access, so offsets lack it.
    Group.Offset = -Far * ImmediateRange;
    for (unsigned I = Moving.size(); I-- > 0;) {
      unsigned L = Moving[I];
      std::string R = Start;
      if (Start == Base || !A.Fields.empty() ||
          Code.outside(L) != PlannedCode::Entry) {
        R = Code.newRegister(Kind::B64);
        Code.start(Code.outside(L), fmt::format("mov.u64 {}, {}", R, Start));
      }
      auto Move = [&](unsigned By, int64_t Bytes) {
        Code.start(P.Loops[By].Header,
                   fmt::format("add.s64 {0}, {0}, {1}", R, Bytes));
      };
      if (L == Continued)
        Move(P.Loops[L].After, A.Coefficients[EarlierTrips]);
      if (Step(L))
        Move(L, Step(L));
      Group.Offset -= Step(L);
      Start = R;
    }
    Group.Base = Start;
  }
  return {Group.Base, Constant + Group.Offset};
}

/// Where the access that leads \p A in block \p B lies; null if it is not
/// planned, or does not run whenever \p B does.
const AddressPlan::Place *AddressPlan::leaderOf(const Access &A,
                                                unsigned B) const {
  auto It = Drawn.find({B, A.Leader});
  if (auto Other = BlockOf.find(A.Leader);
      It == Drawn.end() && Other != BlockOf.end()) {
    const Block &Own = P.Blocks[B], &Leading = P.Blocks[Other->second];
    if (Leading.Loop == Own.Loop && Leading.ECount >= Own.ECount)
      It = Drawn.find({Other->second, A.Leader});
  }
  return It == Drawn.end() ? nullptr : &It->second;
}

/// The addition of the original adds a loaded index to the array's base.
bool AddressPlan::planIndexed(unsigned B, size_t Index) {
  ChainBlocks::Slot &S = Blocks[B].Slots[Index];
  const Access &A = P.Accesses[S.From->Access];
  ChainBlocks::Slot &Add = *Blocks.producer(B, Index, S.From->Uses[0]);
  const std::string Base = arrayBase(A.Array);
  if (Carried.try_emplace(&Add, Base).first->second != Base)
    return false;
  Add.PassedOn = Base;
  Add.ZeroSource = Indices.indexOf(*S.From);
  Places[S.From] = Drawn[{B, S.From->Access}] = {Blocks.name(Add.From->Defs[0]),
                                                 A.Least + Margins[A.Array]};
  return true;
}

void AddressPlan::planSlot(unsigned B, size_t Index) {
  ChainBlocks::Slot &S = Blocks[B].Slots[Index];
  const Access &Given = P.Accesses[S.From->Access];
  if (Given.Array == None)
    return;
  if (Indices.indexOf(*S.From) && planIndexed(B, Index))
    return;
  Access A = inBounds(Given, B);
  // The addition that makes the address in the original makes it here, so that
  // the access waits for what it waited for; its other operand is zero.
  ChainBlocks::Slot *Add = nullptr;
  unsigned Zero = 0;
  if (Blocks.readsAddress(S))
    Add = Blocks.producer(B, Index, S.From->Uses[0]);
  if (Add && (Add->From->Opcode == "add.s64" || Add->From->Opcode == "add.u64"))
    for (unsigned R : Add->From->Uses)
      if (Blocks.isZero(R))
        Zero = R;
  if (!Zero)
    Add = nullptr;
  // What each access makes for itself cannot pass through a shared addition.
  const bool IsOwn = !A.IsAffine || A.Modulus;
  if (Add && IsOwn && Carried.contains(Add))
    Add = nullptr;
  // One that forwards an affine address may be replaced by a step of it, unless
  // it forwards one for another access already.
  if (Add && !Carried.contains(Add))
    Add->Pinned = IsOwn;
  Place Where;
  if (A.IsAffine && A.Modulus) {
    Where = around(A, B, Add ? *Add : S);
  } else if (A.IsAffine) {
    Where = affine(A, B);
  } else if (const Place *Leader = leaderOf(A, B)) {
    Where = *Leader;
    Where.Offset += A.LeaderDistance;
  } else {
    Where = drawn(A, B).NearPlaces ? near(A, B, Add ? *Add : S)
                                   : irregular(A, B, Add ? *Add : S);
    Drawn[{B, S.From->Access}] = Where;
  }
  if (Add && !Add->Removed) {
    auto [It, New] = Carried.try_emplace(Add, Where.Base);
    if (New) {
      Add->Pinned = true;
      Add->PassedOn = Where.Base;
      Add->ZeroSource = Zero;
    }
    if (It->second == Where.Base)
      Where.Base = Blocks.name(Add->From->Defs[0]);
  }
  Places[S.From] = Where;
}

Result<void> AddressPlan::plan() {
  std::set<std::pair<unsigned, unsigned>> Edges;
  for (const Edge &E : P.Edges)
    Edges.insert({E.From, E.To});
  Dominators = findDominators(P.Blocks.size(), Edges);
  placeArrays();
  std::vector<bool> Stored(P.Arrays.size());
  for (const Access &A : P.Accesses)
    if (A.IsStore && A.Array != None)
      Stored[A.Array] = true;
  for (size_t I = 0; I < P.Arrays.size(); ++I)
    if (Indices.contents()[I].Limit)
      Stored[I] = true; // not with zeroes, that is
  Blocks.findZeroes(Stored);
  // Accesses that run most often choose first what to replace.
  std::vector<unsigned> Order;
  for (unsigned B = 0; B < P.Blocks.size(); ++B)
    if (P.Blocks[B].ECount)
      Order.push_back(B);
  std::stable_sort(Order.begin(), Order.end(), [&](unsigned X, unsigned Y) {
    return P.Blocks[X].WarpCount > P.Blocks[Y].WarpCount;
  });
  for (unsigned B : Order)
    for (const ChainBlocks::Slot &S : Blocks[B].Slots)
      if (S.From->Access != None)
        BlockOf.try_emplace(S.From->Access, B);
  for (unsigned B : Order)
    for (size_t I = 0; I < Blocks[B].Slots.size(); ++I)
      if (Blocks[B].Slots[I].From->Access != None)
        planSlot(B, I);
  // Replaced instructions leave more zeroes.
  Blocks.findZeroes(Stored);
  chainAdditions(Blocks, Carried, P.NumRegisters);
  return {};
}

std::string AddressPlan::operand(const Instruction &I) const {
  if (I.Access == None)
    return "z";
  auto It = Places.find(&I);
  if (It == Places.end())
    return "z";
  int64_t Offset = It->second.Offset + I.ByteOffset;
  return Offset ? fmt::format("{}+{}", It->second.Base, Offset)
                : It->second.Base;
}

} // namespace heddle::synthesis
