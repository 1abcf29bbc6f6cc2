//===- SASSLevel.cpp - The code table from ptxas and nvdisasm -------------===//
//
// Each statement of the PTX gets a line of its own, which ptxas carries into
// its code. An instruction of the machine runs with the block that it stands
// in: the one whose branch or, if there is none, most of whose instructions
// stand there. Only accesses go to the block of their record, whose addresses
// the trace has while that block runs. Of a loop that ptxas unrolled the table
// has a block with all its iterations and one with the share of one iteration;
// of one that it unrolled whole there is only the share. Where ptxas made one
// block of several of the IR by predicates, so has the table.
//
//===----------------------------------------------------------------------===//

#include "Levels.h"
#include "Opcodes.h"
#include "SASSInstruction.h"
#include "SASSReader.h"

#include "heddle/PTX/Registers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"

#include <map>
#include <set>

using namespace llvm;

namespace heddle::machine {

namespace {

constexpr unsigned NoBlock = ~0u;

/// Where an instruction of the PTX stands in the table of PTX level.
struct Origin {
  const PlacedInst *Placed = nullptr;
  unsigned Block = NoBlock;
};

class SASSLevel {
public:
  SASSLevel(CodeTableBuilder &Builder, const Function &Kernel,
            const KernelNumbering &Numbering, const PlacedKernel &Placed,
            StringRef Arch)
      : Builder(Builder), Kernel(Kernel), Numbering(Numbering), Placed(Placed),
        Arch(Arch), Before(const_cast<Function &>(Kernel)), Loops(Before) {}
  Expected<KernelCode> build();

private:
  void findOrigins();
  void placeTextures();
  const Origin &originOf(const SASSInst &I) const;
  unsigned anchorOf(const SASSBlock &B) const;
  bool isPart(const SASSInst &I) const;
  void findCycles();
  unsigned inFrontOf(unsigned Number, unsigned N) const;
  void anchorPreheaders();
  void dropCopies();
  unsigned copiesIn(unsigned Block, unsigned IRBlock) const;
  unsigned copiesIn(unsigned Block) const {
    return copiesIn(Block, Anchors[Block]);
  }
  void anchorUnrolled();
  bool isInside(unsigned IRBlock, unsigned Around) const;
  bool isUnrolled(unsigned IRBlock) const;
  bool isPeeled(const SASSInst &I, unsigned Block) const;
  unsigned homeOf(const SASSInst &I, unsigned Block) const;
  std::map<unsigned, DenseSet<unsigned>> holders() const;
  void joinSteps(std::vector<OutputBlock> &Out);
  void findPlaces(std::vector<OutputBlock> &Out) const;
  std::vector<const SASSInst *> shareOf(unsigned Block, unsigned Home) const;
  void emit(unsigned Block, std::vector<OutputBlock> &Out);
  bool holdsIterations(unsigned Block) const;
  void emitIterations(unsigned Block, unsigned Home,
                      std::vector<OutputBlock> &Out);
  void emitRemainder(unsigned Block, std::vector<OutputBlock> &Out);
  Expected<HeddleInst> translate(const SASSInst &I) {
    return machine::translate(I, originOf(I).Placed, Builder);
  }

