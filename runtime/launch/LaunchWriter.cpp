//===- LaunchWriter.cpp - A launch as a file ------------------------------===//

#include "launch/LaunchWriter.h"

#include "base/Fail.h"
#include "launch/ScalarTypes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle::launch {

/// In the shortest form that reads back the same.
static std::string number(double Value) {
  std::string Text = fmt::format("{}", Value);
  // YAML's names for what is no finite number.
  if (Text == "inf" || Text == "-inf")
    Text.insert(Text.size() - 3, ".");
  return Text == "nan" || Text == "-nan" ? ".nan" : Text;
}

static std::string integer(ScalarType Type, int64_t Value) {
  return Type == ScalarType::U64 ? std::to_string(uint64_t(Value))
                                 : std::to_string(Value);
}

static std::string quoted(const std::string &Text) {
  std::string Out = "'";
  for (char C : Text)
    Out += C == '\'' ? "''" : std::string(1, C);
  return Out + "'";
}

static std::string initText(const BufferArg &B) {
  if (std::holds_alternative<InitNone>(B.Init))
    return "";
  if (std::holds_alternative<InitZero>(B.Init))
    return ", init: zero";
  if (std::holds_alternative<InitIota>(B.Init))
    return ", init: iota";
  if (const auto *V = std::get_if<InitValue>(&B.Init))
    return fmt::format(", init: {{value: {}}}",
                       isFloat(B.Type) ? number(V->Value)
                                       : integer(B.Type, V->Integer));
  if (const auto *U = std::get_if<InitUniform>(&B.Init))
    return fmt::format(", init: {{uniform: [{}, {}], seed: {}}}",
                       number(U->Low), number(U->High), U->Seed);
  return fmt::format(", init: {{file: {}}}",
                     quoted(std::get<InitFile>(B.Init).Path));
}

static Result<std::string> bufferText(const BufferArg &B) {
  if (B.Reference)
    return fail("buffer '{}' belongs to an earlier argument or launch", B.Name);
  if (std::holds_alternative<InitMemory>(B.Init))
    return fail(
        "what buffer '{}' holds is in memory; write it to a file and name that",
        B.Name);
  return fmt::format("buffer: {{{}type: {}, count: {}{}}}",
                     B.Name.empty() ? "" : "name: " + quoted(B.Name) + ", ",
                     nameOf(B.Type), B.Count, initText(B));
}

/// As bytes and, where it points to buffers, as a struct of bytes and buffers,
/// which lie where they did because 8 divides the pointers' offsets.
static Result<std::string> bytesText(const BytesArg &A) {
  auto Part = [&](uint64_t From, uint64_t To) {
    return fmt::format("bytes: [{}]", fmt::join(A.Bytes.begin() + From,
                                                A.Bytes.begin() + To, ", "));
  };
  if (A.Pointers.empty())
    return Part(0, A.Bytes.size());
  std::string Text;
  uint64_t At = 0;
  for (const BytesArg::Pointer &P : A.Pointers) {
    Text += Text.empty() ? "" : ", ";
    if (At < P.Offset)
      Text += "{" + Part(At, P.Offset) + "}, ";
    auto Buffer = bufferText(P.Buffer);
    if (!Buffer)
      return Buffer;
    Text += "{" + *Buffer + "}";
    At = P.Offset + 8;
  }
  if (At < A.Bytes.size())
    Text += ", {" + Part(At, A.Bytes.size()) + "}";
  return "struct: [" + Text + "]";
}

static Result<std::string> argumentText(const Argument &A) {
  if (const auto *B = std::get_if<BufferArg>(&A.Value))
    return bufferText(*B);
  if (const auto *S = std::get_if<ScalarArg>(&A.Value)) {
    return fmt::format("{}: {}", nameOf(S->Type),
                       isFloat(S->Type) ? number(S->Float)
                                        : integer(S->Type, S->Integer));
  }
  if (const auto *L = std::get_if<LocalArg>(&A.Value))
    return fmt::format("local: {}", L->SizeBytes);
  if (const auto *B = std::get_if<BytesArg>(&A.Value))
    return bytesText(*B);
  return fail("images and samplers are not written to launch files");
}

std::vector<std::string> argumentTexts(const Launch &L) {
  std::vector<std::string> Texts;
  for (const Argument &A : L.Args) {
    Result<std::string> Text = argumentText(A);
    Texts.push_back(Text ? *Text
                         : "not in a launch file: " + Text.error().Message);
  }
  if (L.RawParams)
    Texts.push_back(
        fmt::format("{} bytes of parameters as the program gave them",
                    L.RawParams->size()));
  return Texts;
}

Result<std::string> launchText(const Launch &L) {
  if (!L.Textures.empty())
    return fail("textures are not written to launch files");
  std::string Text;
  if (!L.Kernel.empty())
    Text += "kernel: " + quoted(L.Kernel) + "\n";
  if (L.LeastArch)
    Text += fmt::format("arch: sm_{}\n", L.LeastArch);
  auto Triple = [](const Dim3 &D) {
    return fmt::format("[{}, {}, {}]", D.X, D.Y, D.Z);
  };
  Text += fmt::format("grid: {}\nblock: {}\n", Triple(L.Grid), Triple(L.Block));
  if (L.Cluster)
    Text += fmt::format("cluster: {}\n", Triple(*L.Cluster));
  if (L.DynamicSharedBytes)
    Text += fmt::format("dynamic_shared: {}\n", L.DynamicSharedBytes);
  if (L.GlobalOffset.X || L.GlobalOffset.Y || L.GlobalOffset.Z)
    Text += fmt::format("global_offset: {}\n", Triple(L.GlobalOffset));
  for (const BufferArg &V : L.Variables) {
    auto Line = bufferText(V);
    if (!Line)
      return std::unexpected(Line.error());
    Text += fmt::format(
        "{}  - {}\n", &V == L.Variables.data() ? "variables:\n" : "",
        std::string_view(*Line).substr(std::string_view("buffer: ").size()));
  }
  if (!L.Args.empty())
    Text += "args:\n";
  for (const Argument &A : L.Args) {
    auto Line = argumentText(A);
    if (!Line)
      return std::unexpected(Line.error());
    Text += "  - " + *Line + "\n";
  }
  return Text;
}

} // namespace heddle::launch
