//===- HardwareOpcodes.cpp - Names of machine instructions ----------------===//

#include "views/HardwareOpcodes.h"

#include <cctype>

namespace heddle::views {

namespace {

/// One operation in integer, single, double and half precision.
struct ByType {
  std::string_view Integer, Single, Double, Half;

  std::string_view of(unsigned Type) const {
    switch (Type) {
    case HEDDLE_TYPE_F32:
      return Single;
    case HEDDLE_TYPE_F64:
      return Double;
    case HEDDLE_TYPE_F16:
    case HEDDLE_TYPE_BF16:
      return Half;
    default:
      return Integer;
    }
  }
};

bool hasWord(std::string_view Opcode, std::string_view Word) {
  for (size_t At = 0; At <= Opcode.size();) {
    size_t End = std::min(Opcode.find('.', At), Opcode.size());
    if (Opcode.substr(At, End - At) == Word)
      return true;
    At = End + 1;
  }
  return false;
}

std::string_view lastWord(std::string_view Opcode) {
  return Opcode.substr(Opcode.rfind('.') + 1);
}

bool isFloat(std::string_view Type) {
  return Type.starts_with("f") || Type.starts_with("bf");
}

std::string_view conversion(std::string_view Opcode) {
  // cvt[.modifiers].to.from
  const std::string_view From = lastWord(Opcode);
  const std::string_view To =
      lastWord(Opcode.substr(0, Opcode.size() - From.size() - 1));
  if (isFloat(To))
    return isFloat(From) ? "F2F" : "I2F";
  return isFloat(From) ? "F2I" : "IMAD.MOV.U32";
}

std::string_view bitOperation(std::string_view Opcode) {
  if (Opcode.starts_with("popc"))
    return "POPC";
  if (Opcode.starts_with("clz") || Opcode.starts_with("bfind"))
    return "FLO.U32";
  if (Opcode.starts_with("brev"))
    return "BREV";
  if (Opcode.starts_with("prmt"))
    return "PRMT";
  return "SHF.R.U32.HI"; // bfe, bfi: shifts with a mask
}

/// The name of a table lookup of the multi-function unit.
std::string_view specialFunction(std::string_view Opcode) {
  for (auto [PTX, Name] :
       {std::pair("rsqrt", "MUFU.RSQ"), std::pair("sqrt", "MUFU.SQRT"),
        std::pair("sin", "MUFU.SIN"), std::pair("cos", "MUFU.COS"),
        std::pair("ex2", "MUFU.EX2"), std::pair("lg2", "MUFU.LG2"),
        std::pair("tanh", "MUFU.TANH")})
    if (Opcode.starts_with(PTX))
      return Name;
  return "MUFU.RCP";
}

std::string memoryAccess(std::string_view Name, const HeddleInst &Inst,
                         bool Extended) {
  std::string Text(Name);
  if (Extended)
    Text += ".E";
  if (Inst.AccessBytes == 8 || Inst.AccessBytes == 16)
    Text += "." + std::to_string(Inst.AccessBytes * 8);
  else if (Inst.AccessBytes < 4)
    Text += ".U" + std::to_string(Inst.AccessBytes * 8);
  return Text;
}

std::string load(const HeddleInst &Inst, HeddleMemorySpace Space) {
  switch (Space) {
  case HEDDLE_SPACE_SHARED:
    return memoryAccess("LDS", Inst, false);
  case HEDDLE_SPACE_LOCAL:
    return memoryAccess("LDL", Inst, false);
  case HEDDLE_SPACE_CONST:
  case HEDDLE_SPACE_PARAM:
    return memoryAccess("LDC", Inst, false);
  default:
    return memoryAccess("LDG", Inst, true);
  }
}

std::string store(const HeddleInst &Inst, HeddleMemorySpace Space) {
  switch (Space) {
  case HEDDLE_SPACE_SHARED:
    return memoryAccess("STS", Inst, false);
  case HEDDLE_SPACE_LOCAL:
    return memoryAccess("STL", Inst, false);
  default:
    return memoryAccess("STG", Inst, true);
  }
}

/// atom.global.add.u32 -> ATOMG.E.ADD: the operation is the third word.
std::string atomic(std::string_view Name, std::string_view Opcode) {
  std::string Text(Name);
  for (std::string_view Operation :
       {"add", "min", "max", "inc", "dec", "and", "or", "xor", "exch", "cas"})
    if (hasWord(Opcode, Operation)) {
      Text += '.';
      for (char C : Operation)
        Text += char(std::toupper(C));
    }
  return Text;
}

} // namespace

std::string hardwareOpcode(const HeddleInst &Inst, std::string_view Opcode,
                           HeddleMemorySpace Space) {
  auto ofType = [&](const ByType &Names) {
    return std::string(Names.of(Inst.Type));
  };
  const bool Wide = Inst.Flags & HEDDLE_INST_WIDE;
  switch (HeddleOpClass(Inst.Class)) {
  case HEDDLE_OP_NOP:
  case HEDDLE_NUM_OP_CLASSES:
    return "NOP";
  case HEDDLE_OP_MOVE:
    return Opcode.starts_with("selp") ? ofType({"SEL", "FSEL", "FSEL", "SEL"})
                                      : "MOV";
  case HEDDLE_OP_CONVERT:
    return std::string(conversion(Opcode));
  case HEDDLE_OP_SPECIAL:
    return "S2R";
  case HEDDLE_OP_ADD:
    if (Opcode.starts_with("min") || Opcode.starts_with("max"))
      return ofType({"IMNMX", "FMNMX", "DSETP", "HSETP2"});
    return ofType({"IADD3", "FADD", "DADD", "HADD2"});
  case HEDDLE_OP_LOGIC:
    return Inst.Type == HEDDLE_TYPE_PRED ? "PLOP3.LUT" : "LOP3.LUT";
  case HEDDLE_OP_SHIFT:
    return Opcode.starts_with("shl") ? "SHF.L.U32" : "SHF.R.U32.HI";
  case HEDDLE_OP_BITS:
    return std::string(bitOperation(Opcode));
  case HEDDLE_OP_COMPARE:
    return ofType({"ISETP", "FSETP", "DSETP", "HSETP2"});
  case HEDDLE_OP_MUL:
  case HEDDLE_OP_MAD:
    if (Wide)
      return "IMAD.WIDE";
    if (Inst.Class == HEDDLE_OP_MUL)
      return ofType({"IMAD", "FMUL", "DMUL", "HMUL2"});
    return ofType({"IMAD", "FFMA", "DFMA", "HFMA2"});
  case HEDDLE_OP_DIV:
  case HEDDLE_OP_REM:
  case HEDDLE_OP_RCP:
  case HEDDLE_OP_SQRT:
  case HEDDLE_OP_SFU:
  case HEDDLE_OP_MATH:
    return std::string(specialFunction(
        Opcode.starts_with("math.") ? Opcode.substr(5) : Opcode));
  case HEDDLE_OP_TENSOR:
    return "HMMA.884.F32.F32.STEP0";
  case HEDDLE_OP_LOAD:
    return load(Inst, Space);
  case HEDDLE_OP_STORE:
    return store(Inst, Space);
  case HEDDLE_OP_ATOMIC:
    return atomic(Space == HEDDLE_SPACE_SHARED ? "ATOMS" : "ATOMG.E", Opcode);
  case HEDDLE_OP_REDUCTION:
    return Space == HEDDLE_SPACE_SHARED ? atomic("ATOMS", Opcode)
                                        : atomic("RED.E", Opcode);
  case HEDDLE_OP_TEXTURE:
    return "TEX";
  case HEDDLE_OP_SHUFFLE:
    return "SHFL";
  case HEDDLE_OP_VOTE:
    return "VOTE.ANY";
  case HEDDLE_OP_BRANCH:
    return "BRA";
  case HEDDLE_OP_CALL:
    return "CALL.REL.NOINC";
  case HEDDLE_OP_EXIT:
    return "EXIT";
  case HEDDLE_OP_BARRIER:
    return "BAR.SYNC";
  case HEDDLE_OP_WARP_SYNC:
    return "WARPSYNC";
  case HEDDLE_OP_FENCE:
    return "MEMBAR.SC.GPU";
  }
  return "NOP";
}

std::string_view expansionOpcode(const HeddleInst &Inst) {
  switch (HeddleOpClass(Inst.Class)) {
  case HEDDLE_OP_MUL:
  case HEDDLE_OP_MAD:
  case HEDDLE_OP_DIV:
  case HEDDLE_OP_REM:
  case HEDDLE_OP_RCP:
  case HEDDLE_OP_SQRT:
  case HEDDLE_OP_SFU:
  case HEDDLE_OP_MATH:
    return ByType{"IMAD", "FFMA", "DFMA", "HFMA2"}.of(Inst.Type);
  case HEDDLE_OP_TENSOR:
    return "HMMA.884.F32.F32.STEP1";
  case HEDDLE_OP_SHIFT:
    return "SHF.L.U32";
  case HEDDLE_OP_LOGIC:
    return "LOP3.LUT";
  case HEDDLE_OP_MOVE:
    return "MOV";
  default:
    return "IADD3";
  }
}

} // namespace heddle::views
