//===- SASSOperands.cpp - Registers of a SASS instruction -----------------===//

#include "SASSOperands.h"
#include "Opcodes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace heddle::machine {

namespace {

constexpr unsigned FirstUniform = 257, FirstPredicate = 330,
                   FirstUniformPredicate = 340;

/// The table's number of "R12.reuse", "-R3", "|R4|", "[R2.64+0x10]"; 0 if it is
/// no register that holds anything.
unsigned registerOf(StringRef Text) {
  Text = Text.ltrim("-|~![");
  unsigned First = 0;
  if (Text.consume_front("UR"))
    First = FirstUniform;
  else if (Text.consume_front("UP"))
    First = FirstUniformPredicate;
  else if (Text.consume_front("R"))
    First = 1;
  else if (Text.consume_front("P"))
    First = FirstPredicate;
  unsigned N;
  if (!First || Text.consumeInteger(10, N))
    return 0; // RZ, PT and URZ too
  return First + N;
}

/// 32-bit registers that operand \p Index of \p I stands for.
unsigned widthOf(const SASSInst &I, unsigned Index, bool IsMemory) {
  const StringRef Opcode = I.Opcode, Operand = I.Operands[Index];
  if (Operand.contains('[')) // an address
    return Operand.contains(".64") ||
                   (Opcode.starts_with("LDG.E") && !Operand.contains(".U32"))
               ? 2
               : 1;
  if (IsMemory)
    return std::max(1u, accessBytes(Opcode) / 4);
  if (Opcode.starts_with("IMAD.WIDE"))
    return Index == 0 || Index == 3 ? 2 : 1;
  const bool Wide = Opcode.starts_with("D") && !Opcode.starts_with("DEPBAR");
  if (Wide || (Opcode.contains(".F64") && Index == 0) ||
      (Index == 0 && Opcode == "CS2R") || (Index == 0 && Opcode == "ULDC.64"))
    return 2;
  return 1;
}

bool hasNoResult(StringRef Base) {
  return StringSwitch<bool>(Base)
      .Cases({"STG", "ST", "STS", "STL", "RED", "REDG"}, true)
      .Cases({"BRA", "EXIT", "BAR", "BSSY", "BSYNC", "MEMBAR"}, true)
      .Cases({"WARPSYNC", "CALL", "RET", "NOP", "SUST"}, true)
      .Default(false);
}

} // namespace

SASSRegisters registersOf(const SASSInst &I) {
  const bool IsMemory = spaceOf(I.Opcode) != HEDDLE_SPACE_NONE;
  SASSRegisters Out;
  if (unsigned Guard = registerOf(I.Guard))
    Out.Uses.push_back(Guard);
  const bool NoResult = hasNoResult(StringRef(I.Opcode).split('.').first);
  bool DefsOver = NoResult;
  for (auto [N, Operand] : enumerate(I.Operands)) {
    const unsigned R = registerOf(Operand);
    // Results come first: one register, and predicates around it.
    const bool IsPredicate = R >= FirstPredicate || Operand == "PT";
    const bool Writes =
        !DefsOver &&
        (N == 0 || (N == 1 && (IsPredicate ||
                               StringRef(I.Operands[0]).starts_with("P"))));
    if (!R)
      continue;
    const unsigned Width = R >= FirstPredicate ? 1 : widthOf(I, N, IsMemory);
    for (unsigned W = 0; W != Width; ++W)
      (Writes ? Out.Defs : Out.Uses).push_back(R + W);
  }
  return Out;
}

} // namespace heddle::machine
