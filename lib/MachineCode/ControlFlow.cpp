//===- ControlFlow.cpp - Dominators and loops of a PTX kernel -------------===//

#include "ControlFlow.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace heddle::machine {

ControlFlow::ControlFlow(const ptx::Kernel &PTX) : M("branches", Context) {
  IRBuilder<> B(Context);
  auto *F = Function::Create(FunctionType::get(B.getVoidTy(), false),
                             GlobalValue::ExternalLinkage, "kernel", M);
  // No branch leads to the first block of a function.
  auto *Entry = BasicBlock::Create(Context, "entry", F);
  for (unsigned N = 0; N != PTX.Blocks.size(); ++N) {
    Blocks.push_back(BasicBlock::Create(Context, "", F));
    Numbers[Blocks.back()] = N;
  }
  B.SetInsertPoint(Entry);
  if (Blocks.empty())
    B.CreateRetVoid();
  else
    B.CreateBr(Blocks[0]);
  for (auto [From, Block] : zip_equal(PTX.Blocks, Blocks)) {
    B.SetInsertPoint(Block);
    if (From.Successors.empty()) {
      B.CreateRetVoid();
      continue;
    }
    SwitchInst *Switch =
        B.CreateSwitch(B.getInt32(0), Blocks[From.Successors[0]]);
    for (auto [N, S] : enumerate(drop_begin(From.Successors)))
      Switch->addCase(B.getInt32(N), Blocks[S]);
  }
  Dominators.recalculate(*F);
  Loops.analyze(Dominators);
}

bool ControlFlow::dominates(unsigned Over, unsigned N) const {
  return Dominators.isReachableFromEntry(Blocks[Over]) &&
         Dominators.isReachableFromEntry(Blocks[N]) &&
         Dominators.dominates(Blocks[Over], Blocks[N]);
}

unsigned ControlFlow::inFrontOfLoops(unsigned N, unsigned Without) const {
  unsigned Front = N;
  for (const Loop *L = Loops.getLoopFor(Blocks[N]);
       L && !L->contains(Blocks[Without]); L = L->getParentLoop())
    if (auto It = Numbers.find(L->getLoopPredecessor()); It != Numbers.end())
      Front = It->second;
  return Front;
}

} // namespace heddle::machine
