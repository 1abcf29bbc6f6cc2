//===- MemoryTags.cpp - Numbers that accesses keep to the end -------------===//

#include "MemoryTags.h"

#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/MachineFunctionPass.h"
#include "llvm/CodeGen/MachineInstr.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/MDBuilder.h"

#include <optional>

using namespace llvm;

namespace heddle {

static constexpr StringLiteral DomainName = "heddle.access";

void tagMemoryAccesses(Function &F) {
  MDBuilder B(F.getContext());
  MDNode *Domain = B.createAnonymousAliasScopeDomain(DomainName);
  for (Instruction &I : instructions(F)) {
    if (!I.mayReadOrWriteMemory() || isa<CallBase>(I) || !I.getDebugLoc())
      continue;
    MDNode *Scope = B.createAnonymousAliasScope(
        Domain, std::to_string(I.getDebugLoc().getLine()));
    I.setMetadata(
        LLVMContext::MD_alias_scope,
        MDNode::concatenate(I.getMetadata(LLVMContext::MD_alias_scope),
                            MDNode::get(F.getContext(), {Scope})));
  }
}

namespace {

class RestoreLocations : public MachineFunctionPass {
public:
  static char ID;
  RestoreLocations() : MachineFunctionPass(ID) {}

  StringRef getPassName() const override {
    return "Restore the locations of memory accesses";
  }

  void getAnalysisUsage(AnalysisUsage &AU) const override {
    AU.setPreservesAll();
    MachineFunctionPass::getAnalysisUsage(AU);
  }

  bool runOnMachineFunction(MachineFunction &MF) override {
    DISubprogram *Scope = MF.getFunction().getSubprogram();
    bool Changed = false;
    for (MachineBasicBlock &B : MF)
      for (MachineInstr &I : B)
        if (std::optional<unsigned> Line = lineOf(I)) {
          I.setDebugLoc(DILocation::get(Scope->getContext(), *Line, 0, Scope));
          Changed = true;
        }
    return Changed;
  }

private:
  /// The least number of the accesses that were merged into \p I.
  static std::optional<unsigned> lineOf(const MachineInstr &I) {
    std::optional<unsigned> Least;
    for (const MachineMemOperand *Operand : I.memoperands()) {
      const MDNode *Scopes = Operand->getAAInfo().Scope;
      if (!Scopes)
        continue;
      for (const MDOperand &Op : Scopes->operands()) {
        AliasScopeNode Node(cast<MDNode>(Op));
        const MDNode *Domain = Node.getDomain();
        unsigned Line;
        if (!Domain || nameOfDomain(Domain) != DomainName)
          continue;
        if (!Node.getName().getAsInteger(10, Line))
          Least = std::min(Least.value_or(Line), Line);
      }
    }
    return Least;
  }

  static StringRef nameOfDomain(const MDNode *Domain) {
    if (Domain->getNumOperands() > 1)
      if (const auto *Name = dyn_cast<MDString>(Domain->getOperand(1)))
        return Name->getString();
    return "";
  }
};

char RestoreLocations::ID = 0;

} // namespace

std::unique_ptr<FunctionPass> createRestoreLocationsPass() {
  return std::make_unique<RestoreLocations>();
}

} // namespace heddle
