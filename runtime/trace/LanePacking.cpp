//===- LanePacking.cpp ----------------------------------------------------===//

#include "trace/LanePacking.h"

#include <algorithm>

namespace heddle::trace {

namespace {

uint64_t lowBits(unsigned Width) {
  return Width >= 64 ? ~uint64_t(0) : (uint64_t(1) << Width) - 1;
}

/// Eight bytes, the first one lowest.
uint64_t load(const uint8_t *P) {
  uint64_t V = 0;
  if constexpr (std::endian::native == std::endian::little)
    std::memcpy(&V, P, 8);
  else
    for (int I = 0; I < 8; ++I)
      V |= uint64_t(P[I]) << 8 * I;
  return V;
}

class BitWriter {
public:
  explicit BitWriter(std::vector<uint8_t> &Out) : Out(Out) {}

  void put(uint64_t V, unsigned Width) {
    if (Width > 32) {
      put(V & 0xffffffff, 32);
      put(V >> 32, Width - 32);
      return;
    }
    Window |= V << Filled;
    Filled += Width;
    if (Filled >= 32) {
      drain(4);
      Window >>= 32;
      Filled -= 32;
    }
  }
  void finish() { drain((Filled + 7) / 8); }

private:
  void drain(unsigned Bytes) {
    uint8_t Low[4];
    for (unsigned I = 0; I < 4; ++I)
      Low[I] = uint8_t(Window >> 8 * I);
    Out.insert(Out.end(), Low, Low + Bytes);
  }

  std::vector<uint8_t> &Out;
  uint64_t Window = 0;
  unsigned Filled = 0; ///< < 32 between calls
};

class BitReader {
public:
  explicit BitReader(bytecode::ByteReader &R)
      : R(R), SizeBits(uint64_t(R.End - R.P) * 8) {}

  uint64_t get(unsigned Width) {
    if (Width > 32) {
      uint64_t Low = peek() & 0xffffffff;
      Pos += 32;
      return Low | get(Width - 32) << 32;
    }
    uint64_t V = peek() & lowBits(Width);
    Pos += Width;
    return V;
  }
  void skip(unsigned Width) { Pos += Width; }
  /// Ones up to a zero. Past the end all bits are zero, so it ends.
  uint64_t unary() {
    uint64_t N = 0;
    for (;;) {
      unsigned Ones = std::min(std::countr_one(peek()), 32);
      N += Ones;
      Pos += Ones;
      if (Ones < 32)
        break;
    }
    ++Pos;
    return N;
  }
  void finish() {
    if (Pos > SizeBits) {
      R.Failed = true;
      R.P = R.End;
    } else {
      R.P += (Pos + 7) / 8;
    }
  }

private:
  /// At least 57 bits from Pos on.
  uint64_t peek() const {
    uint64_t V = 0, Byte = Pos / 8;
    if (Byte + 8 <= SizeBits / 8) {
      V = load(R.P + Byte);
    } else {
      for (int I = 0; I < 8 && Byte + I < SizeBits / 8; ++I)
        V |= uint64_t(R.P[Byte + I]) << 8 * I;
    }
    return V >> Pos % 8;
  }

  bytecode::ByteReader &R;
  uint64_t SizeBits;
  uint64_t Pos = 0;
};

} // namespace

LanePacking LanePacking::choose(std::span<const uint64_t> Values) {
  uint64_t All = 0, Sum = 0;
  for (uint64_t V : Values) {
    All |= V;
    Sum += V;
  }
  LanePacking Best;
  Best.Width = uint8_t(std::bit_width(All));
  Best.Bits = Best.Width * Values.size();
  // The sum of 32 wider numbers could have overflowed.
  if (Values.empty() || Best.Width > 56)
    return Best;
  // The best parameter of a Rice code is near log2 of the mean. It takes about
  // two and a half bits more than that per number, so evenly spread numbers
  // need no closer look.
  const int Near = std::bit_width(Sum / Values.size() | 1) - 1;
  if (Near + 2 >= Best.Width)
    return Best;
  for (int K = std::max(Near - 1, 0); K <= Near; ++K) {
    if (All >> K > 4096)
      continue;
    uint64_t Bits = Values.size() * (K + 1);
    for (uint64_t V : Values)
      Bits += V >> K;
    if (Bits < Best.Bits) {
      Best.Rice = true;
      Best.Width = uint8_t(K);
      Best.Bits = Bits;
    }
  }
  return Best;
}

void LanePacking::write(std::vector<uint8_t> &Out,
                        std::span<const uint64_t> Values) const {
  Out.push_back(Width);
  BitWriter W(Out);
  for (uint64_t V : Values) {
    if (Rice) {
      uint64_t Ones = V >> Width;
      for (; Ones >= 32; Ones -= 32)
        W.put(0xffffffff, 32);
      W.put(lowBits(unsigned(Ones)), unsigned(Ones) + 1);
    }
    W.put(V & lowBits(Width), Width);
  }
  W.finish();
}

void unpackLanes(bytecode::ByteReader &R, bool Rice,
                 std::span<uint64_t> Values) {
  unsigned Width = R.byte();
  if (Width > 64 || (Rice && Width > 56)) {
    R.Failed = true;
    std::ranges::fill(Values, 0);
    return;
  }
  if (!Rice && Width <= 56) {
    const size_t Bytes = (Values.size() * Width + 7) / 8;
    // Each number is then read from eight bytes that exist.
    if (size_t(R.End - R.P) >= Bytes + 8) [[likely]] {
      const uint64_t Low = lowBits(Width);
      size_t Bit = 0;
      for (uint64_t &V : Values) {
        V = load(R.P + Bit / 8) >> Bit % 8 & Low;
        Bit += Width;
      }
      R.P += Bytes;
      return;
    }
  }
  BitReader Bits(R);
  for (uint64_t &V : Values) {
    uint64_t High = Rice ? Bits.unary() << Width : 0;
    V = High | Bits.get(Width);
  }
  Bits.finish();
}

void skipLanes(bytecode::ByteReader &R, bool Rice, unsigned Count) {
  const unsigned Width = R.byte();
  if (Width > 64 || (Rice && Width > 56)) {
    R.Failed = true;
    return;
  }
  if (Rice) {
    BitReader Bits(R);
    for (unsigned N = 0; N < Count; ++N) {
      Bits.unary();
      Bits.skip(Width);
    }
    Bits.finish();
    return;
  }
  const size_t Bytes = (size_t(Count) * Width + 7) / 8;
  R.Failed |= size_t(R.End - R.P) < Bytes;
  R.P = R.Failed ? R.End : R.P + Bytes;
}

} // namespace heddle::trace
