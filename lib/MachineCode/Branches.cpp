//===- Branches.cpp - The order of blocks and what leads between them -----===//

#include "MachineInst.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace llvm;

namespace heddle::machine {

namespace {

class Placer {
public:
  explicit Placer(Code &C) : C(C) {}
  void run();

private:
  void orderBlocks();
  void visit(unsigned N);
  unsigned meetingPoint(unsigned N) const;
  bool isSet(unsigned N, unsigned Setter, unsigned M) const;
  bool reaches(unsigned From, unsigned To) const;
  bool isExit(unsigned N) const {
    return C.Blocks[N].Successors.empty() && C.Blocks[N].Insts.empty();
  }
  void synchronize();
  void findEnds();
  void keepEnds(std::vector<unsigned> &Placed);
  void write(unsigned N, unsigned Next);
  Inst control(StringRef Name, const Block &B) const;

  Code &C;
  std::vector<unsigned> Order;
  BitVector Seen;
  BitVector Ends; ///< blocks that are only an EXIT, which others carry
};

constexpr unsigned None = ~0u;

bool Placer::reaches(unsigned From, unsigned To) const {
  BitVector Visited(C.Blocks.size());
  SmallVector<unsigned, 16> Work = {From};
  while (!Work.empty()) {
    const unsigned N = Work.pop_back_val();
    for (unsigned S : C.Blocks[N].Successors) {
      if (S == To)
        return true;
      if (!Visited[S]) {
        Visited.set(S);
        Work.push_back(S);
      }
    }
  }
  return false;
}

/// Depth first; what leaves a loop is visited before what stays in it, so that
/// a loop's blocks lie together.
void Placer::visit(unsigned N) {
  Seen.set(N);
  SmallVector<unsigned, 2> Next(C.Blocks[N].Successors);
  if (Next.size() == 2 && reaches(Next[0], N) && !reaches(Next[1], N))
    std::swap(Next[0], Next[1]);
  for (unsigned S : Next)
    if (!Seen[S])
      visit(S);
  Order.push_back(N);
}

void Placer::orderBlocks() {
  Seen.resize(C.Blocks.size());
  visit(0);
  std::reverse(Order.begin(), Order.end());
}

Inst Placer::control(StringRef Name, const Block &B) const {
  Inst I;
  I.Name = Name.str();
  I.From = B.Branch;
  return I;
}

/// The first block in order that all ways from \p N go through, if they meet
/// before the end.
unsigned Placer::meetingPoint(unsigned N) const {
  auto Avoids = [&](unsigned Block) {
    // Whether an end can be reached without going through Block.
    BitVector Visited(C.Blocks.size());
    SmallVector<unsigned, 16> Work(ArrayRef(C.Blocks[N].Successors));
    while (!Work.empty()) {
      const unsigned M = Work.pop_back_val();
      if (M == Block || Visited[M])
        continue;
      Visited.set(M);
      if (C.Blocks[M].Successors.empty())
        return true;
      append_range(Work, C.Blocks[M].Successors);
    }
    return false;
  };
  for (unsigned M : Order)
    if (M != N && !Avoids(M) && (reaches(N, M)))
      return M;
  return None;
}

/// Whether lanes that part at \p N already wait for each other at \p M: all
/// ways to \p N lead over \p Setter, and none from there over \p M.
bool Placer::isSet(unsigned N, unsigned Setter, unsigned M) const {
  BitVector Visited(C.Blocks.size());
  Visited.set(Setter);
  SmallVector<unsigned, 16> Work = {0, M};
  while (!Work.empty()) {
    const unsigned Block = Work.pop_back_val();
    if (Visited[Block])
      continue;
    if (Block == N)
      return false;
    Visited.set(Block);
    append_range(Work, C.Blocks[Block].Successors);
  }
  return true;
}

/// Lanes that part meet again: BSSY before they part, BSYNC where they meet.
/// Where only the end follows ptxas lets them go.
void Placer::synchronize() {
  std::map<unsigned, SmallVector<unsigned, 2>> Setters; ///< by meeting point
  for (unsigned N : Order) {
    Block &B = C.Blocks[N];
    if (B.Successors.size() < 2 || !B.Divergent)
      continue;
    if (any_of(B.Successors, [&](unsigned S) { return isExit(S); }))
      continue;
    const unsigned M = meetingPoint(N);
    if (M == None || isExit(M))
      continue;
    // A loop sets its barrier up once, before it.
    unsigned Setter = N;
    auto ReachesOwn = [&](unsigned S) { return reaches(S, N); };
    if (any_of(B.Successors, ReachesOwn) && !all_of(B.Successors, ReachesOwn))
      for (unsigned P : Order)
        if (is_contained(C.Blocks[P].Successors, N) && P != N && !reaches(N, P))
          Setter = P;
    auto &Before = Setters[M];
    if (any_of(Before, [&](unsigned S) { return isSet(N, S, M); }))
      continue;
    C.Blocks[Setter].Insts.push_back(control("BSSY", C.Blocks[Setter]));
    if (Before.empty())
      C.Blocks[M].Insts.insert(C.Blocks[M].Insts.begin(),
                               control("BSYNC", C.Blocks[M]));
    Before.push_back(Setter);
  }
}

void Placer::write(unsigned N, unsigned Next) {
  Block &B = C.Blocks[N];
  if (B.Successors.empty()) {
    B.Insts.push_back(control("EXIT", B));
    return;
  }
  if (B.Successors.size() == 1) {
    if (Ends[B.Successors[0]])
      B.Insts.push_back(control("EXIT", B));
    else if (B.Successors[0] != Next)
      B.Insts.push_back(control("BRA", B));
    return;
  }
  const bool Leaves = any_of(B.Successors, [&](unsigned S) { return Ends[S]; });
  const bool IsIndexed = B.endsInIndexedJump();
  Inst Branch = control(Leaves ? "EXIT" : IsIndexed ? "BRX" : "BRA", B);
  if (B.Condition)
    Branch.Uses.push_back(B.Condition);
  B.Insts.push_back(Branch);
  if (!IsIndexed && !is_contained(B.Successors, Next))
    B.Insts.push_back(control("BRA", B));
}

/// An end that all others carry needs no place of its own. An indexed jump
/// carries none.
void Placer::findEnds() {
  Ends.resize(C.Blocks.size());
  for (unsigned N : Order)
    if (N != 0 && isExit(N))
      Ends.set(N);
  for (unsigned N : Order)
    if (C.Blocks[N].endsInIndexedJump())
      for (unsigned S : C.Blocks[N].Successors)
        Ends.reset(S);
}

/// A loop that leaves to the end goes on with a branch, and the end follows.
void Placer::keepEnds(std::vector<unsigned> &Placed) {
  for (size_t At = 0; At != Placed.size(); ++At) {
    const auto &To = C.Blocks[Placed[At]].Successors;
    if (To.size() != 2 || Ends[To[0]] == Ends[To[1]])
      continue;
    const unsigned End = Ends[To[0]] ? To[0] : To[1];
    const unsigned Other = End == To[0] ? To[1] : To[0];
    if (At + 1 != Placed.size() && Placed[At + 1] == Other)
      continue;
    Placed.insert(Placed.begin() + At + 1, End);
    Ends.reset(End);
  }
}

void Placer::run() {
  orderBlocks();
  synchronize();
  findEnds();
  std::vector<unsigned> Placed;
  for (unsigned N : Order)
    if (!Ends[N])
      Placed.push_back(N);
  keepEnds(Placed);
  for (auto [At, N] : enumerate(Placed))
    write(N, At + 1 < Placed.size() ? Placed[At + 1] : None);
  std::vector<Block> Blocks;
  std::vector<unsigned> Numbers(C.Blocks.size(), None);
  for (auto [At, N] : enumerate(Placed))
    Numbers[N] = At;
  for (unsigned N : Placed) {
    Block B = std::move(C.Blocks[N]);
    SmallVector<unsigned, 2> Next;
    for (unsigned S : B.Successors)
      if (Numbers[S] != None)
        Next.push_back(Numbers[S]);
    B.Successors = Next;
    Blocks.push_back(std::move(B));
  }
  C.Blocks = std::move(Blocks);
}

/// Writes the BMOV that clears a barrier's register in front of each BSSY.
void clearBarriers(Code &C) {
  for (Block &B : C.Blocks)
    for (size_t N = 0; N < B.Insts.size(); ++N)
      if (B.Insts[N].Name == "BSSY") {
        Inst Clear = B.Insts[N];
        Clear.Name = "BMOV.32.CLEAR";
        B.Insts.insert(B.Insts.begin() + N++, std::move(Clear));
      }
}

} // namespace

void placeBranches(Code &C, const Architecture &Arch) {
  Placer(C).run();
  if (Arch.clearsBarriers())
    clearBarriers(C);
}

} // namespace heddle::machine
