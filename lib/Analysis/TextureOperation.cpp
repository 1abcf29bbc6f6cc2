//===- TextureOperation.cpp - Texture instructions in IR ------------------===//

#include "heddle/Analysis/TextureOperation.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InstrTypes.h"

#include <bit>

using namespace llvm;

namespace heddle {

uint64_t TextureOperation::shapeBits() const {
  return std::bit_cast<uint64_t>(Shape);
}

SmallVector<const Value *, 6> TextureOperation::placeOperands() const {
  SmallVector<const Value *, 6> Operands = {Handle};
  if (Sampler)
    Operands.push_back(Sampler);
  for (const Value *C : Coordinates)
    if (C)
      Operands.push_back(C);
  return Operands;
}

namespace {
/// Reads the words of an intrinsic's name from the front, and its arguments.
class Parser {
public:
  Parser(const CallBase &Call, StringRef Name) : Call(Call) {
    Name.split(Words, '.');
  }
  std::optional<TextureOperation> run();

private:
  StringRef word() { return Words.empty() ? StringRef() : Words.front(); }
  StringRef next() {
    StringRef W = word();
    if (!Words.empty())
      Words.erase(Words.begin());
    return W;
  }
  bool consume(StringRef W) {
    const bool Is = word() == W;
    if (Is)
      next();
    return Is;
  }
  const Value *argument() { return Call.getArgOperand(NextArgument++); }

  bool readGeometry();
  void readCoordinates();
  bool readTexture();
  bool readGather();
  bool readSurface();
  bool readQuestion();
  bool readResult();

  const CallBase &Call;
  SmallVector<StringRef, 8> Words;
  unsigned NextArgument = 0;
  TextureOperation O;
};
} // namespace

bool Parser::readGeometry() {
  O.Shape.Axes = StringSwitch<uint8_t>(word())
                     .Case("1d", 1)
                     .Case("2d", 2)
                     .Cases({"3d", "cube"}, 3)
                     .Default(0);
  if (next() == "cube")
    O.Shape.Flags |= HEDDLE_TEXTURE_CUBE;
  if (consume("array"))
    O.Shape.Flags |= HEDDLE_TEXTURE_LAYERED;
  return O.Shape.Axes;
}

void Parser::readCoordinates() {
  if (O.Shape.Flags & HEDDLE_TEXTURE_LAYERED)
    O.Coordinates[HEDDLE_TEXTURE_LAYER] = argument();
  for (unsigned N = 0; N < O.Shape.Axes; ++N)
    O.Coordinates[N] = argument();
}

/// v4f32, v4s32 or v4u32.
bool Parser::readResult() {
  const int Type = StringSwitch<int>(next())
                       .Case("v4f32", HEDDLE_TEXTURE_F32)
                       .Case("v4s32", HEDDLE_TEXTURE_S32)
                       .Case("v4u32", HEDDLE_TEXTURE_U32)
                       .Default(-1);
  O.Shape.Type = uint8_t(Type);
  return Type >= 0;
}

/// tex[.unified].GEOMETRY[.array][.level|.grad].TYPE.COORDINATES: there is one
/// level.
bool Parser::readTexture() {
  if (!consume("unified")) {
    O.Sampler = argument();
    O.Shape.Flags |= HEDDLE_TEXTURE_SAMPLER;
  }
  if (!readGeometry())
    return false;
  if (!consume("level"))
    consume("grad");
  if (!readResult())
    return false;
  O.Shape.Kind = word() == "s32" ? HEDDLE_TEXTURE_FETCH : HEDDLE_TEXTURE_SAMPLE;
  readCoordinates();
  return true;
}

/// tld4.unified.COMPONENT.2d.TYPE.f32; gathers with samplers are not known.
bool Parser::readGather() {
  if (!consume("unified"))
    return false;
  O.Shape.Kind = HEDDLE_TEXTURE_GATHER;
  const size_t Component = StringRef("rgba").find(next());
  O.Shape.Component = uint8_t(Component);
  if (Component == StringRef::npos || !readGeometry() || !readResult())
    return false;
  readCoordinates();
  return true;
}

/// GEOMETRY[.array].[vN]iM.MODE
bool Parser::readSurface() {
  if (!readGeometry())
    return false;
  StringRef Type = next();
  unsigned Elements = 1, Bits = 0;
  if (Type.consume_front("v") && Type.consumeInteger(10, Elements))
    return false;
  if (!Type.consume_front("i") || Type.getAsInteger(10, Bits))
    return false;
  O.Shape.Elements = uint8_t(Elements);
  O.Shape.Bytes = uint8_t(Bits / 8);
  O.Shape.Mode = StringSwitch<uint8_t>(next())
                     .Case("zero", HEDDLE_SURFACE_ZERO)
                     .Case("clamp", HEDDLE_SURFACE_CLAMP)
                     .Default(HEDDLE_SURFACE_TRAP);
  readCoordinates();
  for (; O.isStore() && NextArgument < Call.arg_size();)
    O.Data.push_back(argument());
  return true;
}

bool Parser::readQuestion() {
  O.Shape.Kind = HEDDLE_TEXTURE_QUERY;
  const int Component = StringSwitch<int>(next())
                            .Case("width", 0)
                            .Case("height", 1)
                            .Cases({"depth", "array"}, 2)
                            .Default(-1);
  O.Shape.Component = uint8_t(Component);
  return Component >= 0;
}

std::optional<TextureOperation> Parser::run() {
  const StringRef Name = next();
  const bool Stores = Name == "sust";
  if (Stores && !consume("b"))
    return std::nullopt; // with a conversion
  if (Name != "tex" && Name != "tld4" && Name != "suld" && !Stores &&
      Name != "txq" && Name != "suq")
    return std::nullopt;
  O.Handle = argument();
  O.Shape.Kind = Stores ? HEDDLE_SURFACE_STORE : HEDDLE_SURFACE_LOAD;
  const bool Known = Name == "tex"        ? readTexture()
                     : Name == "tld4"     ? readGather()
                     : Name.back() == 'q' ? readQuestion()
                                          : readSurface();
  return Known ? std::optional(O) : std::nullopt;
}

std::optional<TextureOperation> textureOperation(const CallBase &Call) {
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Callee ? Callee->getName() : "";
  if (!Name.consume_front("llvm.nvvm."))
    return std::nullopt;
  return Parser(Call, Name).run();
}

} // namespace heddle
