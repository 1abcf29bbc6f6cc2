//===- DeviceTransfers.cpp - Memory of the GPU that a program sees --------===//

#include "cuda/Device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace heddle::cuda {

launch::Region linear(uint64_t Bytes) {
  launch::Region At;
  At.RowBytes = Bytes;
  return At;
}

Status Device::allocate(void **To, uint64_t Bytes, MemoryKind Kind,
                        const std::string &Call) {
  if (Sticky != Status::Success)
    return Sticky;
  if (!To)
    return Status::InvalidValue;
  *To = nullptr;
  if (Bytes == 0)
    return Status::Success;
  const Allocation *A = Heap->allocate(Bytes, Kind, {}, {Call, callStack()});
  if (!A)
    return report(Status::OutOfMemory, Call,
                  fmt::format("{} bytes asked for, {} of {} are left", Bytes,
                              Heap->capacityBytes() - Heap->usedBytes(),
                              Heap->capacityBytes()));
  if (Log)
    Log->made(*A);
  *To = reinterpret_cast<void *>(A->Address);
  return Status::Success;
}

Status Device::release(void *At, bool OfHost, const std::string &Call) {
  if (!At)
    return Status::Success;
  const uint64_t Address = reinterpret_cast<uint64_t>(At);
  const Allocation *A = Heap->find(Address);
  const bool Fits = A && A->Address == Address && !isVariable(*A) &&
                    !A->IsMapped && (A->Kind == MemoryKind::Pinned) == OfHost;
  if (!Fits)
    return report(Status::InvalidValue, Call + lineAfter(" at", callStack()),
                  A || !Heap->wasFreed(Address)
                      ? Heap->describe(Address) + ", not what an allocation "
                                                  "of this kind returned"
                      : Heap->describe(Address));
  // "May perform implicit synchronization" (CUDA Runtime API, cudaFree).
  if (Issued && !Issued->lane().Async)
    Issued->order().hostWaits(Issued->order().all());
  if (Log)
    Log->dropped(*A);
  Heap->release(*A, {Call, callStack()});
  return Sticky;
}

Status Device::registerHost(void *At, uint64_t Bytes, const std::string &Call) {
  if (Sticky != Status::Success)
    return Sticky;
  if (!At || !Bytes)
    return Status::InvalidValue;
  const uint64_t Address = reinterpret_cast<uint64_t>(At);
  if (Heap->find(Address))
    return report(Status::HostMemoryAlreadyRegistered, Call,
                  Heap->describe(Address));
  const Allocation *A =
      Heap->allocate(Bytes, MemoryKind::Pinned, {}, {Call, callStack()});
  if (!A)
    return report(Status::OutOfMemory, Call,
                  fmt::format("{} bytes asked for", Bytes));
  Heap->share(*A, Address);
  if (Log)
    Log->made(*A);
  return Status::Success;
}

Status Device::unregisterHost(void *At, const std::string &Call) {
  const uint64_t Address = reinterpret_cast<uint64_t>(At);
  const Allocation *A = At ? Heap->find(Address) : nullptr;
  if (!A || A->HostAddress != Address || A->Kind != MemoryKind::Pinned)
    return report(Status::HostMemoryNotRegistered, Call,
                  "no registered memory begins there");
  if (Log)
    Log->dropped(*A);
  Heap->release(*A, {Call, callStack()});
  return Sticky;
}

/// Bytes from the first to the last of a box.
static uint64_t extentOf(const launch::Region &At) {
  return At.sizeBytes() == 0 ? 0
                             : (At.Slices - 1) * At.SlicePitch +
                                   (At.Rows - 1) * At.RowPitch + At.RowBytes;
}

bool Device::inDevice(const void *At, uint64_t Bytes,
                      const Allocation *&A) const {
  const uint64_t Address = reinterpret_cast<uint64_t>(At);
  A = Heap->find(Address);
  return A && A->holds(Address, Bytes);
}

bool Device::isInPieces(const void *At, uint64_t Bytes) const {
  const uint64_t Begin = reinterpret_cast<uint64_t>(At);
  const Allocation *A = Heap->find(Begin);
  if (!A || !A->IsMapped || A->holds(Begin, Bytes))
    return false;
  while (A && A->IsMapped && A->Address + A->SizeBytes < Begin + Bytes)
    A = Heap->find(A->Address + A->SizeBytes);
  return A && A->IsMapped;
}

