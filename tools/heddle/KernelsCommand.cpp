//===- KernelsCommand.cpp - heddle kernels --------------------------------===//

#include "CodeTablePrinter.h"
#include "Commands.h"

#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Frontend/Compiler.h"

#include "llvm/Support/raw_ostream.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace llvm;

namespace heddle::tool {

namespace {
struct KernelsOptions {
  CompileOptions Compile;
  std::string Kernel;
  std::string Output = "-";
  std::string JSON;
  bool EmitLLVM = false;
  bool EmitPTX = false;
  bool CodeTable = false;
  bool UsePtxas = true;
  ISA Level = ISA::PTX;
  bool Quiet = false;
};
} // namespace

static const char *kindName(ArgumentKind Kind) {
  switch (Kind) {
  case ArgumentKind::Scalar:
    return "scalar";
  case ArgumentKind::GlobalPointer:
    return "global";
  case ArgumentKind::LocalPointer:
    return "local";
  case ArgumentKind::ConstantPointer:
    return "constant";
  case ArgumentKind::Struct:
    return "struct";
  }
  return "";
}

static std::string accessName(const KernelArgument &A) {
  std::string Text;
  if (A.IsReadOnly && A.IsWriteOnly)
    Text = "unused";
  else if (A.IsReadOnly)
    Text = "read";
  else if (A.IsWriteOnly)
    Text = "written";
  if (A.IsRestrict)
    Text += Text.empty() ? "restrict" : ", restrict";
  return Text;
}

/// Classes and counts, the most frequent first.
static std::vector<std::pair<HeddleOpClass, unsigned>>
sortedMix(const KernelInfo &Info) {
  std::vector<std::pair<HeddleOpClass, unsigned>> Mix;
  for (unsigned Class = 0; Class < HEDDLE_NUM_OP_CLASSES; ++Class)
    if (Info.Mix[Class])
      Mix.push_back({HeddleOpClass(Class), Info.Mix[Class]});
  llvm::sort(Mix, [](auto &A, auto &B) {
    return std::pair(B.second, A.first) < std::pair(A.second, B.first);
  });
  return Mix;
}

static std::string boundsText(const LaunchBounds &Bounds) {
  std::string Text;
  if (Bounds.RequiredBlock[0])
    Text = fmt::format("block of {} x {} x {}", Bounds.RequiredBlock[0],
                       Bounds.RequiredBlock[1], Bounds.RequiredBlock[2]);
  if (Bounds.MaxThreads)
    Text += fmt::format("{}at most {} threads per block",
                        Text.empty() ? "" : ", ", Bounds.MaxThreads);
  if (Bounds.MinBlocks)
    Text += fmt::format("{}at least {} blocks per SM", Text.empty() ? "" : ", ",
                        Bounds.MinBlocks);
  return Text;
}

static std::string text(const KernelInfo &Info, const KernelCode &Code) {
  std::string Out = Info.Demangled;
  if (Info.Line)
    Out += fmt::format("  {}:{}", Info.File, Info.Line);
  Out += "\n";
  if (Info.Demangled != Info.Name)
    Out += fmt::format("  symbol        {}\n", Info.Name);
  size_t NameWidth = 4, TypeWidth = 4;
  for (const KernelArgument &A : Info.Arguments) {
    NameWidth = std::max(NameWidth, A.Name.size());
    TypeWidth = std::max(TypeWidth, A.TypeText.size());
  }
  for (const KernelArgument &A : Info.Arguments) {
    std::string Access = accessName(A);
    Out += fmt::format("  argument      {:<{}}  {:<{}}  {:<8}  {} B at {}{}\n",
                       A.Name, NameWidth, A.TypeText, TypeWidth,
                       kindName(A.Kind), A.SizeBytes, A.OffsetBytes,
                       Access.empty() ? "" : "  " + Access);
  }
  Out += fmt::format("  parameters    {} B\n", Info.ParameterBytes);
  Out += fmt::format("  registers     {} per thread ({})\n",
                     Code.RegistersPerThread, Code.RegisterSource);
  Out += fmt::format("  shared        {} B{}\n", Info.StaticSharedBytes,
                     Info.UsesDynamicShared ? " and what the launch asks for"
                                            : "");
  if (Info.ConstantBytes)
    Out += fmt::format("  constant      {} B\n", Info.ConstantBytes);
  if (Info.GlobalBytes)
    Out += fmt::format("  global        {} B of device variables\n",
                       Info.GlobalBytes);
  if (Info.LocalBytes)
    Out += fmt::format("  local         {} B per thread\n", Info.LocalBytes);
  if (std::string Bounds = boundsText(Info.Bounds); !Bounds.empty())
    Out += fmt::format("  launch bounds {}\n", Bounds);
  Out += fmt::format("  barriers      {}\n", Info.NumBarriers);
  Out += fmt::format("  instructions  {} in {} blocks of IR:", //
                     Info.NumInstructions, Info.NumBlocks);
  const char *Separator = " ";
  for (auto [Class, Count] : sortedMix(Info)) {
    Out += fmt::format("{}{} {}", Separator, nameOfClass(Class).str(), Count);
    Separator = ", ";
  }
  return Out + "\n";
}

static nlohmann::ordered_json json(const KernelInfo &Info,
                                   const KernelCode &Code) {
  nlohmann::ordered_json Arguments = nlohmann::ordered_json::array();
  for (const KernelArgument &A : Info.Arguments) {
    nlohmann::ordered_json Argument = {{"name", A.Name},
                                       {"type", A.TypeText},
                                       {"kind", kindName(A.Kind)},
                                       {"size_bytes", A.SizeBytes},
                                       {"align_bytes", A.AlignBytes},
                                       {"offset_bytes", A.OffsetBytes}};
    if (!A.ElementText.empty())
      Argument["element"] = A.ElementText;
    if (A.Kind != ArgumentKind::Scalar && A.Kind != ArgumentKind::Struct) {
      Argument["read_only"] = A.IsReadOnly;
      Argument["write_only"] = A.IsWriteOnly;
      Argument["restrict"] = A.IsRestrict;
    }
    Arguments.push_back(std::move(Argument));
  }
  nlohmann::ordered_json Mix = nlohmann::ordered_json::object();
  for (auto [Class, Count] : sortedMix(Info))
    Mix[nameOfClass(Class).str()] = Count;
  nlohmann::ordered_json Bounds = nlohmann::ordered_json::object();
  if (Info.Bounds.RequiredBlock[0])
    Bounds["block"] = Info.Bounds.RequiredBlock;
  if (Info.Bounds.MaxThreads)
    Bounds["max_threads"] = Info.Bounds.MaxThreads;
  if (Info.Bounds.MinBlocks)
    Bounds["min_blocks"] = Info.Bounds.MinBlocks;
  return {{"kernel", Info.Demangled},
          {"symbol", Info.Name},
          {"file", Info.File},
          {"line", Info.Line},
          {"arguments", std::move(Arguments)},
          {"parameter_bytes", Info.ParameterBytes},
          {"registers_per_thread", Code.RegistersPerThread},
          {"register_source", Code.RegisterSource},
          {"static_shared_bytes", Info.StaticSharedBytes},
          {"dynamic_shared", Info.UsesDynamicShared},
          {"constant_bytes", Info.ConstantBytes},
          {"global_bytes", Info.GlobalBytes},
          {"local_bytes", Info.LocalBytes},
          {"launch_bounds", std::move(Bounds)},
          {"barriers", Info.NumBarriers},
          {"blocks", Info.NumBlocks},
          {"instructions", Info.NumInstructions},
          {"mix", std::move(Mix)}};
}

/// Writes all or nothing; "-" is standard output.
static void write(const std::string &Path, StringRef Content) {
  llvm::Error E = writeToOutput(Path, [&](raw_ostream &Stream) {
    Stream << Content;
    return llvm::Error::success();
  });
  if (E)
    throw CommandError{"cannot write '" + Path +
                       "': " + llvm::toString(std::move(E))};
}

static void runKernels(const KernelsOptions &Options) {
  CompiledModule Module = take(compile(Options.Compile));
  if (!Options.Quiet)
    errs() << Module.Warnings;
  if (Options.EmitLLVM) {
    std::string IR;
    raw_string_ostream(IR) << *Module.Module;
    write(Options.Output, IR);
    return;
  }
  std::vector<Function *> Kernels = Module.kernels();
  if (!Options.Kernel.empty())
    Kernels = {take(Module.kernel(Options.Kernel))};
  std::string Text;
  nlohmann::ordered_json List = nlohmann::ordered_json::array();
  for (const Function *F : Kernels) {
    KernelInfo Info = analyzeKernel(*F);
    KernelCode Code = take(buildCodeTable(*F, Options.Compile.Arch,
                                          Options.Level, Options.UsePtxas));
    Text += Text.empty() ? "" : "\n";
    if (Options.EmitPTX)
      Text += Code.PTX;
    else if (Options.CodeTable)
      Text += printCodeTable(Code, *F);
    else
      Text += text(Info, Code);
    List.push_back(json(Info, Code));
  }
  nlohmann::ordered_json Document = {{"tool", "heddle kernels"},
                                     {"version", HEDDLE_VERSION},
                                     {"input", Options.Compile.Path},
                                     {"arch", Options.Compile.Arch},
                                     {"kernels", std::move(List)}};
  if (Options.JSON != "-" && !Options.Quiet)
    write(Options.Output, Text);
  if (!Options.JSON.empty())
    write(Options.JSON, Document.dump(2) + "\n");
}

void addKernelsCommand(CLI::App &App) {
  auto Options = std::make_shared<KernelsOptions>();
  CLI::App *Command = App.add_subcommand(
      "kernels", "List the kernels of a file: arguments, memory, instructions");
  Command
      ->add_option("input", Options->Compile.Path,
                   "OpenCL (.cl), CUDA (.cu) or LLVM IR (.ll, .bc)")
      ->required();
  Command->add_option("--kernel", Options->Kernel, "Show this kernel only");
  Command->add_option("--arch", Options->Compile.Arch, "Target architecture")
      ->capture_default_str();
  Command
      ->add_option("--opt-level", Options->Compile.OptLevel,
                   "Optimisation level")
      ->check(CLI::Range(0, 3))
      ->capture_default_str();
  Command->add_flag("--emit-llvm", Options->EmitLLVM,
                    "Write the prepared module instead of the list");
  Command->add_flag("--ptx", Options->EmitPTX,
                    "Write the PTX instead of the list");
  Command->add_flag("--code-table", Options->CodeTable,
                    "Write the code table (docs/CodeTable.md) instead");
  Command
      ->add_option("--isa", Options->Level,
                   "Level of the code table: ptx (default) or ir")
      ->transform(CLI::CheckedTransformer(
          std::map<std::string, ISA>{{"ptx", ISA::PTX}, {"ir", ISA::IR}}));
  Command->add_flag("!--no-ptxas", Options->UsePtxas,
                    "Estimate registers even where ptxas is found");
  Command->add_option("--json", Options->JSON,
                      "Write JSON to a file, or to standard output (-)");
  Command
      ->add_option("-o", Options->Output, "Output file, - is standard output")
      ->capture_default_str();
  Command->add_flag("-q", Options->Quiet, "No text and no warnings");
  Command->add_option("clang-args", Options->Compile.ClangArgs,
                      "After --: flags for Clang, e.g. -DN=4 -I include");
  Command->callback([Options] { runKernels(*Options); });
}

} // namespace heddle::tool
