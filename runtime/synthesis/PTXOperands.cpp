//===- PTXOperands.cpp - The operands that an opcode takes ----------------===//

#include "synthesis/PTXOperands.h"

#include "heddle/ABI/CodeTable.h"
#include "heddle/ABI/DeviceMath.h"
#include "heddle/ABI/PTXInstructions.h"

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

/// Reads the results or the sources of a row (PTXInstructions.def), one side of
/// its "=".
static void addOperands(Operands &O, std::string_view Letters, bool AreResults,
                        Kind OfType, Kind OfFirst) {
  std::vector<Kind> &Kinds = AreResults ? O.Results : O.Sources;
  while (!Letters.empty()) {
    const size_t End = std::min(Letters.find(' '), Letters.size());
    const std::string_view L = Letters.substr(0, End);
    Letters.remove_prefix(std::min(End + 1, Letters.size()));
    if (L.empty() || L.ends_with('?') || L == "A")
      continue;
    if (L[0] == '-' || (L[0] >= '0' && L[0] <= '9'))
      (O.Sources.empty() ? O.Lead : O.Tail).emplace_back(L);
    else
      Kinds.insert(Kinds.end(), L == "T*" ? O.Elements : 1,
                   L[0] == 'p'   ? Kind::Predicate
                   : L[0] == 'i' ? Kind::B32
                   : L[0] == 'l' ? Kind::B64
                   : L[0] == 'D' ? OfFirst
                   : L[0] == 'W' ? twice(OfType)
                                 : OfType);
  }
}

Operands operandsOf(std::string_view Opcode) {
  const std::vector<std::string_view> Parts = partsOf(Opcode);
  const std::string_view Type = Parts.back();
  auto Has = [&](std::string_view Part) {
    return std::find(Parts.begin(), Parts.end(), Part) != Parts.end();
  };
  Operands O;
  const Kind K = kindOf(Type);
  O.IsFloat = Type.starts_with("f");
  O.IsDouble = Type == "f64";
  HeddlePTXForm Form;
  const bool Known = heddleFindPTX(Opcode.data(), Opcode.size(), &Form);
  const unsigned Class = Known ? Form.Row->Class : HEDDLE_OP_CALL;
  if (Class == HEDDLE_OP_CALL || Class == HEDDLE_OP_TEXTURE) {
    O.Results = {K};
    O.Sources = {K, K};
    return O;
  }
  if (Class == HEDDLE_OP_MATH) {
    setMathOperands(O, Opcode, K);
    return O;
  }
  O.IsMemory = Class >= HEDDLE_OP_LOAD && Class <= HEDDLE_OP_REDUCTION;
  O.Elements = !O.IsMemory ? 1 : Has("v2") ? 2 : Has("v4") ? 4 : 1;
  const std::string_view Letters = Form.Row->Operands;
  const size_t Equals = Letters.find('=');
  const Kind First = Parts.size() > 2 ? kindOf(Parts[Parts.size() - 2]) : K;
  addOperands(O, Letters.substr(0, Equals), true, K, First);
  addOperands(O, Letters.substr(Equals + 1), false, K, First);
  return O;
}

} // namespace heddle::synthesis