uint64_t Device::pieceAt(const void *At, uint64_t Bytes) const {
  const uint64_t Begin = reinterpret_cast<uint64_t>(At);
  const Allocation *A = Heap->find(Begin);
  return A && A->IsMapped ? std::min(Bytes, A->Address + A->SizeBytes - Begin)
                          : Bytes;
}

/// \p At, which begins at \p Address, as a region of \p A.
static launch::Region within(const Allocation &A, const void *Address,
                             launch::Region At) {
  At.Offset = reinterpret_cast<uint64_t>(Address) - A.where();
  return At;
}

static constexpr const char *NoAccess =
    "the device has no access to the memory; give it by cuMemSetAccess";

static bool isArena(const void *At) {
  const uint64_t Address = reinterpret_cast<uint64_t>(At);
  return Address >= HEDDLE_GLOBAL_BASE && Address < HEDDLE_ARENA_END;
}

/// The GPU copies between the two; null is memory of the host.
static void issueCopy(Timeline &Issued, const Allocation *To,
                      const Allocation *From, uint64_t Bytes) {
  using launch::OperationKind;
  const auto IsHost = [](const Allocation *A) {
    return !A || A->Kind == MemoryKind::Pinned;
  };
  if (IsHost(To) && IsHost(From))
    return; // the GPU has no part in it
  const OperationKind Kind = IsHost(To)     ? OperationKind::ToHost
                             : IsHost(From) ? OperationKind::ToDevice
                                            : OperationKind::InDevice;
  // Copies to memory that is not pinned return when they are done (CUDA Runtime
  // API, "API synchronization behavior").
  const bool Waits =
      Kind != OperationKind::InDevice &&
      (!Issued.lane().Async || (Kind == OperationKind::ToHost && !To));
  Issued.operation(Kind, Bytes, Waits);
}

/// Calls \p Do with the offset of each row of \p A and of \p B from their
/// first one.
template <typename Function>
static Status forEachRow(const launch::Region &A, const launch::Region &B,
                         Function Do) {
  for (uint64_t S = 0; S < A.Slices; ++S)
    for (uint64_t R = 0; R < A.Rows; ++R)
      if (Status E = Do(S * A.SlicePitch + R * A.RowPitch,
                        S * B.SlicePitch + R * B.RowPitch);
          E != Status::Success)
        return E;
  return Status::Success;
}

Status Device::copyPieces(void *To, const launch::Region &ToAt,
                          const void *From, const launch::Region &FromAt,
                          std::optional<bool> ToDevice,
                          std::optional<bool> FromDevice,
                          const std::string &Call) {
  const Allocation *Target, *Origin;
  inDevice(To, 1, Target);
  inDevice(From, 1, Origin);
  InPieces = true;
  const Status Done =
      forEachRow(ToAt, FromAt, [&](uint64_t ToRow, uint64_t FromRow) {
        uint64_t Piece = 0;
        for (uint64_t I = 0; I < ToAt.RowBytes; I += Piece) {
          auto *T = static_cast<uint8_t *>(To) + ToRow + I;
          const auto *F = static_cast<const uint8_t *>(From) + FromRow + I;
          Piece = pieceAt(F, pieceAt(T, ToAt.RowBytes - I));
          if (Status E = copy(T, linear(Piece), F, linear(Piece), ToDevice,
                              FromDevice, Call);
              E != Status::Success)
            return E;
        }
        return Status::Success;
      });
  InPieces = false;
  if (Issued && Done == Status::Success)
    issueCopy(*Issued, Target, Origin, ToAt.sizeBytes());
  return Done;
}

