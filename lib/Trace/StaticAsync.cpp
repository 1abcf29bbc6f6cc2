//===- StaticAsync.cpp - mbarriers, bulk copies and clusters --------------===//
//
// A warp is evaluated alone, so every wait at an mbarrier ends at its first
// test: models keep the phases in their own time. A token has the parity that
// the warp has seen last. Copies are not done; what they touch follows from the
// tensor map, which is an argument of the launch.
//
//===----------------------------------------------------------------------===//

#include "StaticEvaluator.h"

#include "heddle/ABI/AsyncOps.h"
#include "heddle/ABI/BulkOps.h"
#include "heddle/Analysis/ClusterRegisters.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

#include <cstring>

using namespace llvm;

namespace heddle::statics {

/// Hands the rows of \p Words to the trace as record \p Record.
void Evaluator::observe(uint32_t Record, const uint64_t *Words) {
  uint32_t &Place = MoveOf[Record];
  if (Place == ~0u) {
    Place = uint32_t(Moves.size());
    Moves.push_back({});
  }
  if (Options.OnMemory && Mask)
    Options.OnMemory(W, Record, Mask, Words);
}

/// False if data decides which barrier it is.
bool Evaluator::actOnBarrier(const Node &N) {
  const Lanes &Barrier = in(N, 0), &Number = in(N, 1);
  if ((Barrier.Unknown | Number.Unknown) & Mask)
    return false;
  OnlyHere |= Barrier.Odd || Barrier.moves() || Number.Odd || Number.moves();
  alignas(64) uint64_t Places[32], Numbers[32];
  for (unsigned L = 0; L < 32; ++L) {
    Places[L] = uint64_t(Barrier.at(L));
    Numbers[L] = bits(Number.at(L), N.Ops[1].Width);
  }
  observe(N.Record, Places);
  observe(N.Record + 1, Numbers);
  Result = {};
  if (heddleIsPhaseTest(*N.BarrierAction)) {
    ++Decisions;
    const bool OfState = *N.BarrierAction == HEDDLE_MBARRIER_TEST_STATE;
    for (uint32_t M = Mask; M; M &= M - 1) {
      const unsigned L = unsigned(std::countr_zero(M));
      Parities[Places[L]] = !(OfState ? Numbers[L] >> 63 : Numbers[L] & 1);
    }
    Result.V[0] = 1;
    return true;
  }
  Result.Uniform = false;
  for (uint32_t M = Mask; M; M &= M - 1) {
    const unsigned L = unsigned(std::countr_zero(M));
    if (*N.BarrierAction == HEDDLE_MBARRIER_INIT)
      Parities[Places[L]] = false;
    Result.V[L] = int64_t(uint64_t(Parities[Places[L]]) << 63);
  }
  return true;
}

/// False if data decides where it lies, or if it cannot be done.
bool Evaluator::copyInBulk(const Node &N) {
  alignas(64) uint64_t Operands[HEDDLE_BULK_OPERANDS * 32],
      Records[(HEDDLE_BULK_RECORDS + 1) * 32] = {};
  for (unsigned O = 0; O < HEDDLE_BULK_OPERANDS; ++O) {
    const Lanes &A = in(N, O);
    const uint32_t Unknown = A.Unknown & Mask;
    const bool IsCoordinate =
        O >= HEDDLE_BULK_COORDS && O < HEDDLE_BULK_OFFSETS;
    if (Unknown && !IsCoordinate)
      return false;
    Decisions += Unknown != 0; // the first ones of the tensor
    OnlyHere |= A.Odd || A.moves();
    for (unsigned L = 0; L < 32; ++L)
      Operands[O * 32 + L] =
          Unknown >> L & 1 ? 0 : bits(A.at(L), N.Ops[O].Width);
  }
  for (unsigned L = 0; L < 32; ++L)
    Operands[HEDDLE_BULK_GLOBAL * 32 + L] += uint64_t(N.Offset);
  if (heddleBulkDescribe(W, *N.Bulk, Mask, Operands, Records))
    return false;
  const auto Shape = std::bit_cast<HeddleBulkShape>(*N.Bulk);
  const unsigned NumRecords =
      heddleBulkRecords(Shape.Rank) + (Shape.Kind == HEDDLE_BULK_MULTICAST);
  for (unsigned R = 0; R < NumRecords; ++R)
    observe(N.Record + R, Records + R * 32);
  Result = {};
  return true;
}

bool Evaluator::evaluateCluster(const Node &N, StringRef Name) {
  Result = {};
  Result.Odd = W->ClusterBlocks > 1;
  if (const auto Offset = clusterRegister(Name)) {
    uint32_t V;
    std::memcpy(&V, reinterpret_cast<const char *>(W) + *Offset, sizeof(V));
    Result.Odd = true;
    Result.V[0] = wrap(V, N.Width);
    return true;
  }
  const uint64_t Base = reinterpret_cast<uint64_t>(W->ClusterShared);
  const uint64_t Inside = (uint64_t(1) << W->WindowShift) - 1;
  switch (N.Intrinsic) {
  case Intrinsic::nvvm_mapa:
  case Intrinsic::nvvm_mapa_shared_cluster: {
    const bool Moves = in(N, 0).moves() || in(N, 1).moves();
    map(Result, in(N, 0), in(N, 1), [&](int64_t Address, int64_t Rank) {
      const uint64_t Block =
          std::min<uint64_t>(bits(Rank, 32), W->ClusterBlocks);
      return int64_t(Base + (Block << W->WindowShift) +
                     (uint64_t(Address) & Inside));
    });
    blur(Result, Moves || W->ClusterBlocks > 1);
    return true;
  }
  case Intrinsic::nvvm_getctarank:
  case Intrinsic::nvvm_getctarank_shared_cluster:
    map(Result, in(N, 0), in(N, 0), [&](int64_t Address, int64_t) {
      return int64_t((uint64_t(Address) - Base) >> W->WindowShift);
    });
    blur(Result, in(N, 0).moves() || W->ClusterBlocks > 1);
    return true;
  default:
    return false;
  }
}

/// elect.sync: the lowest lane of those that execute it.
bool Evaluator::evaluateElected(const Node &N) {
  const auto &Part = *cast<ExtractValueInst>(N.I);
  const int Lane = std::countr_zero(Mask);
  Result = {};
  if (Part.getIndices()[0] == 0) {
    Result.V[0] = Lane;
    return true;
  }
  Result.Uniform = false;
  Result.V[Lane] = 1;
  return true;
}

} // namespace heddle::statics
