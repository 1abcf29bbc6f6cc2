//===- RegisterEstimate.cpp - Registers per thread by liveness ------------===//

#include "Expansion.h"
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

/// Loads of one block that the scheduler starts early, at most.
constexpr unsigned MaxLoadsAhead = 16;

/// Registers that the loads of an unrolled loop may add, at most.
constexpr unsigned MaxUnrolledRegisters = 32;

bool isLoad(StringRef Opcode) {
  return Opcode.starts_with("ld.global") || Opcode.starts_with("ld.shared") ||
         Opcode.starts_with("ld.local");
}

bool isBarrierToLoads(StringRef Opcode) {
  return Opcode.starts_with("st.") || Opcode.starts_with("bar") ||
         Opcode.starts_with("atom") || Opcode.starts_with("red");
}

class Liveness {
public:
  explicit Liveness(const ptx::Kernel &K) : K(K) {}
  unsigned mostLive();

private:
  void findFree();
  void findNarrow();
  void hoistLoads();
  void solve();
  unsigned count(const BitVector &Live) const;
  unsigned walk(unsigned Block) const;
  unsigned unrolledLoads(unsigned Block) const;
  void step(const ptx::Inst &I, BitVector &Live) const;

  const ptx::Kernel &K;
  std::vector<std::vector<const ptx::Inst *>> Order; ///< of each block
  BitVector Free; ///< registers that need none of the hardware's
  std::vector<unsigned> Widths;
  std::vector<BitVector> LiveOut;
};

/// Kernel arguments stay in the constant bank, from which arithmetic reads
/// them, and constants are part of the instruction: the registers that PTX
/// loads them into cost nothing.
void Liveness::findFree() {
  Free.resize(K.Registers.size());
  BitVector Otherwise(K.Registers.size());
  for (bool Changed = true; Changed;) {
    BitVector Before = Free;
    Otherwise.reset();
    for (const ptx::Block &B : K.Blocks)
      for (const ptx::Inst &I : B.Insts) {
        StringRef Opcode = I.Opcode;
        bool Copy = Opcode.starts_with("mov.") || Opcode.starts_with("cvta.");
        bool Constant = Opcode.starts_with("ld.param") ||
                        (Copy && !StringRef(I.Symbol).starts_with("%") &&
                         all_of(I.Uses, [&](unsigned R) { return Free[R]; }));
        for (unsigned R : I.Defs)
          (Constant ? Free : Otherwise).set(R);
      }
    Free.reset(Otherwise);
    Changed = Free != Before;
  }
}

/// Addresses in shared memory are 64 bits wide in PTX and 32 in hardware.
void Liveness::findNarrow() {
  Widths.resize(K.Registers.size());
  BitVector Wide(K.Registers.size());
  auto IsShared = [](StringRef Opcode) { return Opcode.contains(".shared"); };
  auto IsSum = [](StringRef Opcode) {
    return Opcode == "add.s64" || Opcode == "mov.b64" || Opcode == "mov.u64" ||
           Opcode.starts_with("mul.wide.") || Opcode == "shl.b64";
  };
  for (bool Changed = true; Changed;) {
    BitVector Before = Wide;
    for (const ptx::Block &B : K.Blocks)
      for (const ptx::Inst &I : B.Insts) {
        if (IsSum(I.Opcode)) {
          if (any_of(I.Defs, [&](unsigned R) { return Wide[R]; }))
            for (unsigned R : I.Uses)
              Wide.set(R);
          continue;
        }
        bool Writes = !StringRef(I.Opcode).starts_with("st.");
        for (auto [N, R] : enumerate(I.Uses))
          // The first use of a shared access is its address.
          if (!IsShared(I.Opcode) || N != I.Guarded)
            Wide.set(R);
        if (Writes)
          for (unsigned R : I.Defs)
            Wide.set(R);
      }
    Changed = Wide != Before;
  }
  for (auto [R, Register] : enumerate(K.Registers)) {
    Widths[R] = width(Register.Kind);
    if (Register.Kind == ptx::RegisterKind::B64 && !Wide[R])
      Widths[R] = 1;
  }
}

