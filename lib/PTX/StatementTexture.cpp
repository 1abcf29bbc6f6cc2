//===- StatementTexture.cpp - Texture instructions as calls ---------------===//
//
// tex, tld4, suld, sust, txq and suq (PTX ISA 8.8, 9.7.10 and 9.7.11) as calls
// of the functions with which our own CUDA headers read textures. The results
// come through memory of the thread, which disappears once the functions are
// inlined.
//
//===----------------------------------------------------------------------===//

#include "heddle/PTX/StatementLowering.h"

#include "heddle/PTX/PTXInstructions.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

static constexpr StringLiteral Prefix = "__heddle_ptx_";

bool isTextureAssembly(const CallInst &Call) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Asm)
    return false;
  const std::string Text = ptx::blankComments(Asm->getAsmString());
  const auto Statements = parsePTX(Text);
  return Statements && any_of(*Statements, [](const PTXStatement &S) {
           return classOf(S.Opcode) == HEDDLE_OP_TEXTURE || S.Name == "txq" ||
                  S.Name == "suq";
         });
}

bool hasTextureLibrary(const Module &M) {
  return M.getFunction((Prefix + "tex_1d_f32").str());
}

namespace {
/// "[texture, {x, y}]"
struct TextureAddress {
  StringRef Handle, Coordinates;

  explicit TextureAddress(StringRef Text) {
    Text = Text.trim();
    Text.consume_front("[");
    Text.consume_back("]");
    std::tie(Handle, Coordinates) = Text.split(',');
  }
};
} // namespace

bool StatementLowering::callTextureLibrary(const Twine &Name,
                                           ArrayRef<Value *> Args) {
  Function *F =
      B.GetInsertBlock()->getModule()->getFunction((Prefix + Name).str());
  if (!F || F->arg_size() != Args.size() || is_contained(Args, nullptr))
    return false;
  B.CreateCall(F, Args);
  return true;
}

/// Memory of the thread for a result.
AllocaInst *StatementLowering::temporary(Type *T, unsigned Count) {
  BasicBlock &Entry = B.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> AtEntry(&Entry, Entry.begin());
  AllocaInst *Result = AtEntry.CreateAlloca(ArrayType::get(T, Count));
  Result->setAlignment(Align(16));
  return Result;
}

bool StatementLowering::assignAll(StringRef List, AllocaInst *From) {
  auto *Array = cast<ArrayType>(From->getAllocatedType());
  SmallVector<StringRef, 4> Names = registersOf(List);
  if (Names.size() != Array->getNumElements())
    return false;
  for (auto [I, Name] : enumerate(Names)) {
    Value *V = B.CreateLoad(Array->getElementType(),
                            B.CreateConstGEP2_32(Array, From, 0, I));
    if (!assign(Name, V))
      return false;
  }
  return true;
}

/// tex[.level|.grad].GEOMETRY.v4.TYPE.COORDINATES {d}, [t, {c}][, ...]: there
/// is one level. tld4.COMPONENT.2d.v4.TYPE.f32 {d}, [t, {x, y}].
bool StatementLowering::lowerTexture(const PTXStatement &S) {
  if (S.Operands.size() < 2 || S.Modifiers.size() < 3 || !S.has("v4") ||
      S.Operands[0].contains('|') || S.Operands[1].count(',') == 0)
    return false;
  ArrayRef<StringRef> Last = ArrayRef(S.Modifiers).take_back(3);
  StringRef Geometry = Last[0], Type = Last[2];
  TextureAddress At(S.Operands[1]);
  SmallVector<StringRef, 4> Names = registersOf(At.Coordinates);
  class Type *F32 = B.getFloatTy(), *I32 = B.getInt32Ty();
  bool Integers = S.Suffix == "s32";
  if (!Integers && S.Suffix != "f32")
    return false;
  Value *Layer = B.getInt32(0);
  if (Geometry.starts_with("a") && !Names.empty()) {
    Layer = operand(Names.front(), I32);
    Names.erase(Names.begin());
  }
  class Type *Coordinate = Integers ? I32 : F32;
  SmallVector<Value *, 3> C(3, Constant::getNullValue(Coordinate));
  unsigned Axes = StringSwitch<unsigned>(Geometry)
                      .Cases({"1d", "a1d"}, 1)
                      .Cases({"2d", "a2d"}, 2)
                      .Cases({"3d", "cube", "acube"}, 3)
                      .Default(0);
  if (!Axes || Names.size() < Axes)
    return false;
  for (unsigned I = 0; I < Axes; ++I)
    C[I] = operand(Names[I], Coordinate);
  AllocaInst *Result = temporary(Type == "f32" ? F32 : I32, 4);
  Value *Handle = operand(At.Handle, B.getInt64Ty());
  if (S.Name == "tld4") {
    size_t Component = StringRef("rgba").find(S.Modifiers.front());
    return Component != StringRef::npos &&
           callTextureLibrary(
               "tld4_" + Geometry + "_" + Type,
               {Result, Handle, C[0], C[1], B.getInt32(uint32_t(Component))}) &&
           assignAll(S.Operands[0], Result);
  }
  return callTextureLibrary((Integers ? "fetch_" : "tex_") + Geometry + "_" +
                                Type,
                            {Result, Handle, C[0], C[1], C[2], Layer}) &&
         assignAll(S.Operands[0], Result);
}

