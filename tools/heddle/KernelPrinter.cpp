//===- KernelPrinter.cpp - One kernel as text and as JSON -----------------===//

#include "KernelPrinter.h"

#include <fmt/format.h>

using namespace llvm;

namespace heddle::tool {

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
    Out += fmt::format("{}{} {}", Separator, nameOfClass(Class).str(), Count);
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

} // namespace heddle::tool
