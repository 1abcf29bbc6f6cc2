//===- StructMembers.cpp - Structs given member by member -----------------===//

#include "launch/StructMembers.h"

#include "launch/ScalarTypes.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::launch {

uint8_t *StructMembers::append(uint64_t SizeBytes, uint32_t Alignment) {
  uint64_t Offset =
      (Struct.Bytes.size() + Alignment - 1) / Alignment * Alignment;
  Struct.Bytes.resize(Offset + SizeBytes);
  Struct.Alignment = std::max(Struct.Alignment, Alignment);
  return Struct.Bytes.data() + Offset;
}

static Result<void> checkSize(uint64_t SizeBytes) {
  if (SizeBytes > MaxStructBytes)
    return fail(fmt::format("a struct has more than the {} bytes that a kernel "
                            "takes",
                            MaxStructBytes));
  return {};
}

Result<void> StructMembers::add(const Argument &Member) {
  if (const auto *B = std::get_if<BufferArg>(&Member.Value)) {
    append(8, 8);
    Struct.Pointers.push_back({Struct.Bytes.size() - 8, *B});
  } else if (const auto *S = std::get_if<ScalarArg>(&Member.Value)) {
    const size_t Size = sizeOf(S->Type);
    uint8_t *To = append(Size, uint32_t(Size));
    store(*S, To);
  } else if (const auto *Inner = std::get_if<BytesArg>(&Member.Value)) {
    if (Result<void> Ok = checkSize(Inner->Bytes.size()); !Ok)
      return Ok;
    uint8_t *To = append(Inner->Bytes.size(), Inner->Alignment);
    std::copy(Inner->Bytes.begin(), Inner->Bytes.end(), To);
    for (const BytesArg::Pointer &P : Inner->Pointers)
      Struct.Pointers.push_back(
          {uint64_t(To - Struct.Bytes.data()) + P.Offset, P.Buffer});
  } else {
    return fail("local memory, images and samplers cannot be members of a "
                "struct");
  }
  return checkSize(Struct.Bytes.size());
}

Result<void> StructMembers::pad(uint64_t SizeBytes) {
  if (SizeBytes > MaxStructBytes)
    return checkSize(SizeBytes);
  append(SizeBytes, 1);
  return checkSize(Struct.Bytes.size());
}

BytesArg StructMembers::finish() {
  append(0, Struct.Alignment);
  return std::move(Struct);
}

} // namespace heddle::launch
