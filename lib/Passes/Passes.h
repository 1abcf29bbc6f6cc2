//===- Passes.h - The passes of Pipelines.cpp -------------------*- C++ -*-===//
//
// Each brings a module a step nearer to the prepared form (Pipelines.h); the
// order stands in Pipelines.cpp, the names in PassRegistry.def. A pass takes
// any module that the verifier accepts. What it cannot take stays as it is and
// is reported through the context of the module.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_PASSES_PASSES_H
#define HEDDLE_LIB_PASSES_PASSES_H

#include "PassSupport.h"

#include "heddle/Passes/Pipelines.h"

namespace heddle {

//===----------------------------------------------------------------------===//
// Passes over modules
//===----------------------------------------------------------------------===//

/// Makes a module of any front end one for the architecture: triple, data
/// layout and target-cpu are the target machine's; kernels, also those that
/// nvvm.annotations name, are external ptx_kernel functions; everything else is
/// internal and to be inlined, whatever the source said; functions are called
/// by their own names and no longer by aliases. Errors: another target,
/// pointers of 32 bits, no kernel, unknown architecture.
class AdoptModulePass : public ConfiguredPass<AdoptModulePass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  std::vector<PassOption> options() { return {{"arch", &Arch}}; }

private:
  std::string Arch = "sm_70";
};

/// Calls of mathematical functions by their C, libdevice or OpenCL name become
/// llvm.* intrinsics or heddle.math.* calls (closeMathCalls in Pipelines.h).
struct CloseMathCallsPass : RequiredPass<CloseMathCallsPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// printf and failed asserts become calls of heddle.print.N with `keep`, else
/// nothing, with a warning; an assert traps either way.
class LowerPrintsPass : public ConfiguredPass<LowerPrintsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  std::vector<PassOption> options() { return {{"keep", &Keep}}; }

private:
  bool Keep = false;
};

/// Inline PTX whose statements are all known becomes IR; other texts stay. With
/// `textures` only texture and surface instructions do, with `exits` only what
/// leaves the kernel. Warns where the time is not that of the machine. With
/// `mark` an empty assembly stays behind each.
class LowerInlineAsmPass : public ConfiguredPass<LowerInlineAsmPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  std::vector<PassOption> options() {
    return {{"textures", &Textures}, {"exits", &Exits}, {"mark", &Marks}};
  }

private:
  bool isWanted(const llvm::CallInst &Call) const;

  bool Textures = false, Exits = false, Marks = false;
};

/// Whether \p I is an assembly without text, which heddle-lower-inline-asm
/// makes and heddle-drop-markers removes.
bool isAssemblyMark(const llvm::Instruction &I);

/// Assembly that converts a half to single precision and does nothing else gets
/// a number, so that no two are merged. heddle-lower-inline-asm leaves it.
struct HoldConversionsPass : RequiredPass<HoldConversionsPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};
bool isHeldConversion(const llvm::CallInst &Call);

/// Such assembly becomes fpext, each with OwnConversion (heddle/PTX/BackEnd.h).
struct ReleaseConversionsPass : RequiredPass<ReleaseConversionsPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Guarded loads and stores in inline assembly become branches.
struct LowerPredicatedAccessPass : RequiredPass<LowerPredicatedAccessPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Runs the first of its passes, and while that changes the module, but at most
/// N times, the others after it: heddle-while-changed<N>(FIRST,OTHERS...).
class WhileChangedPass : public RequiredPass<WhileChangedPass> {
public:
  WhileChangedPass(unsigned Most, llvm::ModulePassManager First,
                   llvm::ModulePassManager Others)
      : Most(Most), First(std::move(First)), Others(std::move(Others)) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  void
  printPipeline(llvm::raw_ostream &OS,
                llvm::function_ref<llvm::StringRef(llvm::StringRef)> NameOf);

private:
  unsigned Most;
  llvm::ModulePassManager First, Others;
};

