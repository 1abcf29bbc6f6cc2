//===- BehaviorRun.cpp - The behaviour profile of a session ---------------===//

#include "BehaviorRun.h"

#include "behavior/BehaviorCollector.h"
#include "trace/GridBarriers.h"

#include "llvm/IR/CFG.h"

namespace heddle::tool {

behavior::Profile behaviorOf(Session &S) {
  return behaviorOf(S, *S.makeTraceSource(S.codeTable(ISA::PTX)));
}

behavior::Profile behaviorOf(Session &S, trace::TraceSource &Source) {
  take(trace::requireIndependentBlocks(
      Source, "behaviour profiles and clones take them to be independent"));
  behavior::KernelShape Shape;
  const KernelNumbering &Numbering = S.numbering();
  for (unsigned B = 0; B < Numbering.numBlocks(); ++B) {
    std::vector<unsigned> &Out = Shape.Successors.emplace_back();
    for (const llvm::BasicBlock *To : llvm::successors(Numbering.block(B)))
      if (unsigned N = Numbering.number(To);
          std::find(Out.begin(), Out.end(), N) == Out.end())
        Out.push_back(N);
  }
  for (const auto &Buffer : S.memory().buffers())
    Shape.Memory.push_back(
        {exec::DeviceMemory::toDevice(Buffer->Address), Buffer->SizeBytes});
  return take(behavior::collect(Source, Shape));
}

} // namespace heddle::tool