  CodeTableBuilder &Builder;
  const Function &Kernel;
  const KernelNumbering &Numbering;
  const PlacedKernel &Placed;
  StringRef Arch;
  std::vector<Origin> Origins; ///< by line; [0] is none
  std::vector<SASSBlock> Blocks;
  std::vector<unsigned> Anchors; ///< by SASS block
  std::vector<bool> InCycle;
  /// By SASS block: what dropCopies() took out of it.
  std::map<unsigned, std::vector<SASSInst>> Dropped;
  DominatorTree Before;
  LoopInfo Loops;
};

void SASSLevel::findOrigins() {
  DenseMap<const ptx::Inst *, Origin> ByInst;
  for (auto [B, Insts] : enumerate(Placed.Blocks))
    for (const PlacedInst &P : Insts)
      ByInst[P.From] = {&P, unsigned(B)};
  Origins.emplace_back();
  for (const ptx::Block &B : Placed.PTX.Blocks)
    for (const ptx::Inst &I : B.Insts)
      Origins.push_back(ByInst.lookup(&I));
}

const Origin &SASSLevel::originOf(const SASSInst &I) const {
  return Origins[I.Line < Origins.size() ? I.Line : 0];
}

/// Whether \p I saves a register or brings it back.
static bool isSpill(const HeddleInst &I) {
  return I.Space == HEDDLE_SPACE_LOCAL && I.Memory == HEDDLE_NO_MEMORY;
}

/// The block of the IR that \p B runs with.
unsigned SASSLevel::anchorOf(const SASSBlock &B) const {
  const SASSInst &Last = B.Insts.back();
  const StringRef Base = StringRef(Last.Opcode).split('.').first;
  // The last EXIT may be that of a block behind, which has become part of it.
  if ((Base == "BRA" && (!Last.Guard.empty() || !Last.Operands.empty())) ||
      (Base == "EXIT" && !Last.Guard.empty()))
    if (unsigned Block = originOf(Last).Block; Block != NoBlock)
      return Block;
  std::map<unsigned, unsigned> Votes;
  for (const SASSInst &I : B.Insts)
    if (unsigned Block = originOf(I).Block; Block != NoBlock)
      // What stays where it is says more.
      Votes[Block] += 1 + 8 * (StringRef(I.Opcode).starts_with("ST") ||
                               StringRef(I.Opcode).starts_with("BAR"));
  if (Votes.empty())
    return NoBlock;
  return max_element(Votes, [](const auto &A,
                               const auto &B) { return A.second < B.second; })
      ->first;
}

/// A SASS block that holds a loop whole runs with a block around that loop. It
/// is such a one if it has an access or a barrier from there.
void SASSLevel::anchorUnrolled() {
  for (auto [B, Anchor] : zip_equal(Blocks, Anchors))
    for (const SASSInst &I : B.Insts) {
      const unsigned Home = originOf(I).Block;
      if (Home != NoBlock &&
          (isAccess(I) || StringRef(I.Opcode).starts_with("BAR")) &&
          isInside(Anchor, Home))
        Anchor = Home;
    }
}

/// True if the innermost loop of \p IRBlock is inside that of \p Around.
bool SASSLevel::isInside(unsigned IRBlock, unsigned Around) const {
  const Loop *Inner = Loops.getLoopFor(Numbering.block(IRBlock));
  const Loop *Outer = Loops.getLoopFor(Numbering.block(Around));
  return Inner != Outer && (!Outer || Outer->contains(Inner));
}

/// True if no SASS block runs with the loop of \p IRBlock: ptxas unrolled it
/// whole.
bool SASSLevel::isUnrolled(unsigned IRBlock) const {
  const Loop *L = Loops.getLoopFor(Numbering.block(IRBlock));
  return L && none_of(zip_equal(Blocks, Anchors), [&](const auto &Pair) {
           const auto &[B, Anchor] = Pair;
           return !B.Insts.empty() && L->contains(Numbering.block(Anchor));
         });
}

/// True if \p I is of an iteration that ptxas took out of a loop: the loop has
/// it too.
bool SASSLevel::isPeeled(const SASSInst &I, unsigned Block) const {
  const unsigned Home = originOf(I).Block;
  if (Home == NoBlock || !isInside(Home, Anchors[Block]))
    return false;
  for (auto [B, Anchor] : zip_equal(Blocks, Anchors))
    if (Anchor == Home && any_of(B.Insts, [&](const SASSInst &Other) {
          return Other.Line == I.Line && Other.Opcode == I.Opcode;
        }))
      return true;
  return false;
}

/// The block that \p I runs with in SASS block \p Block.
/// ptxas 11.8 gives reads of textures the line of another statement. They stand
/// in the order of the PTX, once or in each iteration of an unrolled loop.
void SASSLevel::placeTextures() {
  std::vector<unsigned> Lines;
  for (auto [Line, From] : enumerate(Origins))
    if (From.Placed && From.Placed->Inst.Class == HEDDLE_OP_TEXTURE)
      Lines.push_back(Line);
  std::vector<SASSInst *> Reads;
  for (SASSBlock &B : Blocks)
    for (SASSInst &I : B.Insts)
      if (findOpcode(I.Opcode)->Class == HEDDLE_OP_TEXTURE)
        Reads.push_back(&I);
  if (Lines.empty() || Reads.size() % Lines.size())
    return;
  for (auto [N, I] : enumerate(Reads))
    I->Line = Lines[N % Lines.size()];
}

unsigned SASSLevel::homeOf(const SASSInst &I, unsigned Block) const {
  const unsigned Home = originOf(I).Block, Anchor = Anchors[Block];
  return Home != NoBlock && isInside(Home, Anchor) && isUnrolled(Home) ? Home
                                                                       : Anchor;
}

/// Which SASS blocks repeat. Those of a loop of one block repeat by its own
/// iterations, not by those of a loop around it.
void SASSLevel::findCycles() {
  InCycle.assign(Blocks.size(), false);
  for (unsigned N = 0; N != Blocks.size(); ++N) {
    const BasicBlock *Home = Numbering.block(Anchors[N]);
    const bool Alone = is_contained(successors(Home), Home);
    DenseSet<unsigned> Seen;
    SmallVector<unsigned, 8> Work = {N};
    while (!Work.empty() && !InCycle[N])
      for (unsigned S : Blocks[Work.pop_back_val()].Successors) {
        InCycle[N] = InCycle[N] || S == N;
        if ((!Alone || Anchors[S] == Anchors[N]) && Seen.insert(S).second)
          Work.push_back(S);
      }
  }
}

/// Whether \p I is one of several of the same opcode that one statement takes:
/// those on fragments of a matrix.
bool SASSLevel::isPart(const SASSInst &I) const {
  const PlacedInst *From = originOf(I).Placed;
  return From && StringRef(From->From->Opcode).starts_with("wmma.");
}

/// How many iterations of the loop of \p IRBlock SASS block \p Block holds: how
/// often most of the statements that it has of it stand in it. What is in no
/// loop has one: a division too has the same opcode several times.
unsigned SASSLevel::copiesIn(unsigned Block, unsigned IRBlock) const {
  const Loop *L = Loops.getLoopFor(Numbering.block(IRBlock));
  if (!L)
    return 1;
  std::map<std::pair<unsigned, StringRef>, unsigned> Counts;
  auto isOfLoop = [&](const SASSInst &I) {
    const unsigned Own = originOf(I).Block;
    return Own != NoBlock && Loops.getLoopFor(Numbering.block(Own)) == L &&
           !isPart(I);
  };
  bool AnySure = false;
  for (const SASSInst &I : Blocks[Block].Insts)
    AnySure |= isOfLoop(I) && isOfEachIteration(I);
  for (const SASSInst &I : Blocks[Block].Insts)
    if (isOfLoop(I) && (!AnySure || isOfEachIteration(I)))
      ++Counts[{I.Line, I.Opcode}];
  std::map<unsigned, unsigned> Groups;
  for (const auto &[Key, Count] : Counts)
    ++Groups[Count];
  unsigned Copies = 1, Most = 0;
  for (auto [Count, Number] : Groups)
    if (Number >= Most) {
      Most = Number;
      Copies = Count;
    }
  return Copies;
}

/// The block of the IR that runs right before the loop of \p Number once, where
/// it has one, else what SASS block \p N comes behind.
unsigned SASSLevel::inFrontOf(unsigned Number, unsigned N) const {
  if (const Loop *L = Loops.getLoopFor(Numbering.block(Number)))
    if (const BasicBlock *Front = L->getLoopPreheader())
      return Numbering.number(Front);
  while (N && Anchors[N] == Number)
    --N;
  return Anchors[N];
}

/// What stands before a loop that ptxas unrolled ends with a copy of the loop's
/// test, as does what stands between its copies; it runs in front of the loop.
void SASSLevel::anchorPreheaders() {
  for (unsigned N = 1; N < Blocks.size(); ++N) {
    if (InCycle[N] || Blocks[N].Insts.empty() ||
        any_of(Blocks[N].Insts, [&](const SASSInst &I) {
          return spaceOf(I.Opcode) != HEDDLE_SPACE_NONE &&
                 originOf(I).Block == Anchors[N];
        }))
      continue;
    for (unsigned M = 0; M < Blocks.size(); ++M)
      if (InCycle[M] && Anchors[M] == Anchors[N]) {
        Anchors[N] = inFrontOf(Anchors[N], N);
        break;
      }
  }
}

/// Of several blocks that do the same work (a peeled iteration, the remainder
/// of an unrolled loop) the one with the most iterations stays. Where ptxas
/// unrolled a loop of several blocks the copies run with different ones of it.
void SASSLevel::dropCopies() {
  std::map<unsigned, SmallVector<unsigned, 2>> ByHead;
  for (auto [N, B] : enumerate(Blocks))
    if (!B.Insts.empty() && Anchors[N] != NoBlock) {
      const Loop *L = Loops.getLoopFor(Numbering.block(Anchors[N]));
      ByHead[L ? Numbering.number(L->getHeader()) : Anchors[N]].push_back(N);
    }
  for (auto &[Head, Numbers] : ByHead) {
    llvm::stable_sort(Numbers, [&](unsigned A, unsigned B) {
      auto Rank = [&](unsigned N) {
        return std::tuple(bool(InCycle[N]), copiesIn(N),
                          Blocks[N].Insts.size());
      };
      return Rank(A) > Rank(B);
    });
    DenseSet<unsigned> Lines;
    for (unsigned N : Numbers) {
      DenseSet<unsigned> Own;
      unsigned Known = 0;
      for (const SASSInst &I : Blocks[N].Insts)
        if (Own.insert(I.Line).second)
          Known += Lines.contains(I.Line);
      if (2 * Known > Own.size() && Own.size() > 1) {
        std::swap(Dropped[N], Blocks[N].Insts);
        continue;
      }
      Lines.insert(Own.begin(), Own.end());
    }
  }
}

/// The SASS blocks that hold a block of the IR, by its number: those with its
/// accesses and barriers, or else with what it computes, or with anything of
/// it. Arithmetic may have gone elsewhere.
std::map<unsigned, DenseSet<unsigned>> SASSLevel::holders() const {
  std::map<unsigned, DenseSet<unsigned>> All, Computed, Fixed;
  for (auto [N, B] : enumerate(Blocks)) {
    if (B.Insts.empty())
      continue;
    All[Anchors[N]].insert(N);
    for (const SASSInst &I : B.Insts)
      if (const Origin &From = originOf(I); From.Block != NoBlock) {
        All[From.Block].insert(N);
        if (isConstant(I))
          continue;
        Computed[From.Block].insert(N);
        if (isAccess(I) || StringRef(I.Opcode).starts_with("BAR"))
          Fixed[From.Block].insert(N);
      }
  }
  for (auto *Surer : {&Computed, &Fixed})
    for (auto &[IRBlock, In] : *Surer)
      All[IRBlock] = In;
  return All;
}

/// Blocks of the IR that one SASS block has all of run with the one that they
/// all come behind.
void SASSLevel::joinSteps(std::vector<OutputBlock> &Out) {
  const std::map<unsigned, DenseSet<unsigned>> Holders = holders();
  const PostDominatorTree Behind(const_cast<Function &>(Kernel));
  for (auto [N, Anchor] : enumerate(Anchors)) {
    SmallVector<unsigned, 4> Inside;
    for (const auto &[IRBlock, In] : Holders)
      if (In.contains(N) && In.size() == 1 && !isInside(IRBlock, Anchor))
        Inside.push_back(IRBlock);
    const auto *Head = find_if(Inside, [&](unsigned H) {
      return all_of(Inside, [&](unsigned Other) {
        return Before.dominates(Numbering.block(H), Numbering.block(Other));
      });
    });
    if (Inside.size() < 2 || Head == Inside.end() || copiesIn(N) > 1)
      continue;
    const unsigned First = *Head;
    Anchor = First;
    for (unsigned Other : Inside)
      if (Other != First)
        Out[First].Steps.push_back(
            {Other, !Behind.dominates(Numbering.block(Other),
                                      Numbering.block(First))});
  }
}

/// A block of the IR stands where the first SASS block that runs with it does.
void SASSLevel::findPlaces(std::vector<OutputBlock> &Out) const {
  unsigned Before = 0;
  for (auto [IRBlock, B] : enumerate(Out)) {
    const auto First = find(Anchors, unsigned(IRBlock));
    Before = First == Anchors.end() ? Before : First - Anchors.begin();
    B.Place = Before;
  }
}

/// The instructions of SASS block \p Block that run with \p Home: the share of
/// one iteration. Of what does not divide evenly the first ones stay, up to the
/// right sum. An access runs once, also where one serves several iterations.
std::vector<const SASSInst *> SASSLevel::shareOf(unsigned Block,
                                                 unsigned Home) const {
  const unsigned Copies = copiesIn(Block, Home);
  std::vector<const SASSInst *> All, Share;
  for (const SASSInst &I : Blocks[Block].Insts)
    if (homeOf(I, Block) == Home && !isPeeled(I, Block))
      All.push_back(&I);
  std::map<std::pair<unsigned, StringRef>, unsigned> Counts, Seen;
  for (const SASSInst *I : All)
    ++Counts[{I->Line, I->Opcode}];
  unsigned Whole = 0;
  for (const auto &[Key, Count] : Counts)
    Whole += Count / Copies;
  unsigned Rest = (All.size() + Copies / 2) / Copies - Whole;
  for (const SASSInst *I : All) {
    const unsigned Count = Counts[{I->Line, I->Opcode}];
    const unsigned Copy = Seen[{I->Line, I->Opcode}]++;
    const bool Fits = isAccess(*I) ? Copy < std::max(1u, Count / Copies)
                                   : Copy < Count / Copies;
    if (!Fits) {
      if (!Rest || Copy > Count / Copies || isAccess(*I))
        continue;
      --Rest;
    }
    Share.push_back(I);
  }
  return Share;
}

/// Appends what SASS block \p Block does in one run of its block of the IR, and
/// in one iteration of each loop that it holds whole.
void SASSLevel::emit(unsigned Block, std::vector<OutputBlock> &Out) {
  std::set<unsigned> Homes = {Anchors[Block]};
  for (const SASSInst &I : Blocks[Block].Insts)
    Homes.insert(homeOf(I, Block));
  for (unsigned Home : Homes)
    for (const SASSInst *I : shareOf(Block, Home)) {
      auto Inst = translate(*I);
      if (!Inst) {
        consumeError(Inst.takeError());
        continue;
      }
      unsigned Target = Home, Number = 0;
      if (Inst->Memory != HEDDLE_NO_MEMORY) {
        const unsigned Own = originOf(*I).Block;
        const auto &Steps = Out[Target].Steps;
        while (Number != Steps.size() && Steps[Number].IRBlock != Own)
          ++Number;
        if (Number == Steps.size()) {
          Target = Own;
          Number = 0;
        }
      }
      Out[Target].Insts.push_back({*Inst, Number});
    }
}

/// True if SASS block \p Block is all of a loop of one block of the IR: a part
/// of an iteration that ptxas split cannot stand for several.
bool SASSLevel::holdsIterations(unsigned Block) const {
  const BasicBlock *Home = Numbering.block(Anchors[Block]);
  if (!is_contained(successors(Home), Home))
    return false;
  if (Dropped.contains(Block))
    return true;
  for (auto [N, Anchor] : enumerate(Anchors))
    if (N != Block && Anchor == Anchors[Block] && InCycle[N] &&
        !Blocks[N].Insts.empty())
      return false;
  return true;
}

/// Appends a block for all iterations of the loop \p Home that SASS block
/// \p Block holds; the share of one is for those that are left. An access that
/// serves several iterations has the addresses of their first.
void SASSLevel::emitIterations(unsigned Block, unsigned Home,
                               std::vector<OutputBlock> &Out) {
  const unsigned Copies = copiesIn(Block, Home);
  const bool Whole = Home != Anchors[Block];
  const bool Repeats = InCycle[Block] || Dropped.contains(Block);
  if (Copies < 2 || !(Whole || (Repeats && holdsIterations(Block))))
    return;
  std::map<std::pair<unsigned, StringRef>, unsigned> Counts, Seen;
  for (const SASSInst &I : Blocks[Block].Insts)
    ++Counts[{I.Line, I.Opcode}];
  OutputBlock All;
  All.Steps.assign(Copies, {Home, false});
  All.Place = Block;
  for (const SASSInst &I : Blocks[Block].Insts) {
    if (Whole && (homeOf(I, Block) != Home || isPeeled(I, Block)))
      continue;
    auto Inst = translate(I);
    if (!Inst) {
      consumeError(Inst.takeError());
      continue;
    }
    unsigned Number = 0;
    if (Inst->Memory != HEDDLE_NO_MEMORY) {
      const unsigned Count = Counts[{I.Line, I.Opcode}];
      Number = Seen[{I.Line, I.Opcode}]++ * std::max(1u, Copies / Count);
      if (Number >= Copies || originOf(I).Block != Home)
        return;
    }
    All.Insts.push_back({*Inst, Number});
  }
  Out.push_back(std::move(All));
}

/// Appends a block for the iterations that SASS block \p Block runs once, of
/// those that the unrolled loop leaves, if it has all accesses of the loop.
void SASSLevel::emitRemainder(unsigned Block, std::vector<OutputBlock> &Out) {
  const unsigned Home = Anchors[Block];
  auto Accesses = [&](unsigned N) {
    std::set<unsigned> Lines;
    for (const SASSInst &I : Blocks[N].Insts)
      if (isAccess(I) && originOf(I).Block == Home)
        Lines.insert(I.Line);
    return Lines;
  };
  for (auto [N, Anchor] : enumerate(Anchors))
    if (N != Block && Anchor == Home && InCycle[N] &&
        Accesses(N) == Accesses(Block) && copiesIn(N) > copiesIn(Block)) {
      emitIterations(Block, Home, Out);
      return;
    }
}

Expected<KernelCode> SASSLevel::build() {
  findOrigins();
  unsigned Registers = 0;
  auto Text =
      disassemble(numberLines(Placed), Placed.PTX.Name, Arch, Registers);
  if (!Text)
    return Text.takeError();
  auto Read = readSASS(*Text, Placed.PTX.Name);
  if (!Read)
    return Read.takeError();
  Blocks = std::move(*Read);
  for (const SASSBlock &B : Blocks)
    for (const SASSInst &I : B.Insts)
      if (!findOpcode(I.Opcode))
        return translate(I).takeError();
  placeTextures();
  dropSlowPaths(Blocks);
  unsigned Before = 0;
  for (const SASSBlock &B : Blocks) {
    unsigned Anchor = B.Insts.empty() ? NoBlock : anchorOf(B);
    // A block without a statement of its own runs with the one before it.
    Anchors.push_back(Anchor == NoBlock ? Before : Anchor);
    Before = Anchors.back();
  }
  // Where lanes meet they go on with what follows.
  for (size_t B = Blocks.size(); B > 1; --B)
    if (all_of(Blocks[B - 2].Insts,
               [](const SASSInst &I) { return I.Opcode == "BSYNC"; }))
      Anchors[B - 2] = Anchors[B - 1];
  anchorUnrolled();
  findCycles();
  anchorPreheaders();
  dropCopies();
  std::vector<OutputBlock> Out;
  for (unsigned B = 0; B != Placed.Blocks.size(); ++B)
    Out.push_back({{{B, false}}, {}});
  joinSteps(Out);
  findPlaces(Out);
  for (auto [N, B] : enumerate(Blocks))
    if (!B.Insts.empty()) {
      emit(N, Out);
      std::set<unsigned> Homes;
      for (const SASSInst &I : B.Insts)
        Homes.insert(homeOf(I, N));
      for (unsigned Home : Homes)
        emitIterations(N, Home, Out);
    }
  for (auto &[N, Insts] : Dropped) {
    std::swap(Blocks[N].Insts, Insts);
    emitRemainder(N, Out);
    std::swap(Blocks[N].Insts, Insts);
  }
  dropIdle(Out, Placed);
  llvm::stable_sort(
      Out, [](const auto &A, const auto &B) { return A.Place < B.Place; });
  KernelCode &Code = Builder.code();
  Code.NumRegisters = NumSASSRegisters;
  KernelCode Done = finishBlocks(Builder, Out, Placed.Blocks.size());
  Done.RegistersPerThread = Registers;
  Done.RegisterSource = "ptxas";
  if (const size_t Spills = count_if(Done.Insts, isSpill))
    Done.RegisterSource += "; its " + std::to_string(Spills) +
                           " spills and reloads are taken to hit L1";
  return Done;
}

} // namespace

Expected<KernelCode> buildSASSLevel(CodeTableBuilder &Builder,
                                    const Function &Kernel,
                                    const KernelNumbering &Numbering,
                                    const PlacedKernel &Placed,
                                    StringRef Arch) {
  return SASSLevel(Builder, Kernel, Numbering, Placed, Arch).build();
}

} // namespace heddle::machine
