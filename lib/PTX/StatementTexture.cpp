//===- StatementTexture.cpp - Texture instructions ------------------------===//
//
// tex, tld4, suld, sust, txq and suq (PTX ISA 8.8, 9.7.10 and 9.7.11) as the
// intrinsics that LLVM has for them. Levels of detail and gradients are left
// out: there is one level.
//
//===----------------------------------------------------------------------===//

#include "heddle/PTX/StatementLowering.h"

#include "heddle/PTX/PTXInstructions.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"

using namespace llvm;

namespace heddle {

bool isTextureAssembly(const CallInst &Call) {
  const auto *Asm = dyn_cast<InlineAsm>(Call.getCalledOperand());
  if (!Asm)
    return false;
  const std::string Text = ptx::blankComments(Asm->getAsmString());
  const auto Statements = parsePTX(Text);
  return Statements && any_of(*Statements, [](const PTXStatement &S) {
           return classOf(S.Opcode) == HEDDLE_OP_TEXTURE || S.Name == "sust" ||
                  S.Name == "txq" || S.Name == "suq";
         });
}

namespace {
/// "[texture, {x, y}]" or "[texture, sampler, {x, y}]"
struct TextureAddress {
  StringRef Handle, Sampler, Coordinates;

  explicit TextureAddress(StringRef Text) {
    Text = Text.trim();
    Text.consume_front("[");
    Text.consume_back("]");
    SmallVector<StringRef, 4> Parts = ptx::splitOperands(Text);
    Handle = Parts.front();
    if (Parts.size() > 2)
      Sampler = Parts[1];
    if (Parts.size() > 1)
      Coordinates = Parts.back();
  }
};

/// What PTX calls "a2d".
struct TextureGeometry {
  bool HasLayer;
  unsigned Axes;    ///< 0 if it is not known
  std::string Name; ///< LLVM's

  explicit TextureGeometry(StringRef Text)
      : HasLayer(Text.consume_front("a")), Axes(StringSwitch<unsigned>(Text)
                                                    .Case("1d", 1)
                                                    .Case("2d", 2)
                                                    .Cases({"3d", "cube"}, 3)
                                                    .Default(0)),
        Name((Text + (HasLayer ? ".array" : "")).str()) {}
};
} // namespace

/// Adds the layer, as an integer, and the coordinates of type \p T.
bool StatementLowering::addCoordinates(StringRef List, bool HasLayer,
                                       unsigned Axes, Type *T,
                                       SmallVectorImpl<Value *> &Args) {
  SmallVector<StringRef, 4> Names = registersOf(List);
  if (!Axes || Names.size() < Axes + HasLayer)
    return false;
  for (unsigned N = 0; N < Axes + HasLayer; ++N)
    Args.push_back(operand(Names[N], HasLayer && !N ? B.getInt32Ty() : T));
  return true;
}

/// Calls the intrinsic llvm.nvvm.\p Name; its results, if there is a place for
/// them, go to the registers \p List.
bool StatementLowering::callTexture(const Twine &Name, ArrayRef<Value *> Args,
                                    StringRef List) {
  const Intrinsic::ID ID =
      Intrinsic::lookupIntrinsicID(("llvm.nvvm." + Name).str());
  if (ID == Intrinsic::not_intrinsic || is_contained(Args, nullptr))
    return false;
  auto *Call = cast<CallInst>(call(ID, Args));
  Call->setDoesNotThrow();
  if (List.empty())
    return true;
  const SmallVector<StringRef, 4> Names = registersOf(List);
  const auto *Struct = dyn_cast<StructType>(Call->getType());
  if (Names.size() != (Struct ? Struct->getNumElements() : 1))
    return false;
  for (auto [N, To] : enumerate(Names))
    if (!assign(To, Struct ? B.CreateExtractValue(Call, unsigned(N)) : Call))
      return false;
  return true;
}

/// tex[.level|.grad].GEOMETRY.v4.TYPE.COORDINATES {d}, [t, {c}][, ...];
/// tld4.COMPONENT.2d.v4.TYPE.f32 {d}, [t, {x, y}].
bool StatementLowering::lowerTexture(const PTXStatement &S) {
  if (S.Operands.size() < 2 || S.Modifiers.size() < 3 || !S.has("v4") ||
      S.Operands[0].contains('|') || (S.Suffix != "s32" && S.Suffix != "f32"))
    return false;
  ArrayRef<StringRef> Last = ArrayRef(S.Modifiers).take_back(3);
  const TextureGeometry Geometry(Last[0]);
  const TextureAddress At(S.Operands[1]);
  SmallVector<Value *, 8> Args = {operand(At.Handle, B.getInt64Ty())};
  if (!At.Sampler.empty())
    Args.push_back(operand(At.Sampler, B.getInt64Ty()));
  Type *T = S.Suffix == "s32" ? B.getInt32Ty() : B.getFloatTy();
  if (!addCoordinates(At.Coordinates, Geometry.HasLayer, Geometry.Axes, T,
                      Args))
    return false;
  std::string Name = S.Name.str() + (At.Sampler.empty() ? ".unified." : ".");
  if (S.Name == "tld4")
    Name += (S.Modifiers.front() + ".").str();
  return callTexture(Twine(Name) + Geometry.Name + ".v4" + Last[2] + "." +
                         S.Suffix,
                     Args, S.Operands[0]);
}

/// suld.b.GEOMETRY[.vN].bM.MODE {d}, [s, {c}]; sust.b... [s, {c}], {d}.
bool StatementLowering::lowerSurface(const PTXStatement &S) {
  const bool Loads = S.Name == "suld";
  if (S.Operands.size() != 2 || S.Modifiers.size() < 3 || S.Modifiers[0] != "b")
    return false;
  const TextureGeometry Geometry(S.Modifiers[1]);
  const StringRef Registers = S.Operands[Loads ? 0 : 1];
  const TextureAddress At(S.Operands[Loads ? 1 : 0]);
  StringRef Type = S.Modifiers.back();
  unsigned Bits = 0;
  if (!Type.consume_front("b") || Type.getAsInteger(10, Bits))
    return false;
  SmallVector<Value *, 8> Args = {operand(At.Handle, B.getInt64Ty())};
  if (!addCoordinates(At.Coordinates, Geometry.HasLayer, Geometry.Axes,
                      B.getInt32Ty(), Args))
    return false;
  const auto Names = registersOf(Registers);
  if (!Loads) // bytes are handed over in 16 bits
    for (StringRef Name : Names)
      Args.push_back(operand(Name, B.getIntNTy(std::max(Bits, 16u))));
  const std::string Vector =
      Names.size() > 1 ? "v" + std::to_string(Names.size()) : "";
  return callTexture((Loads ? "suld." : "sust.b.") + Geometry.Name + "." +
                         Vector + "i" + Twine(Bits) + "." + S.Suffix,
                     Args, Loads ? Registers : StringRef());
}

/// txq.QUESTION.b32 d, [t]; suq likewise.
bool StatementLowering::lowerTextureQuery(const PTXStatement &S) {
  if (S.Operands.size() != 2 || S.Modifiers.size() != 1 ||
      !is_contained({"width", "height", "depth"}, S.Modifiers[0]))
    return false;
  const TextureAddress At(S.Operands[1]);
  return callTexture(S.Name + "." + S.Modifiers[0],
                     {operand(At.Handle, B.getInt64Ty())}, S.Operands[0]);
}

} // namespace heddle
