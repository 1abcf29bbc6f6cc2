//===- WordLogic.cpp - The two words of a 64-bit value --------------------===//
//
// The hardware computes values of 64 bits word by word. A word that is known to
// be zero takes no instruction, and logic looks at each word's own inputs
// (ptxas 11.8, sm_70 to sm_90).
//
//===----------------------------------------------------------------------===//

#include "Operands.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::machine {

constexpr unsigned LowWord = 1, HighWord = 2;

std::optional<int64_t> Operands::constantIn(const Operand &O) const {
  if (!O.Register)
    return integer(O.Text);
  const ptx::Inst *Def = DefOf[O.Register];
  if (Places[O.Register] != Place::Immediate || !Def)
    return std::nullopt;
  return integer(of(*Def).back().Text);
}

/// Bit N of the result: word N of \p O is known to be 0.
unsigned Operands::zeroWords(const Operand &O) const {
  if (const auto C = constantIn(O))
    return (uint32_t(*C) == 0 ? LowWord : 0) |
           (uint64_t(*C) >> 32 == 0 ? HighWord : 0);
  if (!O.Register || !DefOf[O.Register] || Places[O.Register] == Place::Bank ||
      PTX.Registers[O.Register].Kind != ptx::RegisterKind::B64)
    return 0;
  if (auto Known = ZeroWords.find(O.Register); Known != ZeroWords.end())
    return Known->second;
  const unsigned Words = zeroWordsAfter(*DefOf[O.Register]);
  return ZeroWords[O.Register] = Words;
}

/// The same of what \p I writes.
unsigned Operands::zeroWordsAfter(const ptx::Inst &I) const {
  const StringRef Opcode = I.Opcode;
  const SmallVector<Operand, 4> All = of(I);
  if (Opcode == "cvt.u64.u32" || Opcode == "cvt.u64.u16")
    return HighWord;
  if (All.size() == 2 && Opcode.starts_with("mov.b64"))
    return All[1].Register ? zeroWords(All[1]) : 0;
  if (All.size() != 3)
    return 0;
  if (Opcode == "and.b64")
    return zeroWords(All[1]) | zeroWords(All[2]);
  if (Opcode == "or.b64" || Opcode == "xor.b64")
    return zeroWords(All[1]) & zeroWords(All[2]);
  const auto Distance = constantIn(All[2]);
  if (!Distance || *Distance < 0)
    return 0;
  if (Opcode == "shl.b64")
    return *Distance >= 32 ? LowWord : zeroWords(All[1]) & LowWord;
  if (Opcode == "shr.u64" || Opcode == "shr.b64")
    return *Distance >= 32 ? HighWord : zeroWords(All[1]) & HighWord;
  return 0;
}

WordLogic Operands::wordOf(const Operand &O, unsigned Word, Value Taken) const {
  const ptx::Inst *Inner = O.Register ? DefOf[O.Register] : nullptr;
  if (Inner &&
      (Folded[O.Register] || Repeated[O.Register] || O.Register == Taken) &&
      isLogic(Inner->Opcode))
    return wordLogic(*Inner, Word, Taken);
  WordLogic L;
  if (const auto C = constantIn(O)) {
    const uint32_t Bits = uint64_t(*C) >> (32 * Word);
    if (Bits == 0 || Bits == UINT32_MAX)
      L.Filled = Bits != 0;
  } else if (isZeroWord(O, Word)) {
    L.Filled = false;
  }
  if (L.Filled)
    return L;
  L.Inputs.push_back(O);
  if (O.Register) {
    L.Inputs[0].Register = resolve(O.Register);
    L.Inputs[0].Where = Places[L.Inputs[0].Register];
  }
  return L;
}

WordLogic Operands::wordLogic(const ptx::Inst &I, unsigned Word,
                              Value Taken) const {
  const StringRef Opcode = I.Opcode;
  const SmallVector<Operand, 4> All = of(I);
  const WordLogic A = wordOf(All[1], Word, Taken),
                  B = wordOf(All[2], Word, Taken);
  for (const auto &[One, Other] : {std::pair(&A, &B), std::pair(&B, &A)}) {
    if (!One->Filled)
      continue;
    // What changes nothing, or decides.
    const bool Keeps = *One->Filled == Opcode.starts_with("and");
    if (Keeps)
      return *Other;
    if (!Opcode.starts_with("xor"))
      return *One;
  }
  WordLogic Both = A;
  Both.Copies = false;
  Both.Filled.reset();
  for (const Operand &O : B.Inputs)
    if (none_of(Both.Inputs, [&](const Operand &Other) {
          return O.Register ? Other.Register == O.Register
                            : !Other.Register && Other.Text == O.Text;
        }))
      Both.Inputs.push_back(O);
  return Both;
}

} // namespace heddle::machine
