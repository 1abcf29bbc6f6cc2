//===- SASSInstruction.cpp - What an instruction of nvdisasm does ---------===//

#include "SASSInstruction.h"
#include "Opcodes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/bit.h"

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

/// 32-bit registers of operand \p Index of a matrix product: the sums, the
/// factors and what is added, spread over the 32 lanes.
unsigned fragmentWidth(const MatrixProduct &P, StringRef Opcode,
                       unsigned Index) {
  // A step adds to two registers of each lane.
  if (Opcode.contains("STEP"))
    return 2;
  const unsigned FactorBits = Opcode.starts_with("HMMA")   ? 16
                              : Opcode.starts_with("DMMA") ? 64
                                                           : 8;
  const unsigned SumBits = P.HalfSums                   ? 16
                           : Opcode.starts_with("DMMA") ? 64
                                                        : 32;
  const unsigned Bits = Index == 1   ? P.Rows * P.Depth * FactorBits
                        : Index == 2 ? P.Columns * P.Depth * FactorBits
                                     : P.Rows * P.Columns * SumBits;
  return std::max(1u, Bits / (32 * 32));
}

bool isTexture(StringRef Opcode) {
  return spaceOf(Opcode) == HEDDLE_SPACE_TEXTURE;
}

/// Of the texel that \p I fetches.
unsigned textureComponents(const SASSInst &I) {
  unsigned Mask = 0xf;
  if (StringRef Last = I.Operands.back(); Last.consume_front("0x"))
    Last.getAsInteger(16, Mask);
  return popcount(Mask & 0xf);
}

/// "TEX R14, R6, R8, R10, 2D, 0x7": the second register is the first of up to
/// two components, the first one of those behind them, and the mask says which
/// of the four there are. Coordinates count as one register.
unsigned textureWidth(const SASSInst &I, unsigned Index) {
  const unsigned Count = textureComponents(I);
  return Index == 0   ? std::max(3u, Count) - 2
         : Index == 1 ? std::clamp(Count, 1u, 2u)
                      : 1;
}

/// 32-bit registers that operand \p Index of \p I stands for.
unsigned widthOf(const SASSInst &I, unsigned Index, bool IsMemory) {
  const StringRef Opcode = I.Opcode, Operand = I.Operands[Index];
  if (Operand.contains('[')) // an address
    return Operand.contains(".64") ||
                   (Opcode.starts_with("LDG.E") && !Operand.contains(".U32"))
               ? 2
               : 1;
  if (isTexture(Opcode))
    return textureWidth(I, Index);
  if (IsMemory)
    return std::max(1u, accessBytes(Opcode) / 4);
  if (const MatrixProduct P = matrixProductOf(Opcode); P.Products)
    return fragmentWidth(P, Opcode, Index);
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
      .Cases({"STG", "ST", "STS", "STL", "RED", "REDG", "LDGSTS"}, true)
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
        (N == 0 || (N == 1 && (IsPredicate || isTexture(I.Opcode) ||
                               StringRef(I.Operands[0]).starts_with("P"))));
    if (!R)
      continue;
    const unsigned Width = R >= FirstPredicate ? 1 : widthOf(I, N, IsMemory);
    for (unsigned W = 0; W != Width; ++W)
      (Writes ? Out.Defs : Out.Uses).push_back(R + W);
  }
  return Out;
}

bool isAccess(const SASSInst &I) {
  return spaceOf(I.Opcode) != HEDDLE_SPACE_NONE;
}

bool isConstant(const SASSInst &I) {
  const StringRef Base = StringRef(I.Opcode).split('.').first;
  return Base == "LDC" || Base == "ULDC" || Base == "MOV" || Base == "UMOV";
}

bool isOfEachIteration(const SASSInst &I) {
  const OpcodeRow &Row = *findOpcode(I.Opcode);
  return isAccess(I) || Row.Class == HEDDLE_OP_TENSOR ||
         (Row.Class == HEDDLE_OP_MAD && Row.Type >= HEDDLE_TYPE_F16 &&
          Row.Type <= HEDDLE_TYPE_F64);
}

Expected<HeddleInst> translate(const SASSInst &I, const PlacedInst *From,
                               CodeTableBuilder &Builder) {
  const OpcodeRow *Row = findOpcode(I.Opcode);
  if (!Row)
    return createStringError("--isa sass: '" + I.Opcode +
                             "' has no row in lib/MachineCode/Opcodes.def");
  HeddleInst Out = {};
  Out.Opcode = Builder.opcode(I.Opcode);
  Out.Memory = HEDDLE_NO_MEMORY;
  Out.Class = classInTable(I.Opcode, *Row);
  Out.Type = Row->Type;
  Out.Issued = 1;
  Out.Space = spaceOf(I.Opcode);
  if (Out.Space != HEDDLE_SPACE_NONE)
    Out.AccessBytes = accessBytes(I.Opcode);
  if (From) {
    Out.SourceLine = From->Inst.SourceLine;
    Out.SourceFile = From->Inst.SourceFile;
    const bool Spills = Out.Space == HEDDLE_SPACE_LOCAL &&
                        From->Inst.Space != HEDDLE_SPACE_LOCAL &&
                        From->Inst.Space != HEDDLE_SPACE_GENERIC;
    if (Out.Space != HEDDLE_SPACE_NONE && !Spills &&
        From->Inst.Memory != HEDDLE_NO_MEMORY) {
      Out.Memory = From->Inst.Memory;
      Out.ByteOffset = From->Inst.ByteOffset;
      Out.Flags = From->Inst.Flags;
    }
    if (Out.Class == HEDDLE_OP_TENSOR)
      Out.Type = From->Inst.Type;
    if (Out.Class == HEDDLE_OP_BARRIER && Out.Class == From->Inst.Class)
      Out.Products = From->Inst.Products;
    if (StringRef(I.Opcode).contains("DEPBAR") &&
        From->Inst.Flags & HEDDLE_INST_ASYNC) {
      Out.Class = From->Inst.Class;
      Out.Flags = From->Inst.Flags;
      Out.Products = From->Inst.Products;
    }
  }
  if (Out.Class == HEDDLE_OP_TENSOR) {
    const MatrixProduct P = matrixProductOf(I.Opcode);
    Out.Products = P.Products;
    Out.Flags = P.HalfSums ? HEDDLE_INST_HALF_SUMS : 0;
  }
  const auto [Defs, Uses] = registersOf(I);
  CodeTableBuilder::setRegisters(Out, Defs, Uses);
  Out.Guarded = registerOf(I.Guard) != 0;
  return Out;
}

} // namespace heddle::machine
