//===- RegisterBanks.cpp - How long operands take to be read --------------===//

#include "arch/RegisterBanks.h"

#include <algorithm>
#include <span>

using namespace heddle;

unsigned arch::collectCycles(const HeddleInst &I, const FrontEndSpec &F) {
  if (I.Class == HEDDLE_OP_TENSOR)
    return 1; // measured latencies hold it
  const std::span<const uint16_t> Uses(I.Registers + I.NumDefs, I.NumUses);
  unsigned Most = 0;
  for (size_t A = 0; A < Uses.size() && F.RegisterBanks; ++A) {
    unsigned InBank = 0;
    for (size_t B = 0; B <= A; ++B)
      InBank += Uses[A] % F.RegisterBanks == Uses[B] % F.RegisterBanks &&
                std::find(Uses.begin(), Uses.begin() + B, Uses[B]) ==
                    Uses.begin() + B; // read once for both
    Most = std::max(Most, InBank);
  }
  const unsigned Ports = std::max(1u, F.RegisterPorts);
  return std::max(1u, (Most + Ports - 1) / Ports);
}
