//===- SharedBanks.cpp - Bank conflicts of shared memory ------------------===//

#include "memory/Coalescer.h"

#include <algorithm>
#include <array>
#include <bit>

namespace heddle::memory {

using trace::MemoryAccess;

namespace {

constexpr unsigned MaxBanks = 64;

/// Passes for the lanes of \p Mask: the fullest bank, where equal words count
/// once (\p Broadcast) or each lane counts.
unsigned passes(const MemoryAccess &A, uint32_t Mask, int64_t ByteOffset,
                uint32_t AccessBytes, const arch::SharedSpec &Spec,
                bool Broadcast) {
  // Per bank the distinct words that were seen, as a chain through Next.
  uint64_t Words[32 * 4];
  uint8_t Next[32 * 4];
  std::array<uint8_t, MaxBanks> Head{}, Load{}; // Head: index + 1
  unsigned Count = 0, Most = 1;
  const unsigned BankShift = std::countr_zero(Spec.BankBytes);
  auto add = [&](uint64_t Word) {
    const unsigned Bank = Word & (Spec.Banks - 1);
    if (Broadcast) {
      for (unsigned I = Head[Bank]; I; I = Next[I - 1])
        if (Words[I - 1] == Word)
          return;
      Words[Count] = Word;
      Next[Count] = Head[Bank];
      Head[Bank] = ++Count;
    }
    Most = std::max<unsigned>(Most, ++Load[Bank]);
  };
  for (uint32_t Left = Mask; Left; Left &= Left - 1) {
    uint64_t Begin = A.address(std::countr_zero(Left)) + uint64_t(ByteOffset);
    uint64_t First = Begin >> BankShift;
    uint64_t Last = (Begin + AccessBytes - 1) >> BankShift;
    for (uint64_t Word = First; Word <= Last && Word - First != 4; ++Word)
      add(Word);
  }
  return Most;
}

/// Lanes that one pass can serve: as many as the banks are wide.
unsigned lanesTogether(uint32_t AccessBytes, const arch::SharedSpec &Spec) {
  unsigned Width = Spec.Banks * Spec.BankBytes;
  unsigned Lanes = std::min<unsigned>(32, Width / std::max(AccessBytes, 1u));
  return std::clamp<unsigned>(std::bit_floor(std::max(Lanes, 1u)), 1,
                              Spec.LanesPerPass);
}

unsigned allPasses(const MemoryAccess &A, int64_t ByteOffset,
                   uint32_t AccessBytes, const arch::SharedSpec &Spec,
                   bool Broadcast) {
  unsigned Together = lanesTogether(AccessBytes, Spec);
  if (Together == 32)
    return passes(A, A.Mask, ByteOffset, AccessBytes, Spec, Broadcast);
  auto passesOf = [&](unsigned Lane, unsigned Lanes) {
    const uint32_t Group = uint32_t(((uint64_t(1) << Lanes) - 1) << Lane);
    const uint32_t Mask = A.Mask & Group;
    return Mask ? passes(A, Mask, ByteOffset, AccessBytes, Spec, Broadcast) : 0;
  };
  unsigned Total = 0;
  for (unsigned Lane = 0; Lane < 32; Lane += 2 * Together) {
    unsigned Pair =
        passesOf(Lane, Together) + passesOf(Lane + Together, Together);
    if (Spec.MergeWide && Broadcast && Pair > 1)
      Pair = std::min(Pair, passesOf(Lane, 2 * Together));
    Total += Pair;
  }
  return std::max(Total, 1u);
}

} // namespace

unsigned differentWords(const MemoryAccess &A) {
  if (A.Affine)
    return A.Stride ? std::max(1, std::popcount(A.Mask)) : 1;
  std::array<uint64_t, 32> Seen;
  unsigned Count = 0;
  for (uint32_t Left = A.Mask; Left; Left &= Left - 1) {
    const uint64_t Address = A.address(std::countr_zero(Left));
    if (std::find(Seen.begin(), Seen.begin() + Count, Address) ==
        Seen.begin() + Count)
      Seen[Count++] = Address;
  }
  return std::max(Count, 1u);
}

bool servesLanesTogether(const arch::SharedSpec &Spec) {
  return lanesTogether(trace::MaxFreeBytes, Spec) == 32;
}

unsigned fewestPasses(const MemoryAccess &A, uint32_t AccessBytes,
                      const arch::SharedSpec &Spec) {
  const unsigned Bytes = differentWords(A) * AccessBytes;
  const unsigned Width = Spec.Banks * Spec.BankBytes;
  return std::max(1u, (Bytes + Width - 1) / Width);
}

unsigned sharedPasses(const MemoryAccess &A, int64_t ByteOffset,
                      uint32_t AccessBytes, const arch::SharedSpec &Spec) {
  if (Spec.ConflictFree)
    return fewestPasses(A, AccessBytes, Spec);
  // The usual cases: all lanes on one word, or a whole-word stride, where the
  // lanes of a pass fall on Banks / gcd(stride, Banks) different banks.
  if (A.Affine && Spec.LanesPerPass == 32 && AccessBytes <= Spec.BankBytes) {
    if (A.Stride == 0)
      return 1;
    uint64_t Stride = uint64_t(A.Stride < 0 ? -A.Stride : A.Stride);
    if (Stride % Spec.BankBytes == 0 && A.Mask == ~0u) {
      // Both are powers of two: so is their greatest common divisor.
      unsigned Words = std::countr_zero(Stride / Spec.BankBytes);
      unsigned Banks =
          Spec.Banks >> std::min<unsigned>(Words, std::countr_zero(Spec.Banks));
      return (32 + Banks - 1) / Banks;
    }
  }
  return allPasses(A, ByteOffset, AccessBytes, Spec, true);
}

unsigned sharedAtomicPasses(const MemoryAccess &A, int64_t ByteOffset,
                            uint32_t AccessBytes,
                            const arch::SharedSpec &Spec) {
  return allPasses(A, ByteOffset, AccessBytes, Spec, false);
}

} // namespace heddle::memory