/// The allocator's scheduler starts loads as soon as their addresses are
/// known, so that several are under way at a time; each needs its register
/// from then on.
void Liveness::hoistLoads() {
  for (const ptx::Block &B : K.Blocks) {
    std::vector<const ptx::Inst *> &Insts = Order.emplace_back();
    size_t Fence = 0; ///< nothing moves above this
    unsigned Moved = 0;
    for (const ptx::Inst &I : B.Insts) {
      StringRef Opcode = I.Opcode;
      size_t At = Insts.size();
      if (isLoad(Opcode) && Moved < MaxLoadsAhead) {
        while (At != Fence &&
               none_of(Insts[At - 1]->Defs,
                       [&](unsigned R) { return is_contained(I.Uses, R); }) &&
               none_of(Insts[At - 1]->Uses,
                       [&](unsigned R) { return is_contained(I.Defs, R); }) &&
               none_of(Insts[At - 1]->Defs,
                       [&](unsigned R) { return is_contained(I.Defs, R); }))
          --At;
        Moved += At != Insts.size();
      }
      Insts.insert(Insts.begin() + At, &I);
      if (isBarrierToLoads(Opcode))
        Fence = Insts.size();
    }
  }
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
      for (unsigned S : K.Blocks[N].Successors)
        LiveOut[N] |= LiveIn[S];
      BitVector Live = LiveOut[N];
      for (const ptx::Inst *I : reverse(Order[N]))
        step(*I, Live);
      if (Live != LiveIn[N]) {
        LiveIn[N] = std::move(Live);
        Changed = true;
      }
    }
  }
}

unsigned Liveness::count(const BitVector &Live) const {
  unsigned Sum = 0;
  for (unsigned R : Live.set_bits())
    Sum += Widths[R];
  return Sum;
}

unsigned Liveness::walk(unsigned Block) const {
  BitVector Live = LiveOut[Block];
  unsigned Most = count(Live);
  for (const ptx::Inst *I : reverse(Order[Block])) {
    step(*I, Live);
    Most = std::max(Most, count(Live) + expansionOf(I->Opcode).Temporaries);
  }
  return Most + unrolledLoads(Block);
}

/// The allocator unrolls a loop of one block by four unless told not to, and
/// starts the loads of all four iterations together if no store stands between.
unsigned Liveness::unrolledLoads(unsigned Block) const {
  const ptx::Block &B = K.Blocks[Block];
  if (B.NoUnroll || !is_contained(B.Successors, Block))
    return 0;
  unsigned Sum = 0;
  for (const ptx::Inst &I : B.Insts) {
    if (isBarrierToLoads(I.Opcode))
      return 0;
    if (isLoad(I.Opcode))
      for (unsigned R : I.Defs)
        Sum += Widths[R];
  }
  return std::min(3 * Sum, MaxUnrolledRegisters);
}

unsigned Liveness::mostLive() {
  findFree();
  findNarrow();
  hoistLoads();
  solve();
  unsigned Most = 0;
  for (unsigned N = 0; N != K.Blocks.size(); ++N)
    Most = std::max(Most, walk(N));
  return Most;
}

/// ptxas gives no kernel less, whatever is live.
constexpr unsigned MinRegisters = 8;
/// What ptxas needs beyond the values: stack pointer, addresses in flight.
constexpr unsigned OverheadRegisters = 5;
/// The most a thread may have on every architecture since sm_35.
constexpr unsigned MaxRegisters = 255;

} // namespace

unsigned estimateRegisters(const ptx::Kernel &PTX) {
  return std::clamp(Liveness(PTX).mostLive() + OverheadRegisters, MinRegisters,
                    MaxRegisters);
}

} // namespace heddle
