//===- RoundTrip.h - Events to bytes and back --------------------*- C++
//-*-===//

#ifndef HEDDLE_TEST_TRACE_ROUNDTRIP_H
#define HEDDLE_TEST_TRACE_ROUNDTRIP_H

#include "trace/WarpCursor.h"
#include "trace/WarpEncoder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

namespace heddle::trace::test {

struct AccessEvent {
  uint32_t Record;
  HeddleMemorySpace Space;
  uint32_t Mask;
  std::array<uint64_t, 32> Addresses;
};
struct BlockEvent {
  uint32_t Block;
  uint32_t Mask;
  std::vector<AccessEvent> Accesses;
};

/// A code table with one list of access sizes per block.
inline CodeTable makeCode(const std::vector<std::vector<uint16_t>> &Blocks) {
  CodeTable Code;
  Code.Kernel = "test";
  Code.ISA = "ptx";
  Code.Opcodes = {"ld.global.f32", "add.s32"};
  Code.NumRegisters = 4;
  for (const std::vector<uint16_t> &Sizes : Blocks) {
    HeddleBlock B{uint32_t(Code.Insts.size()), 0, uint32_t(Code.Memory.size()),
                  uint32_t(Sizes.size())};
    HeddleInst I{};
    I.Issued = 1;
    I.Opcode = 1;
    I.Memory = HEDDLE_NO_MEMORY;
    I.Class = HEDDLE_OP_ADD;
    I.Type = HEDDLE_TYPE_I32;
    I.NumDefs = 1;
    I.Registers[0] = 1;
    Code.Insts.push_back(I);
    for (uint16_t Size : Sizes) {
      I.Opcode = 0;
      I.Class = HEDDLE_OP_LOAD;
      I.Space = HEDDLE_SPACE_GLOBAL;
      I.AccessBytes = Size;
      I.Memory = uint32_t(Code.Memory.size());
      Code.Insts.push_back(I);
      Code.Memory.push_back({HEDDLE_SPACE_GLOBAL, 0, Size});
    }
    B.NumInsts = uint32_t(Code.Insts.size()) - B.FirstInst;
    Code.Blocks.push_back(B);
  }
  return Code;
}

inline void encode(WarpEncoder &E, const BlockEvent &Event) {
  E.block(Event.Block, Event.Mask);
  for (const AccessEvent &A : Event.Accesses)
    E.memory(A.Record, A.Space, A.Mask, A.Addresses.data());
}

inline WarpTrace encode(const CodeTable &Code,
                        const std::vector<BlockEvent> &Events,
                        LaneOrder Order = LaneOrder::Kept) {
  WarpEncoder E(Code, Order);
  for (const BlockEvent &Event : Events)
    encode(E, Event);
  return E.finish();
}

/// Whether \p M has the addresses of \p A, whichever lane has which.
inline bool sameSet(const MemoryAccess &M, const AccessEvent &A) {
  std::vector<uint64_t> Got, Wanted;
  for (unsigned L = 0; L < 32; ++L)
    if (A.Mask >> L & 1) {
      Got.push_back(M.address(L));
      Wanted.push_back(A.Addresses[L]);
    }
  std::ranges::sort(Got);
  std::ranges::sort(Wanted);
  return Got == Wanted;
}

/// Expects that \p C moves on to exactly \p Event, up to the lanes of small
/// accesses to shared memory if their \p Order is free.
inline ::testing::AssertionResult replays(WarpCursor &C, const CodeTable &Code,
                                          const BlockEvent &Event,
                                          LaneOrder Order = LaneOrder::Kept) {
  if (!C.next())
    return ::testing::AssertionFailure() << "the trace ends";
  if (C.block() != Event.Block || C.mask() != Event.Mask)
    return ::testing::AssertionFailure()
           << "block " << C.block() << " mask " << std::hex << C.mask()
           << ", not " << std::dec << Event.Block << " mask " << std::hex
           << Event.Mask;
  const HeddleBlock &B = Code.Blocks[Event.Block];
  size_t Next = 0;
  for (uint32_t R = B.FirstMemory; R < B.FirstMemory + B.NumMemory; ++R) {
    const MemoryAccess &M = C.access(R);
    if (Next == Event.Accesses.size() || Event.Accesses[Next].Record != R) {
      if (M.Mask)
        return ::testing::AssertionFailure()
               << "record " << R << " was not executed";
      continue;
    }
    const AccessEvent &A = Event.Accesses[Next++];
    if (M.Mask != A.Mask || M.Space != A.Space)
      return ::testing::AssertionFailure()
             << "record " << R << ": mask or space differs";
    if (Order == LaneOrder::Free && A.Space == HEDDLE_SPACE_SHARED &&
        Code.Memory[R].AccessBytes <= MaxFreeBytes) {
      if (!sameSet(M, A))
        return ::testing::AssertionFailure()
               << "record " << R << ": other addresses, lanes " << std::hex
               << A.Mask;
      continue;
    }
    for (unsigned L = 0; L < 32; ++L)
      if (A.Mask >> L & 1 && M.address(L) != A.Addresses[L])
        return ::testing::AssertionFailure()
               << "record " << R << " lane " << L << ": " << std::hex
               << M.address(L) << ", not " << A.Addresses[L];
  }
  return ::testing::AssertionSuccess();
}

inline void expectRoundTrip(const CodeTable &Code,
                            const std::vector<BlockEvent> &Events) {
  for (LaneOrder Order : {LaneOrder::Kept, LaneOrder::Free}) {
    WarpTrace Trace = encode(Code, Events, Order);
    WarpCursor C(Code, Trace);
    for (size_t I = 0; I < Events.size(); ++I)
      ASSERT_TRUE(replays(C, Code, Events[I], Order)) << "event " << I;
    EXPECT_FALSE(C.next());
  }
}

/// An access of all lanes of \p Mask at Base + lane * Stride.
inline AccessEvent affine(uint32_t Record, uint32_t Mask, uint64_t Base,
                          int64_t Stride) {
  AccessEvent A{Record, HEDDLE_SPACE_GLOBAL, Mask, {}};
  for (unsigned L = 0; L < 32; ++L)
    A.Addresses[L] = Mask >> L & 1 ? Base + L * uint64_t(Stride) : 0xdeadbeef;
  return A;
}

} // namespace heddle::trace::test

#endif // HEDDLE_TEST_TRACE_ROUNDTRIP_H
