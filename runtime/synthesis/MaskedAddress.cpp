//===- MaskedAddress.cpp - Accesses that go around in their array ---------===//

#include "synthesis/AddressPlan.h"

#include <fmt/format.h>

namespace heddle::synthesis {

using namespace behavior;

/// The distance of an access that goes around from its least address before it
/// does: 32 bits, of which the lower ones count.
PlannedCode::Sum AddressPlan::distance(const Access &A, unsigned B,
                                       ChainBlocks::Slot &S) {
  if (!A.Coefficients[EarlierTrips]) {
    PlannedCode::Sum Sum =
        Code.sumOf(A.Coefficients, P.Blocks[B].Loop, /*Stretched=*/false);
    Sum.Bias += A.Constant - A.Least;
    return Sum;
  }
  const Place At = affine(A, B);
  const std::string Low = Code.newRegister(Kind::B32);
  Code.before(B, S, fmt::format("cvt.u32.u64 {}, {}", Low, At.Base));
  return {Low, At.Offset};
}

/// The address of an access that goes around: its distance, cut by a mask.
AddressPlan::Place AddressPlan::around(const Access &A, unsigned B,
                                       ChainBlocks::Slot &S) {
  const auto [Sum, Bias] = distance(A, B, S);
  const std::string Base = arrayBase(A.Array);
  const uint64_t Mask = A.Modulus - 1, Ahead = uint64_t(Bias) & Mask;
  const size_t Index = &S - Blocks[B].Slots.data();
  // Loads of several arrays at one index share it.
  auto &[First, Cut] = Distances[{Sum, Ahead, A.Modulus, B}];
  if (Cut.empty() || Index < First) {
    First = Index;
    Cut = Code.newRegister(Kind::B32);
    if (Ahead)
      Code.before(B, S,
                  fmt::format("add.s32 {}, {}, {}", Cut, Sum, int32_t(Ahead)));
    Code.before(
        B, S, fmt::format("and.b32 {}, {}, {}", Cut, Ahead ? Cut : Sum, Mask));
  }
  // A multiplication where the original made the index an address by one.
  const std::string Address = Code.newRegister(Kind::B64);
  if (Blocks.hasMultiplication(B)) {
    Code.before(B, S,
                fmt::format("mad.wide.u32 {}, {}, 1, {}", Address, Cut, Base));
  } else {
    Code.before(B, S, fmt::format("cvt.u64.u32 {}, {}", Address, Cut));
    Code.before(B, S, fmt::format("add.s64 {0}, {0}, {1}", Address, Base));
  }
  return {Address, A.Least + Margins[A.Array]};
}

} // namespace heddle::synthesis
