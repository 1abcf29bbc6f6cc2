//===- L2Contents.cpp - What L2 holds between launches --------------------===//

#include "memory/MemorySystem.h"

#include "trace/ByteCode.h"
#include "trace/Compression.h"

namespace heddle::memory {

using trace::bytecode::ByteReader, trace::bytecode::putVarint;

uint64_t L2Contents::fingerprint() const {
  uint64_t Hash = CodeBytes;
  auto Add = [&Hash](uint64_t Value) {
    Hash = (Hash ^ Value) * 0x9E3779B97F4A7C15ull;
    Hash ^= Hash >> 32;
  };
  for (char C : Kernel)
    Add(uint8_t(C));
  for (const Cache &C : Slices)
    Add(C.fingerprint());
  return Hash;
}

std::vector<uint8_t> L2Contents::encode() const {
  constexpr int FastLevel = 1; // others gain little
  std::vector<uint8_t> Raw;
  putVarint(Raw, Kernel.size());
  Raw.insert(Raw.end(), Kernel.begin(), Kernel.end());
  putVarint(Raw, CodeBytes);
  for (const Cache &C : Slices)
    C.save(Raw);
  return trace::compress(Raw, FastLevel);
}

Result<L2Contents> L2Contents::decode(std::span<const uint8_t> Bytes,
                                      uint64_t Fingerprint,
                                      const arch::GPUSpec &Spec) {
  constexpr uint64_t MostBytes = uint64_t(1) << 32;
  auto Raw = trace::decompress(Bytes, MostBytes);
  if (!Raw)
    return std::unexpected(Raw.error());
  ByteReader In{Raw->data(), Raw->data() + Raw->size()};
  L2Contents Out{MemorySystem(Spec).takeL2(), {}, 0};
  const uint64_t NameBytes = In.varint();
  const uint8_t *Name = In.P;
  In.skip(NameBytes);
  Out.Kernel.assign(Name, In.P);
  Out.CodeBytes = In.varint();
  for (Cache &C : Out.Slices)
    C.restore(In);
  if (In.Failed || In.P != In.End || Out.fingerprint() != Fingerprint)
    return fail("these are not the contents of that L2");
  return Out;
}

} // namespace heddle::memory