Status Device::copy(void *To, const launch::Region &ToAt, const void *From,
                    const launch::Region &FromAt, std::optional<bool> ToDevice,
                    std::optional<bool> FromDevice, const std::string &Call) {
  if (Sticky != Status::Success)
    return Sticky;
  if (ToAt.sizeBytes() == 0)
    return Status::Success;
  if (isInPieces(To, extentOf(ToAt)) || isInPieces(From, extentOf(FromAt)))
    return copyPieces(To, ToAt, From, FromAt, ToDevice, FromDevice, Call);
  const Allocation *Target, *Origin;
  const bool ToIs = inDevice(To, extentOf(ToAt), Target);
  const bool FromIs = inDevice(From, extentOf(FromAt), Origin);
  auto Refuse = [&](const char *Side, const void *Address, uint64_t Bytes) {
    return report(
        Status::InvalidValue, Call,
        fmt::format("{} bytes {} {}", Bytes, Side,
                    Heap->describe(reinterpret_cast<uint64_t>(Address))));
  };
  if (!ToIs && (ToDevice.value_or(false) || isArena(To)))
    return Refuse("to", To, extentOf(ToAt));
  if (!FromIs && (FromDevice.value_or(false) || isArena(From)))
    return Refuse("from", From, extentOf(FromAt));
  if (!To || !From)
    return report(Status::InvalidValue, Call, "a null pointer");
  if ((ToIs && !Target->IsWritable) || (FromIs && !Origin->IsReadable))
    return report(Status::InvalidValue, Call, NoAccess);
  if (Log && FromIs && (!ToIs || Target->Kind == MemoryKind::Pinned))
    Log->read(*Origin, within(*Origin, From, FromAt));
  const bool Flat = ToAt.Rows * ToAt.Slices == 1;
  if (Flat) {
    std::memmove(To, From, ToAt.RowBytes);
  } else {
    for (uint64_t S = 0; S < ToAt.Slices; ++S)
      for (uint64_t R = 0; R < ToAt.Rows; ++R)
        std::memmove(static_cast<uint8_t *>(To) + S * ToAt.SlicePitch +
                         R * ToAt.RowPitch,
                     static_cast<const uint8_t *>(From) +
                         S * FromAt.SlicePitch + R * FromAt.RowPitch,
                     ToAt.RowBytes);
  }
  if (Issued && !InPieces)
    issueCopy(*Issued, ToIs ? Target : nullptr, FromIs ? Origin : nullptr,
              ToAt.sizeBytes());
  if (Log && ToIs && !FromIs)
    Log->written(*Target, within(*Target, To, ToAt));
  if (Log && ToIs && FromIs)
    Log->copied(*Origin, within(*Origin, From, FromAt), *Target,
                within(*Target, To, ToAt));
  return Status::Success;
}

Status Device::fillPieces(void *To, const launch::Region &At,
                          const std::vector<uint8_t> &Pattern,
                          const std::string &Call) {
  InPieces = true;
  const Status Done = forEachRow(At, At, [&](uint64_t Row, uint64_t) {
    uint64_t Piece = 0;
    for (uint64_t I = 0; I < At.RowBytes; I += Piece) {
      auto *T = static_cast<uint8_t *>(To) + Row + I;
      Piece = pieceAt(T, At.RowBytes - I);
      if (Status E = fill(T, linear(Piece), Pattern, Call);
          E != Status::Success)
        return E;
    }
    return Status::Success;
  });
  InPieces = false;
  if (Issued && Done == Status::Success)
    Issued->operation(launch::OperationKind::Fill, At.sizeBytes());
  return Done;
}

Status Device::fill(void *To, const launch::Region &At,
                    const std::vector<uint8_t> &Pattern,
                    const std::string &Call) {
  if (Sticky != Status::Success)
    return Sticky;
  if (At.sizeBytes() == 0)
    return Status::Success;
  if (isInPieces(To, extentOf(At)))
    return fillPieces(To, At, Pattern, Call);
  const Allocation *Target;
  if (!inDevice(To, extentOf(At), Target))
    return report(Status::InvalidValue, Call,
                  fmt::format("{} bytes at {}", extentOf(At),
                              Heap->describe(reinterpret_cast<uint64_t>(To))));
  if (!Target->IsWritable)
    return report(Status::InvalidValue, Call, NoAccess);
  const launch::Region Box = within(*Target, To, At);
  if (Issued && !InPieces)
    Issued->operation(launch::OperationKind::Fill, At.sizeBytes());
  Box.forEachRow([&](uint64_t Offset, uint64_t) {
    auto *Row = reinterpret_cast<uint8_t *>(Target->where() + Offset);
    for (uint64_t I = 0; I < At.RowBytes; ++I)
      Row[I] = Pattern[I % Pattern.size()];
    if (Log)
      Log->filled(*Target, Offset, At.RowBytes, Pattern);
  });
  return Status::Success;
}

void Device::synchronise(const char *Call) {
  std::fflush(stdout);
  if (Log)
    Log->synchronised(Call);
}

} // namespace heddle::cuda
