//===- AnalyzeKernels.cpp - Remarks on kernels as they are compiled -------===//

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Analysis/KernelReport.h"
#include "heddle/PTX/CodeTable.h"
#include "heddle/Passes/Pipelines.h"
#include "heddle/Passes/RegisterPasses.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace heddle {

static constexpr char PassName[] = "heddle";

namespace {

/// What the code that runs says of a kernel.
struct PreparedFacts {
  unsigned Registers = 0; ///< per thread, 0: unknown
  std::vector<KernelRemark> Remarks;
};

class RemarkWriter {
public:
  RemarkWriter(AnalyzedKernel &K, const PreparedFacts &Facts)
      : K(K), X(K.expressions()), Emitter(&K.kernel()), Facts(Facts) {}

  void write();

private:
  using Remark = OptimizationRemarkAnalysis;
  /// Where there is no line, the function is named instead.
  Remark at(StringRef Name, DebugLoc Loc, const BasicBlock &B) {
    Remark R(PassName, Name, DiagnosticLocation(Loc), &B);
    if (!Loc)
      R << "in " << ore::NV("Function", kernelName(K.kernel())) << ": ";
    return R;
  }
  void loops();
  void branches();
  void accesses();
  void resources();

  AnalyzedKernel &K;
  KernelExpressions &X;
  OptimizationRemarkEmitter Emitter;
  const PreparedFacts &Facts;
};

} // namespace

static std::string listOf(ArrayRef<const Instruction *> Loads,
                          KernelExpressions &X) {
  std::string Text;
  for (const Instruction *I : Loads)
    Text += (Text.empty() ? "" : ", ") + describeLoad(*I, X);
  return Text;
}

void RemarkWriter::loops() {
  for (const LoopBound &B : K.loops().loops()) {
    const Loop *L = X.loop(B.Loop);
    Remark R = at("LoopBound", L->getStartLoc(), *L->getHeader());
    if (B.Iterations)
      R << "loop iterates " << (B.IsUpperBound ? "at most " : "")
        << ore::NV("Iterations", X.text(B.Iterations)) << " times, known by "
        << ore::NV("Source", nameOf(B.Source));
    else if (!B.Deciders.empty())
      R << "loop's iterations are decided by data: "
        << ore::NV("Loads", listOf(B.Deciders, X));
    else
      R << "loop's iterations are " << ore::NV("Source", nameOf(B.Source))
        << ": " << ore::NV("Reason", B.Reason);
    Emitter.emit(R);
  }
}

void RemarkWriter::branches() {
  for (const BranchCondition &C : K.branches().branches()) {
    if (!C.MayDiverge)
      continue;
    Remark R = at("DivergentBranch", C.Terminator->getDebugLoc(),
                  *C.Terminator->getParent());
    R << "branch may diverge, " << ore::NV("Class", nameOf(C.Class)) << ": "
      << ore::NV("Condition", X.text(C.Condition));
    if (C.FirstWarpLanes)
      R << " (lanes of warp 0: "
        << ore::NV("Lanes", laneText(*C.FirstWarpLanes)) << ")";
    Emitter.emit(R);
  }
}

void RemarkWriter::accesses() {
  for (const Access &A : K.accesses().accesses()) {
    const BasicBlock &B = *A.Inst->getParent();
    if (A.Cost && A.Space == HEDDLE_SPACE_SHARED && A.Cost->Conflicts > 1) {
      Remark R = at("BankConflict", A.Inst->getDebugLoc(), B);
      R << "shared memory access to " << ore::NV("Object", A.Object) << " has "
        << ore::NV("Replays", formatv("{0:f1}", A.Cost->Conflicts - 1).str())
        << " bank-conflict replays per request";
      Emitter.emit(R);
    } else if (A.Cost && A.Space != HEDDLE_SPACE_SHARED &&
               A.Cost->Sectors > A.Cost->IdealSectors) {
      Remark R = at("Uncoalesced", A.Inst->getDebugLoc(), B);
      R << "access to " << ore::NV("Object", A.Object) << " is not coalesced: "
        << ore::NV("Sectors", unsigned(A.Cost->Sectors))
        << " sectors per request, "
        << ore::NV("Ideal", unsigned(A.Cost->IdealSectors)) << " would do";
      Emitter.emit(R);
    } else if (A.Class == AccessClass::Data && !A.Loads.empty()) {
      Remark R = at("DataDependentAccess", A.Inst->getDebugLoc(), B);
      R << "address of access to " << ore::NV("Object", A.Object)
        << " depends on data: " << ore::NV("Loads", listOf(A.Loads, X));
      Emitter.emit(R);
    }
  }
}

