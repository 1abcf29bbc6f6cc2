//===- DropUnused.cpp - The kernels alone, with what they use -------------===//

#include "Passes.h"

#include "llvm/IR/Module.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

/// Whether cudaMemcpyToSymbol and the like may find it.
static bool isNamedByHost(const GlobalVariable &G) {
  const unsigned Space = G.getAddressSpace();
  return G.hasExternalLinkage() && !G.isDeclaration() &&
         (Space == NVPTXAS::ADDRESS_SPACE_GLOBAL ||
          Space == NVPTXAS::ADDRESS_SPACE_CONST);
}

PreservedAnalyses DropUnusedPass::run(Module &M, ModuleAnalysisManager &) {
  bool Changed = false;
  auto Drop = [&](auto &Global) {
    Changed = true;
    Global.eraseFromParent();
  };
  for (Function &F : make_early_inc_range(M))
    if (F.use_empty() && !isKernel(F))
      Drop(F);
  for (GlobalVariable &G : make_early_inc_range(M.globals())) {
    G.removeDeadConstantUsers();
    if (G.use_empty() && !(KeepVariables && isNamedByHost(G)))
      Drop(G);
  }
  for (GlobalAlias &A : make_early_inc_range(M.aliases()))
    if (A.use_empty())
      Drop(A);
  return preserved(Changed);
}

} // namespace heddle
