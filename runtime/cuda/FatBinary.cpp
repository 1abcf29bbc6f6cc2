//===- FatBinary.cpp - Device code inside of a program --------------------===//

#include "cuda/FatBinary.h"

#include "trace/Compression.h"

#include <fmt/format.h>

#include <cstring>
#include <string_view>

namespace heddle::cuda {

static constexpr std::string_view Magic = "HDLCUDA2";
static constexpr const char *Damaged = "the program's device code is damaged";

std::string writeFatBinary(const std::vector<DeviceImage> &Images) {
  std::string Out(Magic);
  auto Put = [&](auto Value) {
    Out.append(reinterpret_cast<const char *>(&Value), sizeof(Value));
  };
  Put(uint32_t(Images.size()));
  for (const DeviceImage &I : Images) {
    Put(uint32_t(I.Capability));
    Put(uint32_t(I.Relocatable));
    Put(uint64_t(I.Code.size()));
    Out += I.Code;
    Put(uint32_t(I.Managed.size()));
    for (const std::string &Name : I.Managed) {
      Put(uint64_t(Name.size()));
      Out += Name;
    }
  }
  return Out;
}

namespace {
/// Reads numbers where they lie; throws Error at the end.
struct Cursor {
  std::string_view Rest;

  std::string_view take(size_t Size) {
    if (Size > Rest.size())
      throw Error{Damaged};
    const std::string_view Taken = Rest.substr(0, Size);
    Rest.remove_prefix(Size);
    return Taken;
  }
  template <typename T> T next() {
    T Value;
    std::memcpy(&Value, take(sizeof(T)).data(), sizeof(T));
    return Value;
  }
  /// A number of things that take \p Bytes or more each.
  size_t count(size_t Bytes) {
    const uint32_t N = next<uint32_t>();
    if (N > Rest.size() / Bytes)
      throw Error{Damaged};
    return N;
  }
  /// A size and as many bytes.
  std::string text() { return std::string(take(next<uint64_t>())); }
};

/// The containers of nvcc: a header and entries, each with a header.
constexpr uint32_t NvccMagic = 0xBA55ED50;
constexpr uint16_t PTXEntry = 1;
struct NvccHeader {
  uint32_t Magic;
  uint16_t Version, HeaderBytes;
  uint64_t SizeBytes;
};
struct NvccEntry {
  uint16_t Kind, Version;
  uint32_t HeaderBytes;
  uint64_t SizeBytes;
  uint32_t CompressedBytes, OptionsOffset;
  uint16_t Minor, Major;
  uint32_t Capability, NameOffset, NameBytes;
  uint64_t Flags, Zero, UncompressedBytes;
};
constexpr uint64_t LZ4Flag = 0x2000, ZstdFlag = 0x8000;
} // namespace

/// LZ4's block format: literals and copies of what was written before.
static Result<std::string> expandLZ4(std::string_view From, size_t Size) {
  std::string Out;
  size_t At = 0;
  auto Length = [&](size_t N) {
    if (N == 15)
      while (At < From.size()) {
        const uint8_t More = uint8_t(From[At++]);
        N += More;
        if (More != 255)
          break;
      }
    return N;
  };
  while (At < From.size() && Out.size() < Size) {
    const uint8_t Token = uint8_t(From[At++]);
    const size_t Literals = Length(Token >> 4);
    if (Literals > From.size() - At)
      return fail("compressed device code is damaged");
    Out += From.substr(At, Literals);
    At += Literals;
    if (Out.size() >= Size || At + 2 > From.size())
      break;
    const size_t Distance = uint8_t(From[At]) | size_t(uint8_t(From[At + 1]))
                                                    << 8;
    At += 2;
    size_t Count = Length(Token & 15) + 4;
    if (Distance == 0 || Distance > Out.size())
      return fail("compressed device code is damaged");
    while (Count--)
      Out += Out[Out.size() - Distance];
  }
  if (Out.size() != Size)
    return fail("compressed device code is damaged");
  return Out;
}

/// The code of \p E, which \p Data holds.
static Result<std::string> codeOf(const NvccEntry &E, std::string_view Data) {
  if (!(E.Flags & (LZ4Flag | ZstdFlag)))
    return std::string(Data);
  const std::string_view Stored = Data.substr(0, E.CompressedBytes);
  // LZ4 makes at most 255 bytes of one.
  if (E.UncompressedBytes / 255 > Stored.size() + 1 && E.Flags & LZ4Flag)
    return fail(Damaged);
  if (E.Flags & LZ4Flag)
    return expandLZ4(Stored, E.UncompressedBytes);
  auto Bytes = trace::decompress(
      {reinterpret_cast<const uint8_t *>(Stored.data()), Stored.size()},
      E.UncompressedBytes);
  if (!Bytes)
    return std::unexpected(Bytes.error());
  return std::string(Bytes->begin(), Bytes->end());
}

static Result<std::vector<DeviceImage>> readNvcc(Cursor C) {
  const std::string_view All = C.Rest;
  const auto Header = C.next<NvccHeader>();
  C.Rest = All;
  C.take(Header.HeaderBytes);
  C.Rest = C.take(Header.SizeBytes);
  std::vector<DeviceImage> Images;
  unsigned Others = 0;
  while (C.Rest.size() >= sizeof(NvccEntry)) {
    const std::string_view Begin = C.Rest;
    const auto E = C.next<NvccEntry>();
    if (E.HeaderBytes < sizeof(NvccEntry))
      return fail(Damaged);
    C.Rest = Begin;
    C.take(E.HeaderBytes);
    const std::string_view Data = C.take(E.SizeBytes);
    if (E.Kind == PTXEntry) {
      auto Code = codeOf(E, Data);
      if (!Code)
        return std::unexpected(Code.error());
      while (!Code->empty() && Code->back() == '\0')
        Code->pop_back();
      Images.push_back({E.Capability, false, std::move(*Code), {}, E.Major});
    } else {
      ++Others;
    }
  }
  if (Images.empty() && Others)
    return fail("the program holds machine code only; build it with PTX: "
                "-gencode arch=compute_NN,code=compute_NN");
  return Images;
}

static std::vector<DeviceImage> readOwn(Cursor C) {
  // What an image and a name take at least.
  constexpr size_t ImageBytes = 20, NameBytes = 8;
  std::vector<DeviceImage> Images(C.count(ImageBytes));
  for (DeviceImage &I : Images) {
    I.Capability = C.next<uint32_t>();
    I.Relocatable = C.next<uint32_t>() != 0;
    I.Code = C.text();
    I.Managed.resize(C.count(NameBytes));
    for (std::string &Name : I.Managed)
      Name = C.text();
  }
  return Images;
}

Result<std::vector<DeviceImage>> readFatBinary(const void *Data,
                                               size_t Bytes) try {
  Cursor C{{static_cast<const char *>(Data), Data ? Bytes : 0}};
  if (C.Rest.size() >= Magic.size() && C.Rest.starts_with(Magic)) {
    C.take(Magic.size());
    return readOwn(C);
  }
  if (C.Rest.size() >= sizeof(NvccMagic) &&
      Cursor(C).next<uint32_t>() == NvccMagic)
    return readNvcc(C);
  return fail("the program's device code is neither heddle's nor nvcc's");
} catch (const Error &E) {
  return std::unexpected(E);
}

const DeviceImage *imageFor(const std::vector<DeviceImage> &Images,
                            unsigned Capability) {
  const DeviceImage *Best = nullptr;
  for (const DeviceImage &I : Images)
    if (I.Capability <= Capability &&
        (!Best || I.Capability > Best->Capability))
      Best = &I;
  return Best;
}

} // namespace heddle::cuda
