//===- OpcodeInfo.cpp - What a PTX opcode does ----------------------------===//

#include "OpcodeInfo.h"

#include "heddle/PTX/PTXEmitter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace heddle {

namespace {

/// Data type and size in bytes of a type modifier.
struct TypeInfo {
  HeddleDataType Type;
  unsigned Bytes;
};

std::optional<TypeInfo> typeOf(StringRef Modifier) {
  return StringSwitch<std::optional<TypeInfo>>(Modifier)
      .Case("pred", TypeInfo{HEDDLE_TYPE_PRED, 0})
      .Cases({"b8", "s8", "u8"}, TypeInfo{HEDDLE_TYPE_I8, 1})
      .Cases({"b16", "s16", "u16"}, TypeInfo{HEDDLE_TYPE_I16, 2})
      .Cases({"b32", "s32", "u32"}, TypeInfo{HEDDLE_TYPE_I32, 4})
      .Cases({"s16x2", "u16x2"}, TypeInfo{HEDDLE_TYPE_I32, 4})
      .Cases({"b64", "s64", "u64"}, TypeInfo{HEDDLE_TYPE_I64, 8})
      .Case("f16", TypeInfo{HEDDLE_TYPE_F16, 2})
      .Case("f16x2", TypeInfo{HEDDLE_TYPE_F16, 4})
      .Case("bf16", TypeInfo{HEDDLE_TYPE_BF16, 2})
      .Case("bf16x2", TypeInfo{HEDDLE_TYPE_BF16, 4})
      .Cases({"f32", "tf32"}, TypeInfo{HEDDLE_TYPE_F32, 4})
      .Case("f64", TypeInfo{HEDDLE_TYPE_F64, 8})
      .Case("b128", TypeInfo{HEDDLE_TYPE_B128, 16})
      .Default(std::nullopt);
}

std::optional<HeddleOpClass> classOf(StringRef Base) {
  return StringSwitch<std::optional<HeddleOpClass>>(Base)
      .Cases({"mov", "selp", "slct", "activemask", "elect"}, HEDDLE_OP_MOVE)
      .Cases({"cvt", "cvta", "mapa"}, HEDDLE_OP_CONVERT)
      .Cases({"add", "sub", "addc", "subc", "neg"}, HEDDLE_OP_ADD)
      .Cases({"abs", "min", "max", "sad"}, HEDDLE_OP_ADD)
      .Cases({"vadd", "vsub", "vabsdiff", "vmin", "vmax"}, HEDDLE_OP_ADD)
      .Cases({"vadd2", "vsub2", "vabsdiff2", "vmin2", "vmax2", "vavrg2"},
             HEDDLE_OP_ADD)
      .Cases({"vadd4", "vsub4", "vabsdiff4", "vmin4", "vmax4", "vavrg4"},
             HEDDLE_OP_ADD)
      .Cases({"and", "or", "xor", "not", "cnot", "lop3", "copysign"},
             HEDDLE_OP_LOGIC)
      .Cases({"shl", "shr", "shf", "vshl", "vshr"}, HEDDLE_OP_SHIFT)
      .Cases({"bfe", "bfi", "bfind", "brev", "clz"}, HEDDLE_OP_BITS)
      .Cases({"popc", "prmt", "fns", "bmsk", "szext"}, HEDDLE_OP_BITS)
      .Cases({"setp", "set", "testp", "isspacep"}, HEDDLE_OP_COMPARE)
      .Cases({"vset", "vset2", "vset4"}, HEDDLE_OP_COMPARE)
      .Cases({"mul", "mul24"}, HEDDLE_OP_MUL)
      .Cases({"mad", "mad24", "madc", "fma", "dp4a", "dp2a", "vmad"},
             HEDDLE_OP_MAD)
      .Case("div", HEDDLE_OP_DIV)
      .Case("rem", HEDDLE_OP_REM)
      .Cases({"sqrt", "rcp", "rsqrt", "sin", "cos", "ex2", "lg2", "tanh"},
             HEDDLE_OP_SFU)
      .Cases({"wmma", "mma", "wgmma"}, HEDDLE_OP_TENSOR)
      .Cases({"ld", "ldu", "ldmatrix"}, HEDDLE_OP_LOAD)
      .Cases({"st", "stmatrix"}, HEDDLE_OP_STORE)
      .Case("atom", HEDDLE_OP_ATOMIC)
      .Case("red", HEDDLE_OP_REDUCTION)
      .Cases({"tex", "tld4", "suld", "sust", "sured"}, HEDDLE_OP_TEXTURE)
      .Cases({"txq", "suq"}, HEDDLE_OP_SPECIAL)
      .Case("shfl", HEDDLE_OP_SHUFFLE)
      .Cases({"vote", "match", "redux"}, HEDDLE_OP_VOTE)
      .Case("bra", HEDDLE_OP_BRANCH)
      .Cases({"ret", "exit", "trap"}, HEDDLE_OP_EXIT)
      .Cases({"bar", "barrier"}, HEDDLE_OP_BARRIER)
      .Cases({"membar", "fence"}, HEDDLE_OP_FENCE)
      .Cases({"prefetch", "prefetchu", "nanosleep", "brkpt", "pmevent"},
             HEDDLE_OP_NOP)
      .Cases({"discard", "applypriority", "griddepcontrol"}, HEDDLE_OP_NOP)
      .Default(std::nullopt);
}

/// What the modifiers change about the class that the first word gives.
HeddleOpClass refine(HeddleOpClass Class, StringRef Base,
                     ArrayRef<StringRef> Modifiers) {
  bool Approximate = is_contained(Modifiers, "approx");
  if (Base == "sqrt" && !Approximate)
    return HEDDLE_OP_SQRT;
  if (Base == "rcp" && !Approximate)
    return HEDDLE_OP_RCP;
  if ((Base == "bar" || Base == "barrier") && is_contained(Modifiers, "warp"))
    return HEDDLE_OP_WARP_SYNC;
  if (Base == "wmma" && is_contained(Modifiers, "load"))
    return HEDDLE_OP_LOAD;
  if (Base == "wmma" && is_contained(Modifiers, "store"))
    return HEDDLE_OP_STORE;
  return Class;
}

bool isMemory(HeddleOpClass Class) {
  return Class == HEDDLE_OP_LOAD || Class == HEDDLE_OP_STORE ||
         Class == HEDDLE_OP_ATOMIC || Class == HEDDLE_OP_REDUCTION;
}

HeddleMemorySpace spaceOf(ArrayRef<StringRef> Modifiers) {
  for (StringRef M : Modifiers) {
    auto Space = StringSwitch<HeddleMemorySpace>(M.split(':').first)
                     .Case("global", HEDDLE_SPACE_GLOBAL)
                     .Case("shared", HEDDLE_SPACE_SHARED)
                     .Case("local", HEDDLE_SPACE_LOCAL)
                     .Case("const", HEDDLE_SPACE_CONST)
                     .Case("param", HEDDLE_SPACE_PARAM)
                     .Default(HEDDLE_SPACE_NONE);
    if (Space != HEDDLE_SPACE_NONE)
      return Space;
  }
  return HEDDLE_SPACE_GENERIC;
}

unsigned flagsOf(StringRef Base, HeddleOpClass Class,
                 ArrayRef<StringRef> Modifiers) {
  unsigned Flags = 0;
  for (StringRef M : Modifiers)
    Flags |= StringSwitch<unsigned>(M)
                 .Case("nc", HEDDLE_INST_READ_ONLY)
                 .Cases({"cs", "lu", "cg", "cv"}, HEDDLE_INST_STREAMING)
                 .Cases({"volatile", "relaxed", "acquire", "release", "mmio"},
                        isMemory(Class) ? HEDDLE_INST_VOLATILE : 0)
                 .Case("wide", HEDDLE_INST_WIDE)
                 .Case("grid", HEDDLE_INST_GRID)
                 .Case("uni", HEDDLE_INST_UNIFORM)
                 .Default(0);
  if (Base == "ldu")
    Flags |= HEDDLE_INST_UNIFORM;
  return Flags;
}

/// The opcodes of PTXEmitter that stand for opaque calls.
std::optional<OpcodeInfo> describePseudo(StringRef Opcode) {
  OpcodeInfo Info;
  if (Opcode.starts_with(MathOpcodePrefix)) {
    Info.Class = HEDDLE_OP_MATH;
    if (auto Type = typeOf(Opcode.rsplit('.').second))
      Info.Type = Type->Type;
    return Info;
  }
  if (Opcode.starts_with(SpecialOpcodePrefix)) {
    Info.Class = HEDDLE_OP_SPECIAL;
    Info.Type = HEDDLE_TYPE_I32;
    return Info;
  }
  // What only people write and nothing here executes counts as a call.
  static constexpr StringLiteral HandWritten[] = {
      "cp",       "mma",      "wmma",       "wgmma",          "tcgen05",
      "ldmatrix", "stmatrix", "movmatrix",  "mbarrier",       "tensormap",
      "multimem", "elect",    "setmaxnreg", "griddepcontrol", "createpolicy",
      "fns",      "bmsk",     "szext"};
  if (Opcode.starts_with(CallOpcodePrefix) ||
      is_contained(HandWritten, Opcode.split('.').first)) {
    Info.Class = HEDDLE_OP_CALL;
    return Info;
  }
  return std::nullopt;
}

} // namespace

