//===- KernelsCommand.cpp - heddle kernels --------------------------------===//

#include "Commands.h"

#include "heddle/Frontend/Compiler.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>

using namespace llvm;

namespace heddle::tool {

namespace {
struct KernelsOptions {
  CompileOptions Compile;
  std::string Output = "-";
  bool EmitLLVM = false;
};
} // namespace

static void runKernels(const KernelsOptions &Options) {
  CompiledModule Module = take(compile(Options.Compile));
  errs() << Module.Warnings;
  if (Options.EmitLLVM) {
    std::error_code EC;
    ToolOutputFile File(Options.Output, EC, sys::fs::OF_Text);
    if (EC)
      throw CommandError{"cannot write '" + Options.Output +
                         "': " + EC.message()};
    Module.Module->print(File.os(), nullptr);
    File.keep();
    return;
  }
  for (Function *F : Module.kernels())
    outs() << F->getName() << "\n";
}

void addKernelsCommand(CLI::App &App) {
  auto Options = std::make_shared<KernelsOptions>();
  CLI::App *Command = App.add_subcommand(
      "kernels",
      "Lists the kernels of a file: arguments, memory, instructions");
  Command->add_option("input", Options->Compile.Path, "OpenCL, CUDA or LLVM IR")
      ->required();
  Command->add_option("--arch", Options->Compile.Arch, "Target architecture")
      ->capture_default_str();
  Command->add_option("-O", Options->Compile.OptLevel, "Optimisation level")
      ->check(CLI::Range(0, 3))
      ->capture_default_str();
  Command->add_flag("--emit-llvm", Options->EmitLLVM,
                    "Write the prepared module instead of the list");
  Command->add_option("-o", Options->Output, "Output file of --emit-llvm");
  Command->add_option("clang-args", Options->Compile.ClangArgs,
                      "After --: flags for Clang, e.g. -DN=4 -I include");
  Command->callback([Options] { runKernels(*Options); });
}

} // namespace heddle::tool
