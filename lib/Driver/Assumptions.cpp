//===- Assumptions.cpp - What a result takes for granted ------------------===//

#include "heddle/Driver/Assumptions.h"

#include "heddle/ABI/MallocHeap.h"
#include "heddle/ABI/WarpKernel.h"
#include "heddle/Analysis/AnalyzedKernel.h"
#include "heddle/Analysis/Barriers.h"
#include "heddle/Analysis/BulkOperation.h"
#include "heddle/Analysis/DivergencePolicy.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/Analysis/PollingLoops.h"
#include "heddle/Analysis/WarpGroup.h"
#include "heddle/Analysis/WorkLoops.h"
#include "heddle/MachineCode/MachineCode.h"
#include "heddle/PTX/PTXLifter.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

#include "launch/LaunchFile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

using namespace llvm;

namespace heddle {

static bool addsInSinglePrecision(const CallBase &Call) {
  if (const auto P = matrixProduct(Call))
    return !P->isExact();
  const auto P = groupProduct(Call);
  return P && !P->isExact();
}

/// What execution assumes of matrix products whose sums hardware rounds in a
/// way that is not published.
static std::string matrixAssumptions(ArrayRef<Function *> Kernels) {
  std::string Text;
  for (const Function *F : Kernels)
    for (const Instruction &I : instructions(*F)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      if (!Call || !addsInSinglePrecision(*Call))
        continue;
      Text += "kernel '" + demangle(F->getName()) +
              "': matrix products add in single precision in the order of k; "
              "tensor cores round otherwise\n";
      break;
    }
  return Text;
}

/// Where denormal numbers stay although the program wants zeros.
static std::string denormalAssumptions(ArrayRef<Function *> Kernels) {
  std::string Text;
  for (Function *F : Kernels)
    if (F->hasFnAttribute(MixesDenormals))
      Text += fmt::format("kernel '{}': some instructions of single precision "
                          "have .ftz and others do not; execution keeps "
                          "denormal numbers in all\n",
                          demangle(F->getName()));
    else if (wantsNoDenormals(*F) && !flushesDenormals(*F))
      Text += fmt::format("kernel '{}': with doubles or matrix products beside "
                          "them execution keeps denormal numbers of single "
                          "precision, which the program takes as zero\n",
                          demangle(F->getName()));
  return Text;
}

/// What is not seen of wgmma.
static std::string groupAssumptions(ArrayRef<Function *> Kernels) {
  std::string Text;
  for (const Function *F : Kernels)
    if (any_of(instructions(*F), [](const Instruction &I) {
          const auto *Call = dyn_cast<CallBase>(&I);
          return Call && groupProduct(*Call);
        }))
      Text += "kernel '" + demangle(F->getName()) +
              "': wgmma reads its operands at once, so that a missing fence or "
              "wait is found by run --check alone; its warps do not wait for "
              "each other\n";
  return Text;
}

/// What level machine makes of architectures that were not compared.
static std::string codeAssumptions(StringRef Arch) {
  if (launch::archNumber(Arch) <= NewestCompared)
    return "";
  return fmt::format(
      "level machine builds the code of {} as for sm_{}; the rates of mma.sync "
      "of machines with it are assumed\n",
      Arch.str(), NewestCompared);
}

/// Whether \p F uses what \p C is a part of.
static bool isUsedIn(const Constant &C, const Function &F) {
  return any_of(C.users(), [&](const User *U) {
    if (const auto *I = dyn_cast<Instruction>(U))
      return I->getFunction() == &F;
    return isa<Constant>(U) && isUsedIn(*cast<Constant>(U), F);
  });
}

/// What stands for CUDA's allocator in kernels.
static std::string heapAssumptions(ArrayRef<Function *> Kernels) {
  std::string Text;
  for (const Function *F : Kernels)
    if (const auto *Heap = F->getParent()->getNamedGlobal(HEDDLE_HEAP_BYTES);
        Heap && isUsedIn(*Heap, *F))
      Text += "kernel '" + demangle(F->getName()) +
              "': malloc and free are our own, executed and timed as their "
              "code; that of CUDA is not published\n";
  return Text;
}

static std::string lineNote(const Instruction &I) {
  const DebugLoc &Line = I.getDebugLoc();
  return Line ? fmt::format(", line {}", Line.getLine()) : "";
}

/// Sums of vectors that are one instruction on a GPU and several here.
static std::string vectorAtomicAssumptions(ArrayRef<Function *> Kernels) {
  std::set<std::string> Notes;
  for (const Function *F : Kernels)
    for (const Instruction &I : instructions(*F)) {
      const unsigned Parts = partsOfAtomic(I);
      if (!Parts || liftedText(*F->getParent()))
        continue;
      Notes.insert(fmt::format(
          "kernel '{}'{}: an atomicAdd of a vector is timed as {}; a GPU has "
          "one instruction for it\n",
          demangle(F->getName()), lineNote(I),
          Parts == 1 ? "a loop of atomicCAS"
                     : fmt::format("{} atomics", Parts)));
    }
  return fmt::format("{}", fmt::join(Notes, ""));
}

/// What waiting in loops costs; that at mbarriers is simulated.
static std::string pollAssumptions(ArrayRef<Function *> Kernels) {
  std::string Text;
  for (const Function *F : Kernels)
    for (const PollingLoop &L : pollingLoops(*F))
      if (!isa<CallBase>(L.Question))
        Text += fmt::format(
            "kernel '{}'{}: warps ask memory until others have written it; a "
            "trace holds one or two rounds of each wait, however long it is\n",
            demangle(F->getName()), lineNote(*L.Question));
  return Text;
}

/// What a kernel reads that asks for the time. Execution comes before timing,
/// so it cannot know.
static std::string clockAssumptions(ArrayRef<Function *> Kernels) {
  auto ReadsClock = [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Called = Call ? Call->getCalledFunction() : nullptr;
    return Called && !I.use_empty() &&
           (Called->getName().contains(".sreg.clock") ||
            Called->getName().contains(".sreg.globaltimer"));
  };
  std::string Text;
  for (const Function *F : Kernels) {
    const auto Found = find_if(instructions(*F), ReadsClock);
    if (Found != inst_end(*F))
      Text += fmt::format(
          "kernel '{}'{}: the clock that it reads counts the basic blocks that "
          "the warp has executed, not cycles; a wait for it takes as many "
          "rounds\n",
          demangle(F->getName()), lineNote(*Found));
  }
  return Text;
}

/// Barriers of some warps that a code table does not know.
static std::string namedBarrierAssumptions(ArrayRef<Function *> Kernels) {
  auto IsUnknown = [](const Instruction &I) {
    const auto Named = namedBarrierOf(I);
    return Named && !(Named->Number && Named->Threads);
  };
  std::string Text;
  for (const Function *F : Kernels) {
    const auto Found = find_if(instructions(*F), IsUnknown);
    if (Found != inst_end(*F))
      Text += fmt::format(
          "kernel '{}'{}: barriers of some warps, and bar.arrive, are timed as "
          "barriers of all warps of the block, since the number of this one or "
          "of its threads is not a constant\n",
          demangle(F->getName()), lineNote(*Found));
  }
  return Text;
}

/// Who gets how much of the work that warps take from a counter.
static std::string workAssumptions(ArrayRef<Function *> Kernels) {
  std::string Text;
  for (const Function *F : Kernels)
    for (const WorkLoop &L : workLoops(*F))
      Text += fmt::format(
          "kernel '{}'{}: warps take work from a counter in the order of the "
          "basic blocks that they have executed, as if each took the same "
          "time; a GPU may give it to others\n",
          demangle(F->getName()), lineNote(*L.Counter));
  return Text;
}

/// Registers that say what the driver or the GPU knows, and not the launch.
static std::string registerAssumptions(ArrayRef<Function *> Kernels) {
  std::set<std::string> Notes;
  for (const Function *F : Kernels)
    for (const Instruction &I : instructions(*F)) {
      const auto *Call = dyn_cast<CallBase>(&I);
      const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
      StringRef Name = Callee ? Callee->getName() : "";
      if (!Name.consume_front("llvm.nvvm.read.ptx.sreg.") ||
          (!Name.starts_with("envreg") && Name != "gridid" &&
           Name != "nwarpid"))
        continue;
      Notes.insert(fmt::format(
          "kernel '{}'{}: %{} is read as {}; a GPU may have another number\n",
          demangle(F->getName()), lineNote(I), Name.str(),
          Name == "nwarpid" ? HEDDLE_NWARPID : 0));
    }
  return fmt::format("{}", fmt::join(Notes, ""));
}

/// What level machine assumes of copies that the lanes ask an engine for.
static std::string copyAssumptions(ArrayRef<Function *> Kernels) {
  std::string Text;
  for (const Function *F : Kernels)
    if (any_of(instructions(*F), [](const Instruction &I) {
          const auto *Call = dyn_cast<CallBase>(&I);
          return Call && bulkOperation(*Call);
        }))
      Text += "kernel '" + demangle(F->getName()) +
              "': level machine takes the loop around a bulk copy, once for "
              "each lane that copies, as run once\n";
  return Text;
}

/// "sin (double)" for a call of a function of the device library that level
/// machine takes on one path; "" for others and for approximations.
static std::string tracedFunction(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  if (!Name.consume_front("heddle.math.") && !Name.consume_front("llvm."))
    return "";
  const auto [Short, Type] = Name.split('.');
  const auto *Operation = dyn_cast<FPMathOperator>(&Call);
  if (!isTracedFunction(Short, Type) ||
      (Type == "f32" && Operation && Operation->hasApproxFunc()))
    return "";
  return fmt::format("{} ({})", Short.str(),
                     Type == "f32" ? "float" : "double");
}

std::string functionAssumptions(const Function &Kernel) {
  std::set<std::string> Names;
  for (const Instruction &I : instructions(Kernel))
    if (const auto *Call = dyn_cast<CallBase>(&I))
      Names.insert(tracedFunction(*Call));
  Names.erase("");
  if (Names.empty())
    return "";
  return fmt::format("level machine takes nvcc's instructions for operands of "
                     "ordinary size, without loads of tables: {}\n",
                     fmt::join(Names, ", "));
}

/// Where lanes of a warp that part stay apart for longer than on hardware.
static std::string divergenceAssumptions(ArrayRef<Function *> Kernels) {
  std::string Text;
  for (Function *F : Kernels) {
    const auto Branches = branchesThatJoinBehindLoops(*F);
    if (Branches.empty())
      continue;
    const AnalyzedKernel Analyzed(*F);
    const auto Parts = llvm::find_if(Branches, [&](const BranchInst *Branch) {
      return !Analyzed.dependence().isUniformInBlock(Branch->getCondition());
    });
    if (Parts == Branches.end())
      continue;
    const DebugLoc &Where = (*Parts)->getDebugLoc();
    Text += fmt::format(
        "kernel '{}'{}: lanes that part here meet behind the loop, since one "
        "way leaves it; hardware lets them meet within\n",
        demangle(F->getName()),
        Where ? fmt::format(", line {}", Where.getLine()) : "");
  }
  return Text;
}

/// Where lanes of \p F, from PTX, that part come to a barrier one side after
/// the other.
static std::string waysAroundBarriers(Function &F, StringRef Kernel) {
  const auto Branches = branchesBeforeOneBarrier(F);
  if (Branches.empty())
    return "";
  const AnalyzedKernel Analyzed(F);
  const auto Parts = llvm::find_if(Branches, [&](const auto &Of) {
    return !Analyzed.dependence().isUniformInBlock(Of.first->getCondition());
  });
  if (Parts == Branches.end())
    return "";
  auto LineOf = [](const Instruction *I) {
    return I->getDebugLoc() ? I->getDebugLoc().getLine() : 0;
  };
  return fmt::format(
      "kernel '{}': both sides of the branch in line {} come to the barrier in "
      "line {}, and there is a way around it; from sm_70 on lanes that part "
      "wait "
      "for each other there, execution here says \"barrier in divergent "
      "code\": let both sides meet in front of the barrier\n",
      Kernel.str(), LineOf(Parts->first), LineOf(Parts->second));
}

/// Barriers with ways around them: kernels that were changed so that lanes meet
/// there, and PTX, which stays as it is.
static std::string barrierAssumptions(ArrayRef<Function *> Kernels) {
  std::string Text;
  for (Function *F : Kernels) {
    const std::string Kernel = demangle(F->getName());
    if (F->hasFnAttribute(MeetsAtBarrier)) {
      const StringRef Line =
          F->getFnAttribute(MeetsAtBarrier).getValueAsString();
      Text += fmt::format(
          "kernel '{}'{}: the optimiser leads lanes around a barrier; branches "
          "were added so that they meet in front of it, which nvcc's code may "
          "not have\n",
          Kernel, Line.empty() ? "" : ", line " + Line.str());
    } else if (liftedText(*F->getParent())) {
      Text += waysAroundBarriers(*F, Kernel);
    }
  }
  return Text;
}

std::string moduleAssumptions(const CompiledModule &M, StringRef Arch,
                              Function *Only) {
  const std::vector<Function *> Kernels =
      Only ? std::vector<Function *>{Only} : M.kernels();
  return matrixAssumptions(Kernels) + groupAssumptions(Kernels) +
         heapAssumptions(Kernels) + workAssumptions(Kernels) +
         vectorAtomicAssumptions(Kernels) + registerAssumptions(Kernels) +
         pollAssumptions(Kernels) + clockAssumptions(Kernels) +
         namedBarrierAssumptions(Kernels) + copyAssumptions(Kernels) +
         divergenceAssumptions(Kernels) + barrierAssumptions(Kernels) +
         denormalAssumptions(Kernels) + codeAssumptions(Arch);
}

std::string libraryAssumptions(const CompiledModule &M) {
  static constexpr std::pair<StringLiteral, StringLiteral> Libraries[] = {
      {"heddle_blas::", "cuBLAS"},
      {"heddle_fft::", "cuFFT"},
      {"heddle_rand::", "cuRAND"},
      {"heddle_sparse::", "cuSPARSE"},
      {"heddle_thrust::", "Thrust and CUB"}};
  std::string Text;
  for (const auto &[Prefix, Library] : Libraries)
    if (any_of(M.kernels(), [&](const Function *F) {
          return StringRef(demangle(F->getName())).contains(Prefix);
        }))
      Text += fmt::format("kernels named {}...: they stand for those of {}, so "
                          "their time is that of plain kernels of our own\n",
                          Prefix.str(), Library.str());
  return Text;
}

} // namespace heddle
