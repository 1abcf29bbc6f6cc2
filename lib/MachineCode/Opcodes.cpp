//===- Opcodes.cpp - Instructions of NVIDIA's machines --------------------===//

#include "Opcodes.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace heddle::machine {

static constexpr OpcodeRow Rows[] = {
#define HEDDLE_MACHINE_OPCODE(Name, Class, Type, Pipe, Cycles)                 \
  {Name, HEDDLE_OP_##Class, HEDDLE_TYPE_##Type, #Pipe, Cycles},
#include "Opcodes.def"
};

const OpcodeRow *findOpcode(StringRef Name) {
  static const StringMap<const OpcodeRow *> ByName = [] {
    StringMap<const OpcodeRow *> Map;
    for (const OpcodeRow &Row : Rows)
      Map[Row.Name] = &Row;
    return Map;
  }();
  for (;;) {
    if (auto It = ByName.find(Name); It != ByName.end())
      return It->second;
    const size_t Dot = Name.rfind('.');
    if (Dot == StringRef::npos)
      return nullptr;
    Name = Name.take_front(Dot);
  }
}

HeddleMemorySpace spaceOf(StringRef Name) {
  return StringSwitch<HeddleMemorySpace>(Name.split('.').first)
      .Cases({"LDG", "STG", "ATOMG", "RED", "REDG", "SUST", "LDGSTS"},
             HEDDLE_SPACE_GLOBAL)
      .Cases({"LDS", "STS", "ATOMS", "LDSM", "STSM"}, HEDDLE_SPACE_SHARED)
      .Cases({"LDL", "STL"}, HEDDLE_SPACE_LOCAL)
      .Cases({"TEX", "TLD", "TLD4", "SULD"}, HEDDLE_SPACE_TEXTURE)
      .Case("LDC", HEDDLE_SPACE_CONST)
      .Cases({"LD", "ST", "ATOM"}, HEDDLE_SPACE_GENERIC)
      .Default(HEDDLE_SPACE_NONE);
}

unsigned accessBytes(StringRef Name) {
  SmallVector<StringRef, 8> Words;
  Name.split(Words, '.');
  // 32 bits of each matrix.
  unsigned Matrices = 0;
  if ((Words.front() == "LDSM" || Words.front() == "STSM") &&
      !Words.back().getAsInteger(10, Matrices))
    return 4 * Matrices;
  for (StringRef W : ArrayRef<StringRef>(Words).drop_front()) {
    const unsigned Bytes = StringSwitch<unsigned>(W)
                               .Cases({"U8", "S8"}, 1)
                               .Cases({"U16", "S16"}, 2)
                               .Case("64", 8)
                               .Case("128", 16)
                               .Default(0);
    if (Bytes)
      return Bytes;
  }
  return 4;
}

MatrixProduct matrixProductOf(StringRef Name) {
  MatrixProduct Out;
  SmallVector<StringRef, 8> Words;
  Name.split(Words, '.');
  if (Words.size() < 2)
    return Out;
  // Rows, columns (always 8) and depth stand without anything in between.
  StringRef Shape = Words[1];
  Out.Rows = Shape.consume_front("16") ? 16 : Shape.consume_front("8") ? 8 : 0;
  Out.Columns = 8;
  if (!Out.Rows || !Shape.consume_front("8") ||
      Shape.getAsInteger(10, Out.Depth))
    return {};
  Out.HalfSums = Words.size() > 2 && Words[2] == "F16";
  Out.Products = Out.Rows * Out.Columns * Out.Depth;
  // Each quad of lanes multiplies its own matrices of 8 x 8 x 4, in four steps,
  // or in two where it adds in f16.
  if (Words.back().starts_with("STEP"))
    Out.Products = Out.HalfSums ? 2 * Out.Products : Out.Products;
  return Out;
}

} // namespace heddle::machine
