//===- RegisterBanks.cpp - Which banks operands are read from -------------===//

#include "arch/RegisterBanks.h"

#include <algorithm>
#include <array>
#include <span>

using namespace heddle;
using namespace heddle::arch;

static std::span<const uint16_t> usesOf(const HeddleInst &I) {
  return {I.Registers + I.NumDefs, I.NumUses};
}

static bool contains(std::span<const uint16_t> Registers, uint16_t R) {
  return std::find(Registers.begin(), Registers.end(), R) != Registers.end();
}

BankCycles arch::bankCycles(const HeddleInst &I, const HeddleInst *Before,
                            bool Allocated, const FrontEndSpec &F) {
  if (I.Class == HEDDLE_OP_TENSOR || !F.RegisterBanks)
    return 0; // measured latencies of tensor cores hold it
  const std::span<const uint16_t> Uses = usesOf(I);
  std::array<unsigned, MaxBanks> Reads{};
  unsigned NumReads = I.Registers[0]; // others begin elsewhere
  for (size_t N = 0; N != Uses.size(); ++N)
    if (!contains(Uses.first(N), Uses[N]) && // read once for both
        !(Before && contains(usesOf(*Before), Uses[N])))
      ++Reads[(Allocated ? Uses[N] : NumReads++) % F.RegisterBanks % MaxBanks];
  const unsigned Ports = std::max(1u, F.RegisterPorts);
  BankCycles Packed = 0;
  for (unsigned Bank = 0; Bank != MaxBanks; ++Bank)
    Packed |= std::min(15u, (Reads[Bank] + Ports - 1) / Ports) << 4 * Bank;
  return Packed;
}
