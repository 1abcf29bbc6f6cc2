//===- WarpEncoderFuzzer.cpp - Any events survive encoding ----------------===//
//
// The input is a program of events; what the encoder makes of them must verify
// and replay as the same events.
//
//===----------------------------------------------------------------------===//

#include "trace/TraceVerifier.h"
#include "trace/WarpCursor.h"
#include "trace/WarpEncoder.h"

#include <algorithm>
#include <array>
#include <cstdlib>

using namespace heddle;
using namespace heddle::trace;

namespace {

struct Access {
  uint32_t Record, Mask;
  HeddleMemorySpace Space;
  std::array<uint64_t, 32> Addresses;
};
struct Event {
  uint32_t Block, Mask;
  std::vector<Access> Accesses;
};

void require(bool Condition) {
  if (!Condition)
    std::abort();
}

CodeTable makeCode() {
  CodeTable Code;
  for (uint32_t NumMemory : {0u, 1u, 2u, 0u}) {
    Code.Blocks.push_back({0, 0, uint32_t(Code.Memory.size()), NumMemory});
    for (uint32_t I = 0; I < NumMemory; ++I)
      Code.Memory.push_back({HEDDLE_SPACE_GLOBAL, 0, uint16_t(4 << I)});
  }
  return Code;
}

class EventReader {
public:
  EventReader(const uint8_t *P, const uint8_t *End) : R{P, End} {}
  bool done() const { return R.P == R.End; }

  Event event(const CodeTable &Code) {
    const uint8_t What = R.byte();
    Event E{What % 4u, Mask, {}};
    switch (What >> 2 & 3) {
    case 1:
      E.Mask = uint32_t(R.varint());
      break;
    case 2:
      E.Mask = 0xffff0000u >> R.byte() % 32;
      break;
    case 3:
      E.Mask = ~0u;
      break;
    }
    if (!E.Mask)
      E.Mask = 1;
    Mask = E.Mask;
    const HeddleBlock &B = Code.Blocks[E.Block];
    for (uint32_t N = B.FirstMemory; N < B.FirstMemory + B.NumMemory; ++N)
      access(E, N);
    return E;
  }

private:
  void access(Event &E, uint32_t Record) {
    std::array<uint64_t, 32> &A = Last[Record];
    const uint8_t What = R.byte();
    uint32_t Lanes = E.Mask;
    switch (What & 7) {
    case 0:
      break;
    case 1: // all lanes move on
      for (uint64_t V = uint64_t(R.signedVarint()); uint64_t &To : A)
        To += V;
      break;
    case 2: { // affine
      uint64_t Base = R.varint(), Stride = uint64_t(R.signedVarint());
      for (unsigned L = 0; L < 32; ++L)
        A[L] = Base + L * Stride;
      break;
    }
    case 3: // each lane anywhere
      for (uint64_t &To : A)
        To = R.varint();
      break;
    case 4: // each lane a step
      for (uint64_t &To : A)
        To += uint64_t(int8_t(R.byte())) * 4;
      break;
    case 5: { // as another record
      uint64_t Factor = R.byte();
      for (unsigned L = 0; L < 32; ++L)
        A[L] = Last[0][L] * Factor + 64;
      break;
    }
    case 6:
      return; // not executed
    case 7:
      Lanes &= uint32_t(R.varint());
      break;
    }
    if (Lanes)
      E.Accesses.push_back(
          {Record, Lanes, HeddleMemorySpace(1 + (What >> 3) % 6), A});
  }

  bytecode::ByteReader R;
  uint32_t Mask = ~0u;
  std::array<std::array<uint64_t, 32>, 3> Last{};
};

void expectEvent(WarpCursor &C, const CodeTable &Code, const Event &E,
                 LaneOrder Order) {
  require(C.next() && C.block() == E.Block && C.mask() == E.Mask);
  const HeddleBlock &B = Code.Blocks[E.Block];
  size_t Next = 0;
  for (uint32_t N = B.FirstMemory; N < B.FirstMemory + B.NumMemory; ++N) {
    const MemoryAccess &Got = C.access(N);
    if (Next == E.Accesses.size() || E.Accesses[Next].Record != N) {
      require(Got.Mask == 0);
      continue;
    }
    const Access &A = E.Accesses[Next++];
    require(Got.Mask == A.Mask && Got.Space == A.Space);
    std::vector<uint64_t> InTrace, Wanted;
    for (uint32_t M = A.Mask; M; M &= M - 1) {
      const unsigned L = unsigned(std::countr_zero(M));
      InTrace.push_back(Got.address(L));
      Wanted.push_back(A.Addresses[L]);
    }
    if (Order == LaneOrder::Free && A.Space == HEDDLE_SPACE_SHARED &&
        Code.Memory[N].AccessBytes <= MaxFreeBytes) {
      std::ranges::sort(InTrace);
      std::ranges::sort(Wanted);
    }
    require(InTrace == Wanted);
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Bytes, size_t Size) {
  const CodeTable Code = makeCode();
  EventReader R(Bytes, Bytes + Size);
  std::vector<Event> Events;
  while (!R.done()) {
    Events.push_back(R.event(Code));
    // Loops are what folds, and random bytes hardly ever say one.
    if (Events.size() % 8 == 0 && Bytes[0] & 1)
      for (unsigned Times = 0; Times < 3; ++Times)
        for (size_t I = 8; I > 0; --I)
          Events.push_back(Event(Events[Events.size() - 8]));
  }
  const LaneOrder Order =
      Size && Bytes[0] & 2 ? LaneOrder::Free : LaneOrder::Kept;
  WarpEncoder Encoder(Code, Order);
  for (const Event &E : Events) {
    Encoder.block(E.Block, E.Mask);
    for (const Access &A : E.Accesses)
      Encoder.memory(A.Record, A.Space, A.Mask, A.Addresses.data());
  }
  const WarpTrace Warp = Encoder.finish();
  Result<TraceCounts> Counts = verifyWarp(Code, Warp, ~0u);
  require(Counts.has_value() && Counts->Events == Events.size());
  WarpCursor C(Code, Warp);
  for (const Event &E : Events)
    expectEvent(C, Code, E, Order);
  require(!C.next());
  return 0;
}
