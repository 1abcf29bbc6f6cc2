//===- WhileChanged.cpp - Passes again while there is work for them -------===//

#include "Passes.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

PreservedAnalyses WhileChangedPass::run(Module &M, ModuleAnalysisManager &AM) {
  PreservedAnalyses Preserved = PreservedAnalyses::all();
  for (unsigned Round = 0; Round != Most; ++Round) {
    PreservedAnalyses OfFirst = First.run(M, AM);
    if (OfFirst.areAllPreserved())
      break;
    Preserved.intersect(std::move(OfFirst));
    Preserved.intersect(Others.run(M, AM));
  }
  return Preserved;
}

void WhileChangedPass::printPipeline(
    raw_ostream &OS, function_ref<StringRef(StringRef)> NameOf) {
  OS << NameOf(name()) << '<' << Most << ">(";
  First.printPipeline(OS, NameOf);
  if (!Others.isEmpty()) {
    OS << ',';
    Others.printPipeline(OS, NameOf);
  }
  OS << ')';
}

} // namespace heddle
