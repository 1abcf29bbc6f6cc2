//===- BufferInit.cpp - First contents of buffers -------------------------===//

#include "launch/BufferInit.h"

#include "base/Fail.h"
#include "launch/ScalarTypes.h"
#include "launch/SharedContents.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

namespace heddle::launch {

/// Bytes between two calls of a FillCallback.
static constexpr uint64_t FillStep = uint64_t(4) << 20;

static Result<void> told(const FillCallback &OnFill, uint64_t Bytes) {
  if (OnFill && !OnFill(Bytes))
    return fail("interrupted");
  return {};
}

static Result<void> readFile(const std::string &Path, std::span<uint8_t> Memory,
                             const FillCallback &OnFill) {
  std::unique_ptr<FILE, int (*)(FILE *)> File(std::fopen(Path.c_str(), "rb"),
                                              std::fclose);
  if (!File)
    return fail("cannot read '{}': {}", Path, std::strerror(errno));
  size_t Got = 0, Read = 1;
  while (Read && Got < Memory.size()) {
    Read = std::fread(Memory.data() + Got, 1,
                      std::min<uint64_t>(Memory.size() - Got, FillStep),
                      File.get());
    Got += Read;
    if (Result<void> Ok = told(OnFill, Read); !Ok)
      return Ok;
  }
  if (std::ferror(File.get()))
    return fail("cannot read '{}': {}", Path, std::strerror(errno));
  if (Got != Memory.size())
    return fail("'{}' has {} bytes, but the buffer needs {}", Path, Got,
                Memory.size());
  if (std::fgetc(File.get()) != EOF)
    return fail("'{}' is longer than the {} bytes of the buffer", Path,
                Memory.size());
  return {};
}

/// Copies what cannot be shared.
static void takeBytes(std::span<const uint8_t> Bytes,
                      std::span<uint8_t> Memory) {
  const std::span<uint8_t> Shared = shareContents(Bytes, Memory);
  const size_t Begin =
                   Shared.empty() ? 0 : size_t(Shared.data() - Memory.data()),
               End = Begin + Shared.size();
  std::ranges::copy(Bytes.first(Begin), Memory.begin());
  std::ranges::copy(Bytes.subspan(End), Memory.begin() + End);
}

uint64_t filledBytes(const BufferArg &Buffer) {
  return std::holds_alternative<InitZero>(Buffer.Init) ||
                 std::holds_alternative<InitNone>(Buffer.Init) ||
                 Buffer.Reference
             ? 0
             : Buffer.Count * sizeOf(Buffer.Type);
}

Result<void> initialise(const BufferArg &Buffer, std::span<uint8_t> Memory,
                        const FillCallback &OnFill) {
  size_t Size = sizeOf(Buffer.Type);
  Result<void> Filled;
  auto Fill = [&](auto Next) {
    const uint64_t Step = FillStep / Size;
    for (uint64_t I = 0; I < Buffer.Count && Filled;) {
      const uint64_t Begin = I;
      for (uint64_t End = std::min(Buffer.Count, I + Step); I < End; ++I)
        Next(I, Memory.data() + I * Size);
      Filled = told(OnFill, (I - Begin) * Size);
    }
  };
  if (const auto *File = std::get_if<InitFile>(&Buffer.Init))
    return readFile(File->Path, Memory, OnFill);
  if (const auto *Given = std::get_if<InitMemory>(&Buffer.Init)) {
    if (Given->Bytes.size() != Memory.size())
      return fail("{} bytes were given for a buffer of {}", Given->Bytes.size(),
                  Memory.size());
    takeBytes(Given->Bytes, Memory);
  }
  if (const auto *Value = std::get_if<InitValue>(&Buffer.Init)) {
    Fill([&](uint64_t, uint8_t *To) {
      if (isFloat(Buffer.Type))
        storeFloat(Buffer.Type, Value->Value, To);
      else
        storeInteger(Buffer.Type, Value->Integer, To);
    });
  } else if (const auto *Uniform = std::get_if<InitUniform>(&Buffer.Init)) {
    uint32_t State = uint32_t(Uniform->Seed);
    Fill([&](uint64_t, uint8_t *To) {
      State = State * 1664525u + 1013904223u;
      storeFloat(Buffer.Type,
                 Uniform->Low + (Uniform->High - Uniform->Low) *
                                    double(State >> 8) / 16777216.0,
                 To);
    });
  } else if (std::holds_alternative<InitIota>(Buffer.Init)) {
    Fill([&](uint64_t I, uint8_t *To) {
      storeInteger(Buffer.Type, int64_t(I), To);
    });
  }
  return Filled;
}

} // namespace heddle::launch