/// suld.b.GEOMETRY[.vN].bM.MODE {d}, [s, {c}]; sust.b... [s, {c}], {d}.
bool StatementLowering::lowerSurface(const PTXStatement &S) {
  bool Loads = S.Name == "suld";
  if (S.Operands.size() != 2 || S.Modifiers.size() < 3 || S.Modifiers[0] != "b")
    return false;
  StringRef Geometry = S.Modifiers[1], Type = S.Modifiers.back();
  StringRef Registers = S.Operands[Loads ? 0 : 1];
  TextureAddress At(S.Operands[Loads ? 1 : 0]);
  SmallVector<StringRef, 4> Names = registersOf(At.Coordinates),
                            Data = registersOf(Registers);
  int Mode = StringSwitch<int>(S.Suffix)
                 .Case("zero", 0)
                 .Case("clamp", 1)
                 .Case("trap", 2)
                 .Default(-1);
  unsigned Bits = 0;
  if (!Type.consume_front("b") || Type.getAsInteger(10, Bits) || Mode < 0 ||
      !isPowerOf2_32(Bits) || Bits < 8 || Bits > 64)
    return false;
  class Type *I32 = B.getInt32Ty(), *Element = B.getIntNTy(Bits);
  Value *C[3] = {B.getInt32(0), B.getInt32(0), B.getInt32(0)};
  bool HasLayer = Geometry.consume_front("a");
  unsigned Axes = Geometry == "1d"   ? 1
                  : Geometry == "2d" ? 2
                  : Geometry == "3d" ? 3
                                     : 0;
  if (!Axes || Names.size() < Axes + HasLayer)
    return false;
  for (unsigned I = 0; I < Axes; ++I)
    C[I] = operand(Names[I + HasLayer], I32);
  if (HasLayer)
    C[2] = operand(Names[0], I32);
  AllocaInst *Texel = temporary(Element, Data.size());
  if (!Loads)
    for (auto [I, Name] : enumerate(Data)) {
      Value *V = operand(Name, Element);
      if (!V)
        return false;
      B.CreateStore(
          V, B.CreateConstGEP2_32(Texel->getAllocatedType(), Texel, 0, I));
    }
  return callTextureLibrary(S.Name + "_v" + Twine(Data.size()) + "_b" +
                                Twine(Bits),
                            {Texel, operand(At.Handle, B.getInt64Ty()), C[0],
                             C[1], C[2], B.getInt32(Mode)}) &&
         (!Loads || assignAll(Registers, Texel));
}

/// txq.QUESTION.b32 d, [t].
bool StatementLowering::lowerTextureQuery(const PTXStatement &S) {
  if (S.Operands.size() != 2 || S.Modifiers.size() != 1)
    return false;
  AllocaInst *Answer = temporary(B.getInt32Ty(), 1);
  TextureAddress At(S.Operands[1]);
  return callTextureLibrary("txq_" + S.Modifiers[0],
                            {Answer, operand(At.Handle, B.getInt64Ty())}) &&
         assignAll(S.Operands[0], Answer);
}

} // namespace heddle
