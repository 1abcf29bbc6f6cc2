//===- Format.cpp - The log of a recording --------------------------------===//

#include "record/Format.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>

namespace heddle::record {

std::string programName(uint64_t Program, std::string_view Code) {
  const auto [Source, Bitcode, PTX] = programNames(Program);
  if (Code.starts_with("BC\xC0\xDE"))
    return Bitcode;
  // OpenCL C has no word that begins like this, on a line of its own.
  const bool IsPTX =
      Code.starts_with(".version") || Code.find("\n.version") != Code.npos;
  return IsPTX ? PTX : Source;
}

std::array<std::string, 3> programNames(uint64_t Program) {
  return {fmt::format("program-{}.cl", Program),
          fmt::format("program-{}.bc", Program),
          fmt::format("program-{}.ptx", Program)};
}

uint64_t checksum(std::span<const uint8_t> Bytes) {
  return XXH3_64bits(Bytes.data(), Bytes.size());
}

Hash hashOf(std::span<const uint8_t> Bytes) {
  XXH128_canonical_t Canonical;
  XXH128_canonicalFromHash(&Canonical,
                           XXH3_128bits(Bytes.data(), Bytes.size()));
  Hash H;
  std::copy_n(Canonical.digest, H.size(), H.begin());
  return H;
}

static void put(uint8_t *To, uint64_t Value, unsigned Bytes) {
  for (unsigned I = 0; I < Bytes; ++I)
    To[I] = uint8_t(Value >> 8 * I);
}
static uint64_t get(const uint8_t *From, unsigned Bytes) {
  uint64_t Value = 0;
  for (unsigned I = 0; I < Bytes; ++I)
    Value |= uint64_t(From[I]) << 8 * I;
  return Value;
}

std::array<uint8_t, RecordHeaderBytes>
encodeHeader(const RecordHeader &Header) {
  std::array<uint8_t, RecordHeaderBytes> Bytes;
  put(Bytes.data(), Header.Kind, 4);
  put(Bytes.data() + 4, Header.SizeBytes, 8);
  put(Bytes.data() + 12, Header.Checksum, 8);
  put(Bytes.data() + 20, checksum(std::span(Bytes).first(20)), 4);
  return Bytes;
}

RecordHeader decodeHeader(std::span<const uint8_t, RecordHeaderBytes> Bytes) {
  RecordHeader Header;
  Header.Kind = uint32_t(get(Bytes.data(), 4));
  Header.SizeBytes = get(Bytes.data() + 4, 8);
  Header.Checksum = get(Bytes.data() + 12, 8);
  Header.Intact =
      get(Bytes.data() + 20, 4) == uint32_t(checksum(Bytes.first<20>()));
  return Header;
}

} // namespace heddle::record
