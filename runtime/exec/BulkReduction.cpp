//===- BulkReduction.cpp - Reductions of bulk copies ----------------------===//

#include "exec/BulkReduction.h"

#include "heddle/ABI/BulkOps.h"
#include "heddle/ABI/KernelMemory.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace heddle::exec {

bool reduces(uint8_t Operation, uint8_t Type) {
  const bool IsWord = Type >= HEDDLE_TENSOR_U32 && Type <= HEDDLE_TENSOR_S64;
  const bool IsHalf = Type == HEDDLE_TENSOR_F16 || Type == HEDDLE_TENSOR_BF16;
  switch (Operation) {
  case HEDDLE_BULK_ADD:
    return IsWord || IsHalf || Type == HEDDLE_TENSOR_F32 ||
           Type == HEDDLE_TENSOR_F64;
  case HEDDLE_BULK_MIN:
  case HEDDLE_BULK_MAX:
    return IsWord || IsHalf;
  case HEDDLE_BULK_INC:
  case HEDDLE_BULK_DEC:
    return Type == HEDDLE_TENSOR_U32;
  default:
    return IsWord;
  }
}

namespace {

template <typename T> T combined(uint8_t Operation, T Old, T New) {
  switch (Operation) {
  case HEDDLE_BULK_ADD:
    return T(Old + New);
  case HEDDLE_BULK_MIN:
    return std::min(Old, New);
  case HEDDLE_BULK_MAX:
    return std::max(Old, New);
  default:
    break;
  }
  if constexpr (std::is_integral_v<T>)
    switch (Operation) {
    case HEDDLE_BULK_INC:
      return Old >= New ? 0 : T(Old + 1);
    case HEDDLE_BULK_DEC:
      return !Old || Old > New ? New : T(Old - 1);
    case HEDDLE_BULK_AND:
      return Old & New;
    case HEDDLE_BULK_OR:
      return Old | New;
    case HEDDLE_BULK_XOR:
      return Old ^ New;
    default:
      break;
    }
  return Old;
}

/// A number among numbers that may be NaN: as min and max of PTX, which take
/// the other one.
float combinedFloat(uint8_t Operation, float Old, float New) {
  return Operation == HEDDLE_BULK_ADD   ? Old + New
         : Operation == HEDDLE_BULK_MIN ? std::fmin(Old, New)
                                        : std::fmax(Old, New);
}

uint16_t combinedHalf(uint8_t Operation, uint16_t Old, uint16_t New) {
  return std::bit_cast<uint16_t>(_Float16(combinedFloat(
      Operation, std::bit_cast<_Float16>(Old), std::bit_cast<_Float16>(New))));
}

uint16_t combinedBrain(uint8_t Operation, uint16_t Old, uint16_t New) {
  auto wide = [](uint16_t Bits) {
    return std::bit_cast<float>(uint32_t(Bits) << 16);
  };
  const float Sum = combinedFloat(Operation, wide(Old), wide(New));
  if (std::isnan(Sum))
    return 0x7fff;
  const uint32_t Bits = std::bit_cast<uint32_t>(Sum);
  return uint16_t((Bits + 0x7fff + (Bits >> 16 & 1)) >> 16); // to nearest even
}

/// Replaces the word at \p Address by what \p Of makes of it, atomically.
template <typename Word, typename F> void update(uint64_t Address, F Of) {
  auto *At = reinterpret_cast<Word *>(Address);
  Word Old = __atomic_load_n(At, __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(At, &Old, Of(Old), true, __ATOMIC_RELAXED,
                                      __ATOMIC_RELAXED)) {
  }
}

template <typename Word, typename T>
void reduceOne(uint8_t Operation, uint64_t Global, uint64_t Shared) {
  T New;
  heddleReadMemory(&New, Shared, sizeof(T));
  update<Word>(Global, [&](Word Old) {
    return std::bit_cast<Word>(combined(Operation, std::bit_cast<T>(Old), New));
  });
}

void reduceHalf(uint8_t Operation, bool IsBrain, uint64_t Global,
                uint64_t Shared) {
  uint16_t New;
  heddleReadMemory(&New, Shared, sizeof(New));
  update<uint16_t>(Global, [&](uint16_t Old) {
    return IsBrain ? combinedBrain(Operation, Old, New)
                   : combinedHalf(Operation, Old, New);
  });
}

} // namespace

void reduceAt(uint8_t Operation, uint8_t Type, uint64_t Global, uint64_t Shared,
              uint32_t Bytes) {
  const uint32_t Element = heddleTensorElementBytes(Type);
  for (uint32_t At = 0; At < Bytes; At += Element) {
    const uint64_t To = Global + At, From = Shared + At;
    switch (Type) {
    case HEDDLE_TENSOR_U32:
      reduceOne<uint32_t, uint32_t>(Operation, To, From);
      break;
    case HEDDLE_TENSOR_S32:
      reduceOne<uint32_t, int32_t>(Operation, To, From);
      break;
    case HEDDLE_TENSOR_U64:
      reduceOne<uint64_t, uint64_t>(Operation, To, From);
      break;
    case HEDDLE_TENSOR_S64:
      reduceOne<uint64_t, int64_t>(Operation, To, From);
      break;
    case HEDDLE_TENSOR_F32:
      reduceOne<uint32_t, float>(Operation, To, From);
      break;
    case HEDDLE_TENSOR_F64:
      reduceOne<uint64_t, double>(Operation, To, From);
      break;
    default:
      reduceHalf(Operation, Type == HEDDLE_TENSOR_BF16, To, From);
    }
  }
}

} // namespace heddle::exec