std::optional<OpcodeInfo> describeOpcode(StringRef Opcode) {
  if (auto Pseudo = describePseudo(Opcode))
    return Pseudo;
  SmallVector<StringRef, 8> Words;
  Opcode.split(Words, '.');
  StringRef Base = Words.front();
  ArrayRef<StringRef> Modifiers = ArrayRef(Words).drop_front();
  std::optional<HeddleOpClass> Class = classOf(Base);
  if (!Class)
    return std::nullopt;
  OpcodeInfo Info;
  Info.Class = refine(*Class, Base, Modifiers);
  Info.Flags = flagsOf(Base, Info.Class, Modifiers);
  // The result's type comes first in cvt and set, and last elsewhere only one
  // is given; a conversion counts as double where either side is.
  unsigned Bytes = 0;
  for (StringRef M : Modifiers)
    if (auto Type = typeOf(M)) {
      if (Info.Type == HEDDLE_TYPE_NONE || Type->Type == HEDDLE_TYPE_F64 ||
          Base == "set") {
        Info.Type = Type->Type;
        Bytes = Type->Bytes;
      }
    }
  if (!isMemory(Info.Class))
    return Info;
  Info.Space = spaceOf(Modifiers);
  for (StringRef M : Modifiers)
    Bytes *= StringSwitch<unsigned>(M)
                 .Case("v2", 2)
                 .Case("v4", 4)
                 .Case("v8", 8)
                 .Default(1);
  Info.AccessBytes = Bytes;
  return Info;
}

} // namespace heddle
