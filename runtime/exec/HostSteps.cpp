//===- HostSteps.cpp - Steps of a recorded host program -------------------===//

#include "exec/HostSteps.h"

#include "launch/ScalarTypes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <string_view>

namespace heddle::exec {

using namespace launch;

namespace {
template <typename... Ts> struct Overloaded : Ts... {
  using Ts::operator()...;
};
} // namespace

static Result<std::span<uint8_t>> bytesOf(const std::string &Name,
                                          const DeviceMemory &Memory) {
  const DeviceBuffer *B = Memory.findArgument(Name);
  if (!B)
    return fail(fmt::format("there is no buffer '{}'", Name));
  return Memory.bytes(*B);
}

static bool isOneRow(const Region &At) {
  return At.Rows == 1 && At.Slices == 1;
}

static Result<void> write(const WriteBuffer &S, DeviceMemory &Memory,
                          HostRooms &Rooms) {
  auto To = bytesOf(S.Buffer, Memory);
  if (!To)
    return std::unexpected(To.error());
  if (isOneRow(S.At))
    return S.Bytes->read(To->subspan(S.At.Offset, S.At.RowBytes), Rooms.Work);
  const std::span<uint8_t> From = launch::room(Rooms.Bytes, S.At.sizeBytes());
  if (auto Ok = S.Bytes->read(From, Rooms.Work); !Ok)
    return Ok;
  S.At.forEachRow([&](uint64_t Offset, uint64_t Packed) {
    std::memcpy(To->data() + Offset, From.data() + Packed, S.At.RowBytes);
  });
  return {};
}

static Result<void> copy(const CopyBuffer &S, DeviceMemory &Memory,
                         HostRooms &Rooms) {
  auto From = bytesOf(S.From, Memory), To = bytesOf(S.To, Memory);
  if (!From || !To)
    return std::unexpected(From ? To.error() : From.error());
  const std::span<uint8_t> Rows =
      launch::room(Rooms.Bytes, S.FromAt.sizeBytes());
  S.FromAt.forEachRow([&](uint64_t Offset, uint64_t Packed) {
    std::memcpy(Rows.data() + Packed, From->data() + Offset, S.FromAt.RowBytes);
  });
  S.ToAt.forEachRow([&](uint64_t Offset, uint64_t Packed) {
    std::memcpy(To->data() + Offset, Rows.data() + Packed, S.ToAt.RowBytes);
  });
  return {};
}

static Result<void> fill(const FillBuffer &S, DeviceMemory &Memory) {
  auto To = bytesOf(S.Buffer, Memory);
  if (!To)
    return std::unexpected(To.error());
  for (uint64_t I = 0; I < S.SizeBytes; I += S.Pattern.size())
    std::ranges::copy(S.Pattern, To->begin() + ptrdiff_t(S.Offset + I));
  return {};
}

Result<void> apply(const HostStep &Step, DeviceMemory &Memory,
                   HostRooms &Rooms) {
  return std::visit(
      Overloaded{[&](const MakeBuffer &S) -> Result<void> {
                   auto Buffer =
                       S.Offset ? Memory.allocateAt(S.Name,
                                                    Memory.base() + *S.Offset,
                                                    S.SizeBytes)
                                : Memory.allocateArgument(S.Name, S.SizeBytes);
                   if (!Buffer)
                     return std::unexpected(Buffer.error());
                   (*Buffer)->IsUntyped = true;
                   return {};
                 },
                 [&](const DropBuffer &S) -> Result<void> {
                   Memory.release(S.Name);
                   return {};
                 },
                 [&](const WriteBuffer &S) { return write(S, Memory, Rooms); },
                 [&](const FillBuffer &S) { return fill(S, Memory); },
                 [&](const CopyBuffer &S) { return copy(S, Memory, Rooms); },
                 [](const ReadBuffer &) { return Result<void>(); },
                 [](std::monostate) { return Result<void>(); }},
      Step);
}

/// The bytes of the region \p At of \p From one after the other, in \p Room if
/// they lie apart.
static std::span<const uint8_t> packed(std::span<const uint8_t> From,
                                       const Region &At,
                                       std::vector<uint8_t> &Room) {
  if (isOneRow(At))
    return From.subspan(At.Offset, At.RowBytes);
  const std::span<uint8_t> Rows = launch::room(Room, At.sizeBytes());
  At.forEachRow([&](uint64_t Offset, uint64_t Packed) {
    std::memcpy(Rows.data() + Packed, From.data() + Offset, At.RowBytes);
  });
  return Rows;
}

Result<ReadOutcome> compare(const ReadBuffer &Read, const DeviceMemory &Memory,
                            double Tolerance, HostRooms &Rooms) {
  auto From = bytesOf(Read.Buffer, Memory);
  if (!From)
    return std::unexpected(From.error());
  const std::span<uint8_t> Expected =
      launch::room(Rooms.Bytes, Read.At.sizeBytes());
  if (auto Ok = Read.Expected->read(Expected, Rooms.Work); !Ok)
    return std::unexpected(Ok.error());
  const std::span<const uint8_t> Got = packed(*From, Read.At, Rooms.Work);
  const DeviceBuffer &B = *Memory.findArgument(Read.Buffer);
  ScalarType Type = B.Type && !B.HasSeveralTypes ? *B.Type : ScalarType::U8;
  if (Got.size() % sizeOf(Type))
    Type = ScalarType::U8;
  const size_t Size = sizeOf(Type);
  ReadOutcome R;
  R.Elements = Got.size() / Size;
  R.Hash = std::hash<std::string_view>()(
      {reinterpret_cast<const char *>(Got.data()), Got.size()});
  if (std::ranges::equal(Got, Expected))
    return R;

  double Most = 0;
  if (isFloat(Type))
    for (uint64_t I = 0; I < R.Elements; ++I) {
      const double X =
          std::fabs(elementValue(Type, Expected.data() + I * Size));
      Most = std::isfinite(X) ? std::max(Most, X) : Most;
    }
  R.What = ReadOutcome::Near;
  for (uint64_t I = 0; I < R.Elements; ++I) {
    const uint8_t *E = Expected.data() + I * Size, *G = Got.data() + I * Size;
    if (std::memcmp(E, G, Size) == 0)
      continue;
    if (isFloat(Type)) {
      const double X = elementValue(Type, E), Y = elementValue(Type, G);
      if (X == Y || (std::isnan(X) && std::isnan(Y)))
        continue;
      const double Error = std::fabs(X - Y) / (std::fabs(X) + Most / 10);
      R.LargestError = std::isfinite(Error) ? std::max(R.LargestError, Error)
                                            : R.LargestError;
      if (Error <= Tolerance)
        continue;
    }
    R.What = ReadOutcome::Different;
    if (R.Mismatches++ == 0) {
      R.FirstIndex = I;
      R.Expected = elementText(Type, E);
      R.Got = elementText(Type, G);
    }
  }
  return R;
}

} // namespace heddle::exec
