//===- DrawnAddress.cpp - Addresses that a clone draws --------------------===//

#include "synthesis/AddressPlan.h"

#include <array>
#include <fmt/format.h>

namespace heddle::synthesis {

using namespace behavior;

DrawnAccess AddressPlan::drawn(const Access &A, unsigned B) const {
  const Array &Where = P.Arrays[A.Array];
  const behavior::Block &Block = P.Blocks[B];
  double Lanes = Block.WarpCount ? double(Block.ECount) / Block.WarpCount : 32;
  return planDrawn(A, Lanes, Where.Where == Space::Shared, Block.Loop != None,
                   Where.Where == Space::Global ? 0 : Where.SizeBytes);
}

/// An address in the window for groups of lanes: a step of the counter, cut to
/// the window. A walk starts again whenever its loop does.
AddressPlan::Place AddressPlan::irregular(const Access &A, unsigned B,
                                          ChainBlocks::Slot &S) {
  const DrawnAccess D = drawn(A, B);
  std::string Base = arrayBase(A.Array);
  if (D.LaneStride && D.GroupLanes > 1) {
    std::string &Own = LaneBases[{A.Array, D.GroupLanes, D.LaneStride}];
    if (Own.empty()) {
      std::string Lane = Code.newRegister(Kind::B32);
      Own = Code.newRegister(Kind::B64);
      Code.start(PlannedCode::Entry,
                 fmt::format("and.b32 {}, {}, {}", Lane, Code.key(ThreadX),
                             D.GroupLanes - 1));
      Code.start(PlannedCode::Entry,
                 fmt::format("mad.wide.u32 {}, {}, {}, {}", Own, Lane,
                             D.LaneStride, Base));
    }
    Base = Own;
  }
  if (D.WindowBytes == D.UnitBytes)
    return {Base, A.Least + Margins[A.Array]};
  std::string State = Code.wideRandom(D.GroupLanes);
  const std::string Draw =
      fmt::format("add.s64 {0}, {0}, {1}", State, PlannedCode::WeylStep);
  if (D.OwnPlaces) {
    const unsigned At = Code.outside(P.Blocks[B].Loop);
    // Accesses of an array that are alike share their neighbourhood.
    std::string &Origin =
        Origins[{A.Array, P.Blocks[B].Loop, D.OwnPlaces, D.GroupLanes}];
    if (Origin.empty()) {
      Origin = Code.newRegister(Kind::B64);
      Code.start(At, Draw);
      Code.start(At,
                 fmt::format("and.b64 {}, {}, {}", Origin, State, D.mask()));
      Code.start(At, fmt::format("add.s64 {0}, {0}, {1}", Origin, Base));
    }
    const std::string Address = Code.newRegister(Kind::B64);
    if (!D.OwnSequence.empty()) {
      const std::string Counter = Code.commonCounter(),
                        Table = Code.table(D.OwnSequence),
                        Next = Code.newRegister(Kind::B64);
      const size_t Bytes = 8 * D.OwnSequence.size();
      Code.before(B, S, fmt::format("add.s64 {0}, {0}, 8", Counter));
      Code.before(B, S,
                  fmt::format("and.b64 {}, {}, {}", Next, Counter, Bytes - 8));
      Code.before(B, S, fmt::format("add.s64 {0}, {0}, {1}", Next, Table));
      Code.before(B, S, fmt::format("ld.const.u64 {0}, [{0}]", Next));
      Code.before(B, S,
                  fmt::format("add.s64 {}, {}, {}", Address, Next, Origin));
      return {Address, A.Least + Margins[A.Array]};
    }
    const std::string Own = Code.threadRandom(D.GroupLanes),
                      Which = Code.newRegister(Kind::B32);
    // Even steps return to each address as late as possible.
    Code.before(B, S,
                fmt::format("mad.lo.u32 {0}, {0}, 1664525, 1013904223", Own));
    Code.before(B, S,
                fmt::format("mul.hi.u32 {}, {}, {}", Which, Own, D.OwnPlaces));
    Code.before(B, S,
                fmt::format("mad.wide.u32 {}, {}, {}, {}", Address, Which,
                            D.OwnStride, Origin));
    return {Address, A.Least + Margins[A.Array]};
  }
  if (D.Step) {
    const unsigned At = Code.outside(P.Blocks[B].Loop);
    std::string Walk = Code.newRegister(Kind::B64);
    Code.start(At, Draw);
    if (D.WalksOut) {
      Code.start(At, fmt::format("and.b64 {}, {}, {}", Walk, State, D.mask()));
      Code.start(At, fmt::format("add.s64 {0}, {0}, {1}", Walk, Base));
      Code.before(B, S, fmt::format("add.s64 {0}, {0}, {1}", Walk, D.Step));
      return {Walk, A.Least - D.Step + Margins[A.Array]};
    }
    Code.start(At, fmt::format("mov.u64 {}, {}", Walk, State));
    State = Walk;
    Code.before(B, S, fmt::format("add.s64 {0}, {0}, {1}", State, D.Step));
  } else {
    Code.before(B, S, Draw);
  }
  std::string Drawn = State, Address = Code.newRegister(Kind::B64);
  for (unsigned I = 0; I < D.Skew; ++I) {
    std::string Copy = Code.newRegister(Kind::B64);
    Code.before(B, S,
                fmt::format("shr.u64 {}, {}, {}", Copy, State, 5 + 3 * I));
    Code.before(B, S, fmt::format("and.b64 {}, {}, {}", Address, Copy, Drawn));
    Drawn = Address;
  }
  Code.before(B, S,
              fmt::format("and.b64 {}, {}, {}", Address, Drawn, D.mask()));
  Code.before(B, S, fmt::format("add.s64 {0}, {1}, {0}", Address, Base));
  return {Address, A.Least + Margins[A.Array]};
}

Access AddressPlan::sumOf(Access A) {
  A.IsAffine = true;
  A.Near = 0;
  A.Leader = None;
  return A;
}

/// Behind an affine address: a number of the group of lanes, times the bytes of
/// an access.
AddressPlan::Place AddressPlan::near(const Access &A, unsigned B,
                                     ChainBlocks::Slot &S) {
  const DrawnAccess D = drawn(A, B);
  const Place Sum = affine(sumOf(A), B);
  const std::string Own = Code.threadRandom(D.GroupLanes),
                    Which = Code.newRegister(Kind::B32),
                    Address = Code.newRegister(Kind::B64);
  const std::array Draw = {
      fmt::format("mad.lo.u32 {0}, {0}, 1664525, 1013904223", Own),
      fmt::format("mul.hi.u32 {}, {}, {}", Which, Own, D.NearPlaces)};
  for (const std::string &Text : Draw)
    if (D.StaysNear)
      Code.start(Code.outside(P.Blocks[B].Loop), Text);
    else
      Code.before(B, S, Text);
  Code.before(B, S,
              fmt::format("mad.wide.u32 {}, {}, {}, {}", Address, Which,
                          A.Bytes, Sum.Base));
  return {Address, Sum.Offset};
}

} // namespace heddle::synthesis
