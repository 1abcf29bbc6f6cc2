//===- MallocHeap.cpp - Blocks of malloc in kernels -----------------------===//

#include "exec/MallocHeap.h"

#include "heddle/ABI/MallocHeap.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::exec {

bool MallocHeap::holds(const DeviceBuffer &B) {
  if (&B == Data)
    return Blocks;
  // Programs of several modules have numbers behind the names of variables.
  constexpr std::string_view Name = HEDDLE_HEAP_DATA;
  if (!B.Name.starts_with(Name))
    return false;
  Data = &B;
  Blocks = nullptr;
  Start = 0;
  const std::string Wanted = HEDDLE_HEAP_BLOCKS + B.Name.substr(Name.size());
  for (const auto &Other : Memory.buffers())
    if (Other->Name == Wanted)
      Blocks = Other.get();
  return Blocks;
}

std::string MallocHeap::problem(const DeviceBuffer &B, uint64_t Address,
                                uint32_t Bytes) {
  if (!holds(B))
    return {};
  const auto *Of = reinterpret_cast<const HeddleHeapBlock *>(Blocks->Address);
  const uint64_t Unit = std::min((Address - B.Address) / HEDDLE_HEAP_UNIT,
                                 Blocks->SizeBytes / sizeof(*Of) - 1);
  // The block that begins last before it. No block is ever cut.
  const bool IsSame = Start <= Unit && Of[Start].State &&
                      (Unit - Start) * HEDDLE_HEAP_UNIT < Of[Start].Bytes;
  if (!IsSame)
    for (Start = Unit; Start && !Of[Start].State; --Start)
      ;
  const auto [State, Size] = Of[Start];
  if (!State)
    return "of the heap, where malloc has returned nothing";
  const uint64_t Offset = Address - B.Address - Start * HEDDLE_HEAP_UNIT;
  const bool InUse = State & HEDDLE_HEAP_IN_USE;
  if (InUse && Offset + Bytes <= Size)
    return {};
  return fmt::format(
      "{} a block of {} bytes of the heap",
      !InUse          ? fmt::format("after free, at byte {} of", Offset)
      : Offset < Size ? fmt::format("at byte {} of", Offset)
                      : fmt::format("{} bytes past the end of", Offset - Size),
      Size);
}

} // namespace heddle::exec
