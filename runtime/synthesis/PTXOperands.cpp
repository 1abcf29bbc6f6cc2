//===- PTXOperands.cpp - The operands that an opcode takes ----------------===//

#include "synthesis/PTXOperands.h"

#include "heddle/ABI/DeviceMath.h"

#include <algorithm>
#include <array>

namespace heddle::synthesis {

std::vector<std::string_view> partsOf(std::string_view Opcode) {
  std::vector<std::string_view> Parts;
  while (true) {
    size_t Dot = Opcode.find('.');
    Parts.push_back(Opcode.substr(0, Dot));
    if (Dot == Opcode.npos)
      return Parts;
    Opcode.remove_prefix(Dot + 1);
  }
}

std::string functionName(std::string_view Opcode) {
  std::string Name(Opcode);
  std::replace(Name.begin(), Name.end(), '.', '_');
  return Name;
}

static Kind kindOf(std::string_view Type) {
  if (Type == "pred")
    return Kind::Predicate;
  if (Type.ends_with("64"))
    return Kind::B64;
  if (Type.ends_with("16") || Type.ends_with("8"))
    return Kind::B16;
  return Kind::B32;
}

static Kind twice(Kind K) { return K == Kind::B32 ? Kind::B64 : Kind::B32; }

static unsigned numSources(std::string_view Base) {
  static constexpr std::array One = {
      "mov", "neg", "abs", "not", "cnot", "popc", "clz",   "brev",  "sqrt",
      "rcp", "ex2", "lg2", "sin", "cos",  "tanh", "rsqrt", "bfind", "cvta"};
  static constexpr std::array Three = {"mad", "fma",  "bfe",  "prmt", "sad",
                                       "shf", "dp4a", "dp2a", "slct"};
  if (std::find(One.begin(), One.end(), Base) != One.end())
    return 1;
  if (std::find(Three.begin(), Three.end(), Base) != Three.end())
    return 3;
  return 2;
}

/// Of a letter of a library function's signature (ABI/DeviceMath.h).
static Kind kindOf(char Letter) {
  switch (Letter) {
  case 'b':
    return Kind::Predicate;
  case 's':
  case 'h':
    return Kind::B16;
  case 'l':
  case 'd':
    return Kind::B64;
  default:
    return Kind::B32;
  }
}

/// "math.ldexp.f64": what the library function takes and returns.
static void setMathOperands(Operands &O, std::string_view Opcode, Kind K) {
  const std::string Name(Opcode.substr(Opcode.find('.') + 1));
  const HeddleMathEntry *Entry = heddleFindMath(Name.c_str());
  if (!Entry) {
    O.Results = {K};
    O.Sources = {K};
    return;
  }
  const std::string_view Signature = Entry->Signature;
  O.Results = {kindOf(Signature.front())};
  for (char Letter : Signature.substr(1)) {
    O.Sources.push_back(kindOf(Letter));
    O.IntegerSources.push_back(Letter != 'f' && Letter != 'd' && Letter != 'h');
  }
  O.IntegerResult = Signature.front() == 'i' || Signature.front() == 'l';
}

/// Instructions between the threads of a warp or block; false for others.
static bool setGroupOperands(Operands &O, std::string_view Base, Kind K,
                             bool Reduces, bool OfWarp) {
  if (Base == "bar" || Base == "barrier") {
    if (Reduces) {
      O.Results = {K};
      O.Sources = {Kind::Predicate};
      O.Lead = {"0"};
    } else {
      O.Tail = {OfWarp ? "-1" : "0"};
    }
  } else if (Base == "shfl") {
    O.Results = {K};
    O.Sources = {K, Kind::B32};
    O.Tail = {"31", "-1"};
  } else if (Base == "vote") {
    O.Results = {K};
    O.Sources = {Kind::Predicate};
    O.Tail = {"-1"};
  } else if (Base == "match" || Base == "redux") {
    O.Results = {Kind::B32};
    O.Sources = {K};
    O.Tail = {"-1"};
  } else if (Base == "activemask") {
    O.Results = {Kind::B32};
  } else if (Base == "nanosleep") {
    O.Tail = {"0"};
  } else {
    return Base == "trap" || Base == "brkpt" || Base == "ret" || Base == "exit";
  }
  return true;
}

Operands operandsOf(std::string_view Opcode) {
  std::vector<std::string_view> Parts = partsOf(Opcode);
  std::string_view Base = Parts.front(), Type = Parts.back();
  auto Has = [&](std::string_view Part) {
    return std::find(Parts.begin(), Parts.end(), Part) != Parts.end();
  };
  Operands O;
  Kind K = kindOf(Type);
  O.IsFloat = Type.starts_with("f");
  O.IsDouble = Type == "f64";
  if (Base == "membar" || Base == "fence" ||
      setGroupOperands(O, Base, K, Has("red"), Has("warp")))
    return O;
  if (Base == "ld" || Base == "ldu" || Base == "st") {
    O.IsMemory = true;
    O.Elements = Has("v2") ? 2 : Has("v4") ? 4 : 1;
    (Base == "st" ? O.Sources : O.Results).assign(O.Elements, K);
    return O;
  }
  if (Base == "atom" || Base == "red") {
    O.IsMemory = true;
    if (Base == "atom")
      O.Results = {K};
    O.Sources.assign(Has("cas") ? 2 : 1, K);
    return O;
  }
  if (Base == "math") {
    setMathOperands(O, Opcode, K);
    return O;
  }
  if (Base == "special") {
    O.Results = {K};
    return O;
  }
  if (Base == "setp") {
    O.Results = {Kind::Predicate};
    O.Sources = {K, K};
    return O;
  }
  if (Base == "selp") {
    O.Results = {K};
    O.Sources = {K, K, Kind::Predicate};
    return O;
  }
  if (Base == "cvt") {
    O.Results = {kindOf(Parts[Parts.size() - 2])};
    // Two numbers make a packed pair.
    O.Sources.assign(Parts[Parts.size() - 2].ends_with("x2") ? 2 : 1, K);
    return O;
  }
  O.Results = {K};
  O.Sources.assign(numSources(Base), K);
  if (Base == "popc" || Base == "clz")
    O.Results = {Kind::B32};
  if (Base == "shl" || Base == "shr")
    O.Sources[1] = Kind::B32;
  if (Base == "bfe")
    O.Sources[1] = O.Sources[2] = Kind::B32;
  if (Base == "bfi")
    O.Sources = {K, K, Kind::B32, Kind::B32};
  if (Base == "lop3") {
    O.Sources = {K, K, K};
    O.Tail = {"0x96"};
  }
  if (Has("wide")) {
    O.Results = {twice(K)};
    if (Base == "mad")
      O.Sources[2] = twice(K);
  }
  return O;
}

} // namespace heddle::synthesis
