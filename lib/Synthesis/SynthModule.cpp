//===- SynthModule.cpp - A kernel's behaviour between its forms -----------===//

#include "heddle/Synthesis/SynthModule.h"

#include "heddle/Dialect/Synth/SynthPasses.h"
#include "heddle/Synthesis/BehaviorConversion.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/SourceMgr.h"

#include <mutex>

namespace heddle {

struct SynthModule::State {
  mlir::MLIRContext Context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> Module;
  synth::KernelOp Kernel;

  State() { Context.loadDialect<synth::SynthDialect>(); }
};

SynthModule::SynthModule(std::unique_ptr<State> S) : S(std::move(S)) {}
SynthModule::SynthModule(SynthModule &&) = default;
SynthModule::~SynthModule() = default;

llvm::Expected<SynthModule>
SynthModule::fromBehavior(const behavior::Profile &P) {
  auto S = std::make_unique<State>();
  auto Module = synth::importBehavior(P, "clone", S->Context);
  if (!Module)
    return Module.takeError();
  S->Module = std::move(*Module);
  S->Kernel = *S->Module->getOps<synth::KernelOp>().begin();
  return SynthModule(std::move(S));
}

bool SynthModule::isSynth(llvm::StringRef Text) {
  llvm::SmallVector<llvm::StringRef> Lines;
  Text.split(Lines, '\n');
  return llvm::any_of(Lines, [](llvm::StringRef Line) {
    Line = Line.ltrim();
    return Line.starts_with("synth.kernel") ||
           Line.starts_with("\"synth.kernel\"");
  });
}

/// Errors of \p Context as they would be printed, without colours.
static mlir::OwningOpRef<mlir::ModuleOp>
parseText(std::unique_ptr<llvm::MemoryBuffer> Text, mlir::MLIRContext &Context,
          std::string &Messages) {
  llvm::raw_string_ostream Stream(Messages);
  llvm::SourceMgr Sources;
  Sources.AddNewSourceBuffer(std::move(Text), llvm::SMLoc());
  mlir::SourceMgrDiagnosticHandler Handler(Sources, &Context, Stream);
  return mlir::parseSourceFile<mlir::ModuleOp>(Sources, &Context);
}

llvm::Expected<SynthModule>
SynthModule::parse(std::unique_ptr<llvm::MemoryBuffer> Text,
                   llvm::StringRef Kernel) {
  const std::string Path = Text->getBufferIdentifier().str();
  auto S = std::make_unique<State>();
  std::string Messages;
  S->Module = parseText(std::move(Text), S->Context, Messages);
  if (!S->Module)
    return llvm::createStringError(llvm::StringRef(Messages).rtrim());
  for (auto K : S->Module->getOps<synth::KernelOp>()) {
    if (!Kernel.empty() && K.getSymName() != Kernel)
      continue;
    if (S->Kernel)
      return llvm::createStringError(
          Path + ": several kernels; choose one with --kernel NAME");
    S->Kernel = K;
  }
  if (!S->Kernel)
    return llvm::createStringError(
        Path + (Kernel.empty() ? ": no synth.kernel"
                               : ": no synth.kernel called '" + Kernel + "'"));
  S->Kernel.setSymName("clone"); // whatever it was called
  return SynthModule(std::move(S));
}

llvm::Error SynthModule::run(llvm::StringRef Passes) {
  static std::once_flag Registered;
  std::call_once(Registered, [] { synth::registerSynthPasses(); });
  std::string Messages;
  mlir::ScopedDiagnosticHandler Handler(&S->Context, [&](mlir::Diagnostic &D) {
    if (D.getSeverity() == mlir::DiagnosticSeverity::Error && Messages.empty())
      Messages = D.str();
    return mlir::success();
  });
  llvm::raw_string_ostream Stream(Messages);
  mlir::PassManager PM(&S->Context, synth::KernelOp::getOperationName());
  if (mlir::failed(mlir::parsePassPipeline(Passes, PM, Stream)) ||
      mlir::failed(PM.run(S->Kernel)))
    return llvm::createStringError(Messages);
  return llvm::Error::success();
}

std::string SynthModule::text() const {
  std::string Text;
  llvm::raw_string_ostream Stream(Text);
  S->Kernel->print(Stream);
  Stream << "\n";
  return Text;
}

llvm::Expected<behavior::Profile> SynthModule::behavior() const {
  return synth::exportBehavior(S->Kernel);
}

synthesis::Reduction SynthModule::reduction() const {
  return synth::exportReduction(S->Kernel);
}

} // namespace heddle
