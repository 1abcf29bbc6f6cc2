//===- NarrowValues.cpp - Values of 64 bits that take one register --------===//

#include "Operands.h"

#include "heddle/PTX/RegisterModel.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::machine {

/// Registers that start from constants and count by constants.
BitVector Operands::countersByConstants() const {
  BitVector Counters(PTX.Registers.size(), true);
  for (const ptx::Block &B : PTX.Blocks)
    for (const ptx::Inst &I : B.Insts) {
      const SmallVector<Operand, 4> All = of(I);
      const bool Sets = StringRef(I.Opcode).starts_with("mov.") &&
                        All.size() == 2 && integer(All[1].Text);
      const bool Counts = isSum(I.Opcode) && All.size() == 3 &&
                          All[1].Register == All[0].Register &&
                          integer(All[2].Text);
      if (!Sets && !Counts)
        for (Value R : I.Defs)
          Counters.reset(R);
    }
  return Counters;
}

/// The register of which \p I asks whether it equals a constant of 32 bits.
Value Operands::comparedToConstant(const ptx::Inst &I) const {
  const StringRef Opcode = I.Opcode;
  const SmallVector<Operand, 4> All = of(I);
  if (All.size() != 3 ||
      (!Opcode.starts_with("setp.ne.") && !Opcode.starts_with("setp.eq.")))
    return 0;
  const auto C = integer(All[2].Text);
  return C && *C >= 0 && *C <= INT32_MAX ? All[1].Register : 0;
}

/// What a loop moves by a product of two registers of 32 bits is one
/// IMAD.WIDE, of which ptxas 11.8 keeps both words. Constants, shifts and
/// arguments of 64 bits it takes as two sums, and drops the upper one.
bool Operands::movesByProduct(const ptx::Inst &I) const {
  return isSum(I.Opcode) && I.Defs.size() == 1 && NumDefs[I.Defs[0]] > 1 &&
         is_contained(I.Uses, I.Defs[0]) && any_of(I.Uses, [&](Value U) {
           return DefOf[U] &&
                  StringRef(DefOf[U]->Opcode).starts_with("mul.wide.");
         });
}

/// Addresses in shared memory and in the constant bank are 64 bits wide in PTX
/// and 32 in hardware. So is
/// all of which only the lower half is wanted, and what counts to a constant in
/// a loop that is written whole: its test is gone. ptxas 11.8 keeps the upper
/// half of one that a loop tests (nbody).
void Operands::findNarrow() {
  BitVector Wide(PTX.Registers.size());
  const BitVector Counters = countersByConstants();
  BitVector IsWhole(PTX.Blocks.size());
  if (Counters.any())
    for (size_t N = 0; N != PTX.Blocks.size(); ++N) {
      const registers::Unrolling How = registers::unrollingOf(PTX, N);
      IsWhole[N] = How.Counted && !How.Repeats;
    }
  auto Passes = [](StringRef Opcode) {
    return isSum(Opcode) || Opcode.starts_with("mul.wide.") ||
           Opcode == "shl.b64" || Opcode == "mov.b64" ||
           Opcode.starts_with("cvt.u64.u32") ||
           Opcode.starts_with("cvt.s64.s32") || Opcode == "selp.b64" ||
           Opcode.starts_with("mul.lo.") || Opcode.starts_with("mad.lo.") ||
           isLogic(Opcode);
  };
  // Of what they shift, both words.
  auto Shifts = [](StringRef Opcode) {
    return Opcode == "shr.u64" || Opcode == "shr.s64" || Opcode == "shr.b64";
  };
  for (bool Changed = true; Changed;) {
    const BitVector Before = Wide;
    for (auto [N, B] : enumerate(PTX.Blocks))
      for (const ptx::Inst &I : B.Insts) {
        const StringRef Opcode = I.Opcode;
        if (movesByProduct(I))
          Wide.set(I.Defs[0]);
        if (Passes(Opcode)) {
          if (any_of(I.Defs, [&](Value R) { return Wide[R]; }))
            for (Value R : I.Uses)
              Wide.set(R);
          continue;
        }
        if (const Value R = comparedToConstant(I);
            R && Counters[R] && IsWhole[N])
          continue;
        if (Opcode == "cvt.u32.u64") // wants the lower half only
          continue;
        const bool Short =
            I.addressRegister() &&
            (Opcode.contains(".shared") ||
             (Opcode.starts_with("ld.const") && !LoadsConstants));
        for (auto [Index, R] : enumerate(I.Uses))
          if (!Short || Index != I.Guarded)
            Wide.set(R);
        if (!Shifts(Opcode))
          for (Value R : I.Defs)
            Wide.set(R);
      }
    Changed = Wide != Before;
  }
  Narrow.resize(PTX.Registers.size());
  for (auto [R, Register] : enumerate(PTX.Registers))
    if (Register.Kind == ptx::RegisterKind::B64 && !Wide[R])
      Narrow.set(R);
}

} // namespace heddle::machine
