//===- Arguments.cpp - Arguments of a launch on the CPU -------------------===//

#include "Reference.h"

#include "launch/BufferInit.h"
#include "launch/ScalarTypes.h"

#include <fmt/format.h>

#include <fstream>

namespace heddle::reference {

/// The buffer that \p Arg is or whose tensor it describes; null if none.
static const launch::BufferArg *bufferOf(const launch::Argument &Arg) {
  if (const auto *Map = std::get_if<launch::TensorMapArg>(&Arg.Value))
    return &Map->Buffer;
  return std::get_if<launch::BufferArg>(&Arg.Value);
}

Result<Arguments> Arguments::create(launch::Launch Launch) {
  Arguments A;
  A.Launch = std::move(Launch);
  for (const launch::Argument &Arg : A.Launch.Args) {
    A.Buffers.emplace_back();
    const auto *Buffer = bufferOf(Arg);
    if (!Buffer)
      continue;
    A.Buffers.back().resize(Buffer->Count * launch::sizeOf(Buffer->Type));
    if (auto Done = launch::initialise(*Buffer, A.Buffers.back()); !Done)
      return std::unexpected(Done.error());
  }
  return A;
}

std::vector<uint8_t> &Arguments::bytes(size_t Index, size_t ElementSize) {
  const auto *Buffer =
      Index < Launch.Args.size() ? bufferOf(Launch.Args[Index]) : nullptr;
  if (!Buffer || launch::sizeOf(Buffer->Type) != ElementSize)
    throw Error{
        fmt::format("{}: argument {} must be a buffer of {}-byte elements",
                    Launch.File, Index, ElementSize)};
  return Buffers[Index];
}

const launch::ScalarArg &Arguments::scalarAt(size_t Index) const {
  const auto *Scalar =
      Index < Launch.Args.size()
          ? std::get_if<launch::ScalarArg>(&Launch.Args[Index].Value)
          : nullptr;
  if (!Scalar)
    throw Error{
        fmt::format("{}: argument {} must be a number", Launch.File, Index)};
  return *Scalar;
}

Result<void> Arguments::write(const std::string &Folder) const {
  for (size_t I = 0; I < Buffers.size(); ++I) {
    const auto *Buffer = bufferOf(Launch.Args[I]);
    if (!Buffer)
      continue;
    std::string Name =
        Buffer->Name.empty() ? fmt::format("arg{}", I) : Buffer->Name;
    std::string Path = fmt::format("{}/{}.bin", Folder, Name);
    std::ofstream File(Path, std::ios::binary);
    File.write(reinterpret_cast<const char *>(Buffers[I].data()),
               std::streamsize(Buffers[I].size()));
    if (!File.flush())
      return fail(fmt::format("cannot write '{}'", Path));
  }
  return {};
}

} // namespace heddle::reference
