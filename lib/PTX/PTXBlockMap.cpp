//===- PTXBlockMap.cpp - Which IR block a PTX block runs with -------------===//

#include "heddle/PTX/PTXBlockMap.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace heddle {

namespace {

constexpr unsigned None = ~0u;

class BlockMapper {
public:
  BlockMapper(const ptx::Kernel &PTX, const KernelNumbering &Numbering)
      : PTX(PTX), Numbering(Numbering) {}

  Expected<PTXBlockMap> map();

private:
  void readNames();
  void nameAnonymous();
  unsigned edgeBlock(unsigned From, unsigned To) const;
  void findCopies();
  bool isChain(ArrayRef<unsigned> Blocks) const;
  bool reaches(unsigned From, unsigned To) const;
  Error check() const;

  const ptx::Kernel &PTX;
  const KernelNumbering &Numbering;
  PTXBlockMap Map;
  std::vector<SmallVector<unsigned, 2>> Predecessors;
  std::vector<bool> Present; ///< IR blocks that have PTX
};

void BlockMapper::readNames() {
  Map.IRBlock.assign(PTX.Blocks.size(), None);
  Map.Counted.assign(PTX.Blocks.size(), true);
  Predecessors.resize(PTX.Blocks.size());
  Present.assign(Numbering.numBlocks(), false);
  for (auto [Number, B] : enumerate(PTX.Blocks)) {
    StringRef Name = B.IRBlock;
    unsigned IR;
    if (Name.consume_front("B") && !Name.getAsInteger(10, IR) &&
        IR < Numbering.numBlocks()) {
      Map.IRBlock[Number] = IR;
      Present[IR] = true;
    }
    for (unsigned S : B.Successors)
      Predecessors[S].push_back(Number);
  }
}

/// An IR block on the way from \p From to \p To of which no PTX has the name.
unsigned BlockMapper::edgeBlock(unsigned From, unsigned To) const {
  for (const BasicBlock *Middle : successors(Numbering.block(From))) {
    unsigned N = Numbering.number(Middle);
    if (!Present[N] && Middle->getSinglePredecessor() &&
        Middle->getSingleSuccessor() == Numbering.block(To))
      return N;
  }
  return None;
}

/// Blocks that the back end made: pieces of a block that inline assembly cut
/// with a label, and blocks on an edge, for the copies of its phi nodes.
void BlockMapper::nameAnonymous() {
  for (unsigned N = 0; N != PTX.Blocks.size(); ++N) {
    if (Map.IRBlock[N] != None || Predecessors[N].empty())
      continue;
    unsigned From = Map.IRBlock[Predecessors[N].front()];
    const ptx::Block &B = PTX.Blocks[N];
    if (From == None)
      continue;
    unsigned To =
        B.Successors.size() == 1 ? Map.IRBlock[B.Successors.front()] : None;
    const BasicBlock *FromBlock = Numbering.block(From);
    if (PTX.Blocks[Predecessors[N].front()].Successors.size() == 1 ||
        To == None) {
      Map.IRBlock[N] = From;
    } else if (unsigned Edge = edgeBlock(From, To); Edge != None) {
      Map.IRBlock[N] = Edge;
      Present[Edge] = true;
    } else if (Numbering.block(To)->getSinglePredecessor()) {
      Map.IRBlock[N] = To;
    } else if (FromBlock->getSingleSuccessor()) {
      Map.IRBlock[N] = From;
    } else {
      // A critical edge that prepared IR does not split. Either end is wrong
      // by what the other edges carry; its target is the better guess, as
      // copies for a loop's header run with the loop.
      Map.IRBlock[N] = To;
    }
  }
}

/// True if the blocks run one after the other, each exactly once per run.
bool BlockMapper::isChain(ArrayRef<unsigned> Blocks) const {
  for (unsigned I = 0; I + 1 < Blocks.size(); ++I)
    if (PTX.Blocks[Blocks[I]].Successors.size() != 1 ||
        PTX.Blocks[Blocks[I]].Successors.front() != Blocks[I + 1])
      return false;
  return true;
}

/// Of blocks that are copies of each other one is counted: each run of the IR
/// block goes through one of them.
void BlockMapper::findCopies() {
  std::vector<SmallVector<unsigned, 1>> Named(Numbering.numBlocks());
  for (auto [Number, B] : enumerate(PTX.Blocks))
    if (!B.IRBlock.empty() && Map.IRBlock[Number] != None)
      Named[Map.IRBlock[Number]].push_back(Number);
  for (ArrayRef<unsigned> Blocks : Named) {
    if (Blocks.size() < 2 || isChain(Blocks))
      continue;
    unsigned Longest = *llvm::max_element(Blocks, [&](unsigned A, unsigned B) {
      return PTX.Blocks[A].Insts.size() < PTX.Blocks[B].Insts.size();
    });
    for (unsigned B : Blocks)
      Map.Counted[B] = B == Longest;
  }
}

/// Whether \p B does nothing but go on. The back end lets copies for its phi
/// nodes run before it and takes the jump past it.
static bool onlyGoesOn(const BasicBlock &B) {
  return B.getSingleSuccessor() && &*B.getFirstNonPHIIt() == B.getTerminator();
}

/// Whether the IR leads from \p From to \p To through blocks only that vanished
/// or do nothing.
bool BlockMapper::reaches(unsigned From, unsigned To) const {
  SmallVector<unsigned, 8> Work = {From};
  std::vector<bool> Seen(Numbering.numBlocks(), false);
  while (!Work.empty()) {
    const BasicBlock *B = Numbering.block(Work.pop_back_val());
    for (const BasicBlock *Next : successors(B)) {
      unsigned N = Numbering.number(Next);
      if (N == To)
        return true;
      if ((!Present[N] || onlyGoesOn(*Next)) && !Seen[N]) {
        Seen[N] = true;
        Work.push_back(N);
      }
    }
  }
  return false;
}

Error BlockMapper::check() const {
  auto Fail = [&](unsigned From, unsigned To) {
    return createStringError(
        "kernel '" + PTX.Name + "': the back end's code jumps from block " +
        Twine(From) + " to block " + Twine(To) +
        ", the IR does not; branches in inline assembly are not read");
  };
  for (auto [Number, B] : enumerate(PTX.Blocks)) {
    unsigned From = Map.IRBlock[Number];
    if (From == None)
      return createStringError("kernel '" + PTX.Name + "', PTX block " +
                               Twine(Number) +
                               ": it belongs to no block of the IR");
    for (unsigned S : B.Successors) {
      unsigned To = Map.IRBlock[S];
      // A block that the back end cut runs on in its next piece.
      bool SameRun = From == To && S != Number &&
                     (PTX.Blocks[S].IRBlock.empty() || B.IRBlock.empty() ||
                      S == Number + 1);
      if (To != None && !SameRun && !reaches(From, To))
        return Fail(From, To);
    }
  }
  return Error::success();
}

Expected<PTXBlockMap> BlockMapper::map() {
  readNames();
  nameAnonymous();
  findCopies();
  if (Error E = check())
    return std::move(E);
  return std::move(Map);
}

} // namespace

Expected<PTXBlockMap> mapBlocks(const ptx::Kernel &PTX,
                                const KernelNumbering &Numbering) {
  return BlockMapper(PTX, Numbering).map();
}

} // namespace heddle