/// Calls through pointers become calls of the functions that they may reach,
/// which may now be inlined. Nothing changes if there are none.
struct ResolvePointersPass : RequiredPass<ResolvePointersPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Marks loops whose counter the source lets wrap, as later passes cannot see.
struct MarkWrappingCountersPass : RequiredPass<MarkWrappingCountersPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};
/// The attribute of such a loop.
inline constexpr llvm::StringLiteral WrappingCounter = "heddle.counter.wraps";

/// Lets no pass compute functions of floats for lanes that do not call them.
struct HoldMathCallsPass : RequiredPass<HoldMathCallsPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Makes one branch of two that depend on cheap conditions, as nvcc does.
struct MergeConditionsPass : RequiredPass<MergeConditionsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

/// Takes the ranges of threadIdx and its like away, which nvcc does not use.
struct ForgetThreadRangesPass : RequiredPass<ForgetThreadRangesPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Gives threadIdx and its like the ranges that hold for all kernels.
struct RecallThreadRangesPass : RequiredPass<RecallThreadRangesPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

/// Unrolls loops by the rules of nvcc, inner ones first. What the source says
/// of a loop is left to LLVM's own passes.
struct UnrollLoopsPass : RequiredPass<UnrollLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &F,
                              llvm::FunctionAnalysisManager &FAM);
};

/// Writes recursion of kernels out, as far as a kernel can hold it.
struct UnrollRecursionPass : RequiredPass<UnrollRecursionPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Calls of functions that are not there, of the allocator and through unknown
/// pointers become calls of heddle.refused.*.
struct RefuseUnknownCallsPass : RequiredPass<RefuseUnknownCallsPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Marks the ends of paths that leave a kernel before a barrier of others, so
/// that optimisations do not move their code behind the place where all paths
/// meet: lanes there would no longer count as returned.
struct MarkEarlyReturnsPass : RequiredPass<MarkEarlyReturnsPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};
/// The name of the function whose calls are the marks.
inline constexpr llvm::StringLiteral EarlyReturnMark = "heddle.early.return";

/// Gives functions whose address is a value a number that stands for it. No
/// function is then used but by calls.
struct NumberFunctionsPass : RequiredPass<NumberFunctionsPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// llvm.nvvm.wmma.*.load.* and .store.* become loads and stores of registers or
/// ldmatrix, as hardware does them. Addresses must know their space.
struct LowerMatrixIntrinsicsPass : RequiredPass<LowerMatrixIntrinsicsPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Gives what alloca() takes a place in a frame of constant size.
struct LowerDynamicAllocasPass : RequiredPass<LowerDynamicAllocasPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Runs LLVM's passes expand-ir-insts and atomic-expand for the architecture
/// that the functions' target-cpu names, whatever target machine the pass
/// manager has. An error if it names none.
struct ExpandForTargetPass : RequiredPass<ExpandForTargetPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Runs the IR half of the NVPTX back end (heddle/PTX/BackEnd.h) for the
/// architecture that the functions' target-cpu names. Errors are the back
/// end's.
struct RunBackEndPass : RequiredPass<RunBackEndPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

/// Drops what no kernel uses: functions, variables, aliases. With
/// `keep-variables` those that a host program can name stay.
class DropUnusedPass : public ConfiguredPass<DropUnusedPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  std::vector<PassOption> options() {
    return {{"keep-variables", &KeepVariables}};
  }

private:
  bool KeepVariables = false;
};

/// Checks the module and warns of each call of heddle.refused.* in it; an error
/// if it is malformed.
struct VerifyPreparedPass : RequiredPass<VerifyPreparedPass> {
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
};

//===----------------------------------------------------------------------===//
// Passes over functions
//===----------------------------------------------------------------------===//

/// Struct arguments that a kernel writes become local copies.
struct CopyWrittenStructsPass : RequiredPass<CopyWrittenStructsPass> {
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
};

/// Pointers in structs passed to a kernel by value point to global memory, as
/// those do that are passed themselves (which address-space inference knows).
struct AssumeGlobalMembersPass : RequiredPass<AssumeGlobalMembersPass> {
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
};

