//===- RegisterShares.h - Registers that warps hand over --------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_REGISTERSHARES_H
#define HEDDLE_TIMING_UNITS_REGISTERSHARES_H

#include "heddle/ABI/CodeTable.h"

#include <cstdint>
#include <vector>

namespace heddle::timing {

/// The registers of each resident block, which setmaxnreg moves between its
/// warps: .dec gives some to the block's pool, .inc waits until the pool has as
/// many (PTX ISA 8.8, "setmaxnreg"). All counts are of one thread of a warp.
/// What a block has is fixed at its launch, so that no other block starts
/// earlier. [Assumption: what a warp has at its end stays out of the pool.]
class RegisterShares {
public:
  /// Each warp starts with \p AtLaunch.
  RegisterShares(unsigned Blocks, unsigned Warps, unsigned AtLaunch)
      : AtLaunch(AtLaunch), Pool(Blocks), Has(Warps) {}

  void startBlock(unsigned Block) { Pool[Block] = 0; }
  void startWarp(unsigned Warp) { Has[Warp] = AtLaunch; }

  /// Does what \p Products (HeddleInst::Products) asks for; false if there are
  /// too few.
  bool change(unsigned Block, unsigned Warp, uint16_t Products) {
    const unsigned Count = Products & HEDDLE_REGISTERS_COUNT;
    if (Count > Has[Warp] && Count - Has[Warp] > Pool[Block])
      return false;
    Pool[Block] += Has[Warp] - Count; // modulo 2^32
    Has[Warp] = Count;
    return true;
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[AtLaunch, Pool, Has] = *this;
    A(Pool, Has);
  }

private:
  const unsigned AtLaunch;
  std::vector<unsigned> Pool; ///< by block slot
  std::vector<unsigned> Has;  ///< by warp slot
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_REGISTERSHARES_H
