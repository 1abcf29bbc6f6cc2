//===- RegisterEstimate.cpp - Registers per thread by liveness ------------===//

#include "OpcodeInfo.h"
#include "Registers.h"

#include "llvm/ADT/BitVector.h"

using namespace llvm;

namespace heddle {

namespace {

unsigned width(ptx::RegisterKind Kind) {
  switch (Kind) {
  case ptx::RegisterKind::Predicate:
    return 0; // predicates have a file of their own
  case ptx::RegisterKind::B16:
  case ptx::RegisterKind::B32:
    return 1;
  case ptx::RegisterKind::B64:
    return 2;
  case ptx::RegisterKind::B128:
    return 4;
  }
  return 1;
}

class Liveness {
public:
  explicit Liveness(const ptx::Kernel &K) : K(K) {}
  unsigned mostLive();

private:
  void findConstantOperands();
  void solve();
  unsigned walk(const ptx::Block &B, BitVector Live) const;
  void step(const ptx::Inst &I, BitVector &Live) const;

  const ptx::Kernel &K;
  BitVector Free; ///< registers that need none of the hardware's
  std::vector<BitVector> LiveOut;
};

/// Kernel arguments stay in the constant bank, from which arithmetic reads
/// them; the register that PTX loads one into costs nothing.
void Liveness::findConstantOperands() {
  Free.resize(K.Registers.size());
  BitVector Otherwise(K.Registers.size());
  for (const ptx::Block &B : K.Blocks)
    for (const ptx::Inst &I : B.Insts) {
      bool Param = StringRef(I.Opcode).starts_with("ld.param");
      for (unsigned R : I.Defs)
        (Param ? Free : Otherwise).set(R);
    }
  Free.reset(Otherwise);
}

void Liveness::step(const ptx::Inst &I, BitVector &Live) const {
  // A guarded write may leave the old value in place.
  if (!I.Guarded)
    for (unsigned R : I.Defs)
      Live.reset(R);
  for (unsigned R : I.Uses)
    if (!Free.test(R))
      Live.set(R);
}

void Liveness::solve() {
  LiveOut.assign(K.Blocks.size(), BitVector(K.Registers.size()));
  std::vector<BitVector> LiveIn = LiveOut;
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t N = K.Blocks.size(); N-- != 0;) {
      const ptx::Block &B = K.Blocks[N];
      for (unsigned S : B.Successors)
        LiveOut[N] |= LiveIn[S];
      BitVector Live = LiveOut[N];
      for (const ptx::Inst &I : reverse(B.Insts))
        step(I, Live);
      if (Live != LiveIn[N]) {
        LiveIn[N] = std::move(Live);
        Changed = true;
      }
    }
  }
}

unsigned Liveness::walk(const ptx::Block &B, BitVector Live) const {
  auto Count = [&] {
    unsigned Sum = 0;
    for (unsigned R : Live.set_bits())
      Sum += width(K.Registers[R].Kind);
    return Sum;
  };
  unsigned Most = Count();
  for (const ptx::Inst &I : reverse(B.Insts)) {
    step(I, Live);
    Most = std::max(Most, Count());
  }
  return Most;
}

unsigned Liveness::mostLive() {
  findConstantOperands();
  solve();
  unsigned Most = 0;
  for (auto [N, B] : enumerate(K.Blocks))
    Most = std::max(Most, walk(B, LiveOut[N]));
  return Most;
}

/// What ptxas needs beyond the values: it never goes below this overhead.
constexpr unsigned OverheadRegisters = 4;
/// The most a thread may have on every architecture since sm_35.
constexpr unsigned MaxRegisters = 255;

} // namespace

unsigned estimateRegisters(const ptx::Kernel &PTX) {
  return std::min(MaxRegisters, Liveness(PTX).mostLive() + OverheadRegisters);
}

} // namespace heddle