void RemarkWriter::resources() {
  KernelInfo Info = analyzeKernel(K.kernel());
  DebugLoc Loc;
  if (DISubprogram *Program = K.kernel().getSubprogram())
    Loc = DILocation::get(K.kernel().getContext(), Program->getLine(), 0,
                          Program);
  Remark R = at("Kernel", Loc, K.kernel().getEntryBlock());
  R << "kernel " << ore::NV("Kernel", kernelName(K.kernel())) << ": ";
  if (Facts.Registers)
    R << ore::NV("Registers", Facts.Registers)
      << " registers per thread (estimate), ";
  R << ore::NV("Shared", Info.StaticSharedBytes) << " bytes of shared memory, "
    << ore::NV("Local", Info.LocalBytes) << " bytes of local memory, "
    << ore::NV("Loops", K.loops().loops().size()) << " loops, "
    << ore::NV("Barriers", Info.NumBarriers) << " barriers";
  Emitter.emit(R);
  for (const KernelRemark &More : Facts.Remarks) {
    Remark Said = at(More.Name, Loc, K.kernel().getEntryBlock());
    for (const auto &[Key, Text] : More.Pieces) {
      if (Key.empty())
        Said << Text;
      else
        Said << ore::NV(Key, Text);
    }
    Emitter.emit(Said);
  }
}

void RemarkWriter::write() {
  resources();
  loops();
  branches();
  accesses();
}

/// Leaves the kernels as they came, and what was found, where heddle finds
/// them.
static void save(const Module &M, json::Array Reports, StringRef Folder) {
  SmallString<256> Base(Folder);
  if (sys::fs::create_directories(Base)) {
    errs() << "warning: heddle: cannot make folder '" << Folder << "'\n";
    return;
  }
  sys::path::append(Base, sys::path::filename(M.getSourceFileName()));
  auto Write = [&](StringRef Extension, auto Fill) {
    std::string Path = (Base + Extension).str();
    std::error_code Failed;
    raw_fd_ostream Stream(Path, Failed);
    if (!Failed)
      Fill(Stream);
    if (Failed || Stream.has_error()) {
      errs() << "warning: heddle: cannot write '" << Path << "'\n";
      Stream.clear_error();
    }
  };
  Write(".heddle.bc", [&](raw_ostream &S) { WriteBitcodeToFile(M, S); });
  Write(".heddle.json", [&](raw_ostream &S) {
    json::Object Document{{"tool", "heddle"},
                          {"schema", "analysis/1"},
                          {"input", M.getSourceFileName()},
                          {"kernels", std::move(Reports)}};
    S << formatv("{0:2}\n", json::Value(std::move(Document)));
  });
}

static constexpr char Annotations[] = "llvm.global.annotations";

/// What annotate("heddle.launch=...") says, by symbol.
static StringMap<std::string> launchesOf(const Module &M) {
  StringMap<std::string> Launches;
  const GlobalVariable *All = M.getNamedGlobal(Annotations);
  const auto *List = All && All->hasInitializer()
                         ? dyn_cast<ConstantArray>(All->getInitializer())
                         : nullptr;
  if (!List)
    return Launches;
  for (const Use &Entry : List->operands()) {
    const auto *Fields = dyn_cast<ConstantStruct>(Entry);
    if (!Fields || Fields->getNumOperands() < 2)
      continue;
    const auto *F =
        dyn_cast<Function>(Fields->getOperand(0)->stripPointerCasts());
    const auto *Text =
        dyn_cast<GlobalVariable>(Fields->getOperand(1)->stripPointerCasts());
    const auto *Data =
        Text && Text->hasInitializer()
            ? dyn_cast<ConstantDataSequential>(Text->getInitializer())
            : nullptr;
    if (!F || !Data || !Data->isCString())
      continue;
    StringRef Said = Data->getAsCString(), Name = F->getName();
    // Clang puts what is said of an OpenCL kernel on its body.
    Name.consume_front("__clang_ocl_kern_imp_");
    if (Said.consume_front("heddle.launch="))
      Launches[Name] = Said.str();
  }
  return Launches;
}