/// Runs LLVM's instcombine where an array is copied from a constant: before the
/// array is known to be local memory, the constant takes its place.
struct FoldConstantArraysPass : RequiredPass<FoldConstantArraysPass> {
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
};

/// No pointer is cast from one known memory to another, as LLVM does where it
/// replaces a local array by the constant that it is copied from. What depends
/// on such a cast is generic, and its address space is inferred again.
struct MergeAddressSpacesPass : RequiredPass<MergeAddressSpacesPass> {
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
};

/// LLVM's infer-address-spaces for volatile accesses too, which that pass does
/// not touch: the access stays the same, only the pointer says more.
struct InferAllAddressSpacesPass : RequiredPass<InferAllAddressSpacesPass> {
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
};

/// One spelling of each operation: no frem, powi, ldexp, lrint, minimumnum,
/// scmp, no unsigned sums with a carry, no NVVM arithmetic that rounds to
/// nearest.
struct CanonicalizeIntrinsicsPass : RequiredPass<CanonicalizeIntrinsicsPass> {
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
};

/// Approximate f32 functions, named by an afn flag or by an llvm.nvvm
/// intrinsic, in terms of those that the machine has.
struct LowerApproximateMathPass : RequiredPass<LowerApproximateMathPass> {
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
};

/// Drops what says something and does nothing: debug records, assumptions,
/// lifetimes, scopes of noalias, marks of early returns and of assembly.
struct DropMarkersPass : RequiredPass<DropMarkersPass> {
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
};

/// For architectures before sm_70 (by target-cpu), whose PTX has no other:
/// every atomic is relaxed, between fences where it was ordered.
struct RelaxAtomicsPass : RequiredPass<RelaxAtomicsPass> {
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
};

/// Where lanes that part both come to a barrier before they meet, the kernel is
/// structured, so that they meet in front of it.
struct MeetAtBarriersPass : RequiredPass<MeetAtBarriersPass> {
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
};

/// Where y + C, of a multiple y, has become x | C, which needs no y, it is a
/// sum of y again if y is computed anyway: accesses at y then have one address.
struct RestoreOffsetsPass : RequiredPass<RestoreOffsetsPass> {
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
};

/// The constants of an index into shared memory stand apart from what else it
/// is, also where the sum might wrap.
struct SplitSharedOffsetsPass : RequiredPass<SplitSharedOffsetsPass> {
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
};

/// -a * b goes into the next sum, difference or product with a constant as
/// a * b, as nvcc has it: exact, and another -a * b may be the same product.
struct SinkNegationsPass : RequiredPass<SinkNegationsPass> {
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
};

/// No vote, match or reduction names members that differ between the lanes that
/// execute it together. With `keep-blocks` no block is added: reductions take a
/// stretch of instructions instead of a loop.
class SplitMemberMasksPass : public ConfiguredPass<SplitMemberMasksPass> {
public:
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
  std::vector<PassOption> options() { return {{"keep-blocks", &KeepBlocks}}; }

private:
  bool KeepBlocks = false;
};

/// memcpy, memmove and memset become loads and stores, in a loop if many.
struct ExpandMemoryIntrinsicsPass : RequiredPass<ExpandMemoryIntrinsicsPass> {
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
};

/// fmuladd and contractable pairs become llvm.fma, those that Clang's back end
/// fuses, that of nvcc, or ptxas; drops "contract".
class ContractMultiplyAddPass : public ConfiguredPass<ContractMultiplyAddPass> {
public:
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
  std::vector<PassOption> options() {
    return {{"as-nvcc", &AsNVCC}, {"as-ptxas", &AsPtxas}};
  }

private:
  bool AsNVCC = false, AsPtxas = false;
};

/// Constant expressions among the operands become instructions.
struct ExpandConstantExpressionsPass
    : RequiredPass<ExpandConstantExpressionsPass> {
  PreservedAnalyses run(llvm::Function &F, FunctionAnalysisManager &);
};

} // namespace heddle

#endif // HEDDLE_LIB_PASSES_PASSES_H
