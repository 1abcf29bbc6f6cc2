//===- KernelPrinter.cpp - One kernel as text and as JSON -----------------===//

#include "KernelPrinter.h"
#include "arch/OpTable.h"
#include "heddle/Analysis/KernelInfo.h"
#include "trace/CodeTable.h"
#include "llvm/IR/Function.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>
#include <iterator>

using namespace llvm;

namespace heddle::tool {

static const char *kindName(ArgumentKind Kind) {
  static constexpr const char *Names[] = {"scalar", "global", "local",
                                          "constant", "struct"};
  return Names[unsigned(Kind)];
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

std::string printKernel(const KernelInfo &Info, const KernelCode &Code) {
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
    Out += fmt::format("{}{} {}", Separator, arch::OpClassNames[Class], Count);
    Separator = ", ";
  }
  return Out + "\n";
}

nlohmann::ordered_json describeKernel(const KernelInfo &Info,
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
    Mix[std::string(arch::OpClassNames[Class])] = Count;
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

static std::string registersOf(const HeddleInst &I) {
  std::string Text;
  for (unsigned N = 0; N != I.NumDefs; ++N)
    Text += fmt::format("{}r{}", N ? "," : "", I.Registers[N]);
  if (I.NumUses)
    Text += Text.empty() ? "<-" : " <-";
  for (unsigned N = 0; N != I.NumUses; ++N)
    Text += fmt::format("{}r{}", N ? "," : " ", I.Registers[I.NumDefs + N]);
  return Text;
}

static std::string flagsOf(const HeddleInst &I) {
  static constexpr const char *Names[] = {"nc", "streaming", "volatile", "wide",
                                          "uniform"};
  std::string Text;
  for (unsigned Bit = 0; Bit != std::size(Names); ++Bit)
    if (I.Flags & (1u << Bit))
      Text += std::string(" ") + Names[Bit];
  return Text;
}

/// The names of the blocks of the IR that block \p B stands for.
static std::string namesOf(const KernelCode &Code, const llvm::Function &Kernel,
                           size_t B) {
  std::string Names;
  auto Add = [&](unsigned Number, const char *Mark) {
    const llvm::BasicBlock &Block = *std::next(Kernel.begin(), Number);
    if (Block.hasName())
      Names += " " + Block.getName().str() + Mark;
  };
  if (Code.Steps.empty())
    Add(B, "");
  else
    for (const HeddleStep &S : Code.Steps[B])
      Add(S.Block, S.IsOptional ? "?" : "");
  return Names;
}

std::string printCodeTable(const KernelCode &Code,
                           const llvm::Function &Kernel) {
  std::string Out;
  auto To = std::back_inserter(Out);
  fmt::format_to(To,
                 "kernel {} ({}): {} blocks, {} instructions, {} memory "
                 "records, {} registers per thread ({})\n",
                 Code.Kernel, nameOf(Code.Level).str(), Code.Blocks.size(),
                 Code.Insts.size(), Code.Memory.size(), Code.RegistersPerThread,
                 Code.RegisterSource);
  if (!Code.Fallback.empty())
    Out += Code.Fallback + "\n";
  for (size_t B = 0; B != Code.Blocks.size(); ++B) {
    const HeddleBlock &Range = Code.Blocks[B];
    fmt::format_to(To, "block {}{}\n", B, namesOf(Code, Kernel, B));
    for (unsigned N = 0; N != Range.NumInsts; ++N) {
      const HeddleInst &I = Code.Insts[Range.FirstInst + N];
      std::string Line = fmt::format(
          "  {:<26} {:<9} {:<5} x{:<3} {:<22}", Code.Opcodes[I.Opcode],
          arch::OpClassNames[I.Class],
          I.Type == HEDDLE_TYPE_NONE ? "-" : arch::DataTypeNames[I.Type],
          I.Issued, registersOf(I));
      if (I.Space != HEDDLE_SPACE_NONE) {
        Line +=
            fmt::format(" {} {} B", trace::SpaceNames[I.Space], I.AccessBytes);
        if (I.Memory != HEDDLE_NO_MEMORY)
          Line += fmt::format(" m{}+{}", I.Memory, I.ByteOffset);
      }
      Line += flagsOf(I);
      if (I.SourceLine)
        Line += fmt::format(
            " {}:{}", llvm::sys::path::filename(Code.Files[I.SourceFile]).str(),
            I.SourceLine);
      Line.erase(Line.find_last_not_of(' ') + 1);
      Out += Line + "\n";
    }
  }
  return Out;
}

} // namespace heddle::tool