/// Annotations refer to functions, which the inliner could then not drop.
static void dropAnnotations(Module &M) {
  if (GlobalVariable *All = M.getNamedGlobal(Annotations))
    All->eraseFromParent();
}

static KernelRemark noEstimate(const Twine &Reason) {
  return {"NoEstimate",
          {{"", "no time estimated: "}, {"Reason", Reason.str()}}};
}

/// What keeps a prepared kernel from being executed, or "".
static std::string refusalOf(const Function &F) {
  for (const Instruction &I : instructions(F)) {
    const auto *Call = dyn_cast<CallBase>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (Callee && Callee->hasFnAttribute(RefusedReason))
      return "it " +
             Callee->getFnAttribute(RefusedReason).getValueAsString().str();
  }
  return "";
}

/// Facts by symbol, from the code that the back end makes of another copy: in
/// a context of its own, where messages of the back end's passes are dropped. A
/// kernel that cannot be prepared has none.
static StringMap<PreparedFacts> factsOf(const Module &M,
                                        const AnalyzeOptions &Options) {
  StringMap<PreparedFacts> Facts;
  // What remains to be said needs no code.
  auto sayForAll = [&](Error E) {
    const std::string Reason = toString(std::move(E));
    for (const Function &F : M)
      if (F.getCallingConv() == CallingConv::PTX_Kernel)
        Facts[F.getName()].Remarks = {noEstimate(Reason)};
    return Facts;
  };
  SmallVector<char, 0> Bitcode;
  raw_svector_ostream Stream(Bitcode);
  WriteBitcodeToFile(M, Stream);
  LLVMContext Context;
  Context.setDiagnosticHandlerCallBack([](const DiagnosticInfo *, void *) {},
                                       nullptr);
  auto Copy = parseBitcodeFile(
      MemoryBufferRef(StringRef(Bitcode.data(), Bitcode.size()), "kernels"),
      Context);
  if (!Copy)
    return sayForAll(Copy.takeError());
  const StringMap<std::string> Launches = launchesOf(**Copy);
  dropAnnotations(**Copy);
  std::string Warnings;
  if (Error E = prepareModule(**Copy, {.Arch = Options.Arch}, Warnings))
    return sayForAll(std::move(E));
  for (Function &F : **Copy) {
    if (F.isDeclaration() || F.getCallingConv() != CallingConv::PTX_Kernel)
      continue;
    auto Code = buildCodeTable(F, Options.Arch, ISA::PTX, /*UsePtxas=*/false);
    PreparedFacts &Of = Facts[F.getName()];
    if (!Code) {
      Of.Remarks = {noEstimate(toString(Code.takeError()))};
      continue;
    }
    Of.Registers = Code->RegistersPerThread;
    if (std::string Reason = refusalOf(F); !Reason.empty())
      Of.Remarks = {noEstimate(Reason)};
    else if (Options.Advisor)
      Of.Remarks = Options.Advisor(F, *Code, Launches.lookup(F.getName()));
  }
  return Facts;
}

PreservedAnalyses AnalyzeKernelsPass::run(Module &M, ModuleAnalysisManager &) {
  auto IsKernel = [](const Function &F) {
    return !F.isDeclaration() && F.getCallingConv() == CallingConv::PTX_Kernel;
  };
  if (M.getTargetTriple().getArch() != Triple::nvptx64 || none_of(M, IsKernel))
    return PreservedAnalyses::all();
  std::unique_ptr<Module> Copy = CloneModule(M);
  dropAnnotations(*Copy);
  std::string Warnings;
  if (Error E = prepareForAnalysis(*Copy, Options.Arch, Warnings)) {
    errs() << "warning: heddle: " << toString(std::move(E)) << "\n";
    return PreservedAnalyses::all();
  }
  const StringMap<PreparedFacts> Facts = factsOf(M, Options);
  json::Array Reports;
  for (Function &F : *Copy) {
    if (!IsKernel(F))
      continue;
    AnalyzedKernel K(F);
    RemarkWriter(K, Facts.lookup(F.getName())).write();
    if (Options.Report)
      errs() << reportText(K);
    if (!Options.SaveDir.empty())
      Reports.push_back(reportJSON(K));
  }
  if (!Options.SaveDir.empty())
    save(M, std::move(Reports), Options.SaveDir);
  return PreservedAnalyses::all();
}

} // namespace heddle
