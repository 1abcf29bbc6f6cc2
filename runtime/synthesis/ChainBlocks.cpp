//===- ChainBlocks.cpp - Blocks of a clone while it is written ------------===//

#include "synthesis/ChainBlocks.h"

#include <algorithm>
#include <array>
#include <bit>
#include <fmt/format.h>

namespace heddle::synthesis {

using behavior::None;

ChainBlocks::ChainBlocks(const behavior::Profile &P) : P(P) {
  for (const behavior::Block &B : P.Blocks) {
    Block Out;
    for (const behavior::Instruction &I : B.Chain) {
      std::string_view Base = baseOf(I.Opcode);
      if (Base == "bra") {
        ++(I.Opcode.starts_with("bra.uni") ? Out.Jumps : Out.Branches);
      } else if (Base != "ret" && Base != "exit") {
        Slot S;
        S.From = &I;
        S.Shape = operandsOf(I.Opcode);
        S.Reads = I.Uses;
        Out.Slots.push_back(std::move(S));
      }
    }
    Blocks.push_back(std::move(Out));
  }
  inferKinds();
}

void ChainBlocks::inferKinds() {
  Unwritten.assign(P.NumRegisters + 1, false);
  Kinds.assign(P.NumRegisters + 1, Kind::B32);
  std::vector<bool> Known(Kinds.size());
  for (const Block &B : Blocks)
    for (const Slot &S : B.Slots)
      for (size_t I = 0; I < S.From->Defs.size(); ++I) {
        unsigned R = S.From->Defs[I];
        const auto &Results = S.Shape.Results;
        if (!Known[R] && !Results.empty()) {
          Kinds[R] = Results[std::min(I, Results.size() - 1)];
          Known[R] = true;
        }
      }
  widenLoads();
}

/// A load of 8 or 16 bits may go to a wider register: to the size that its
/// readers take, where they agree.
void ChainBlocks::widenLoads() {
  std::vector<bool> Loaded(Kinds.size()), Other(Kinds.size());
  std::vector<std::array<bool, 4>> Read(Kinds.size());
  for (const Block &B : Blocks)
    for (const Slot &S : B.Slots) {
      const bool IsLoad =
          baseOf(S.From->Opcode) == "ld" && S.Shape.Elements == 1;
      for (unsigned R : S.From->Defs)
        (IsLoad && Kinds[R] == Kind::B16 ? Loaded : Other)[R] = true;
      for (unsigned R : S.From->Uses)
        for (Kind K : S.Shape.Sources)
          Read[R][unsigned(K)] = true;
    }
  for (size_t R = 0; R < Kinds.size(); ++R)
    if (Loaded[R] && !Other[R] && !Read[R][unsigned(Kind::B16)])
      for (Kind K : {Kind::B64, Kind::B32})
        if (Read[R][unsigned(K)])
          Kinds[R] = K;
}

bool ChainBlocks::readsAddress(const Slot &S) const {
  if (!S.Shape.IsMemory || S.From->Uses.empty())
    return false;
  return S.Shape.Sources.empty() ||
         S.From->Uses.size() > S.Shape.Sources.size() ||
         (Kinds[S.From->Uses[0]] == Kind::B64 &&
          S.Shape.Sources[0] != Kind::B64);
}

static bool isInteger(std::string_view Opcode) {
  static constexpr std::array Bases = {
      "add", "sub",  "mad", "mul", "shl", "shr",  "and", "or",  "xor", "mov",
      "cvt", "selp", "min", "max", "neg", "cvta", "not", "shf", "bfe", "setp"};
  if (std::find(Bases.begin(), Bases.end(), baseOf(Opcode)) == Bases.end())
    return false;
  for (std::string_view Part : partsOf(Opcode))
    if (Part == "f32" || Part == "f64" || Part == "f16" || Part == "pred")
      return false;
  return true;
}

/// Integer multiplications cost more than the rest on most machines.
static bool multiplies(std::string_view Base) {
  return Base == "mul" || Base == "mad";
}

static bool stepsItself(const behavior::Instruction &I) {
  return !I.Defs.empty() &&
         std::find(I.Uses.begin(), I.Uses.end(), I.Defs[0]) != I.Uses.end();
}

bool ChainBlocks::takeOutOf(unsigned B, std::string_view Opcode,
                            bool OnlyAlike) {
  Slot *Best = nullptr;
  int BestRank = 0;
  const bool WantsSpecial = Opcode.find("%tid") != Opcode.npos ||
                            Opcode.find("%ctaid") != Opcode.npos ||
                            Opcode.find("%laneid") != Opcode.npos;
  const bool WantsParameter = Opcode.starts_with("ld.param");
  std::string_view Name = Opcode.substr(0, Opcode.find(' '));
  for (Slot &S : Blocks[B].Slots) {
    if (S.Removed || S.Pinned || !S.Before.empty())
      continue;
    const std::string &Own = S.From->Opcode;
    bool Parameter = Own.starts_with("ld.param");
    if (!isInteger(Own) && !(Parameter && WantsParameter))
      continue;
    int Rank = Own == Name                   ? 5
               : baseOf(Own) == baseOf(Name) ? 4
               : baseOf(Own) == "mov"        ? 1
               : baseOf(Own) == "setp"       ? 1
                                             : 3;
    // Counters and pointers that step: what planned ones stand for.
    if (Own == Name && stepsItself(*S.From))
      Rank = 6;
    if (S.From->IsSpecial)
      Rank = WantsSpecial ? 6 : 2;
    // An instruction that costs more than its replacement stays; a cheaper one
    // is replaced last.
    if (multiplies(baseOf(Own)) != multiplies(baseOf(Name))) {
      if (multiplies(baseOf(Own)) || OnlyAlike)
        continue;
      Rank = 1;
    }
    Rank = 2 * Rank + (Own.ends_with("64") == Name.ends_with("64"));
    // Of equals the last: others wait for what comes early.
    if (Rank >= BestRank) {
      Best = &S;
      BestRank = Rank;
    }
  }
  if (Best)
    Best->Removed = true;
  return Best;
}

bool ChainBlocks::runsAlike(unsigned B, unsigned Other) const {
  const behavior::Block &Own = P.Blocks[B], &O = P.Blocks[Other];
  return O.Loop == Own.Loop && O.WarpCount * 10 >= Own.WarpCount * 9 &&
         O.WarpCount * 9 <= Own.WarpCount * 10;
}

bool ChainBlocks::takeOut(unsigned B, std::string_view Opcode) {
  auto From = [&](bool OnlyAlike) {
    if (takeOutOf(B, Opcode, OnlyAlike))
      return true;
    for (unsigned Other = 0; Other < Blocks.size(); ++Other)
      if (Other != B && runsAlike(B, Other) &&
          takeOutOf(Other, Opcode, OnlyAlike))
        return true;
    return false;
  };
  // A multiplication elsewhere is preferred to a cheap instruction here.
  return (multiplies(baseOf(Opcode.substr(0, Opcode.find(' ')))) &&
          From(true)) ||
         From(false);
}

bool ChainBlocks::hasMultiplication(unsigned B) const {
  for (unsigned Other = 0; Other < Blocks.size(); ++Other)
    for (const Slot &S : Blocks[Other].Slots)
      if (!S.Removed && !S.Pinned && S.Before.empty() &&
          isInteger(S.From->Opcode) && multiplies(baseOf(S.From->Opcode)) &&
          (Other == B || runsAlike(B, Other)))
        return true;
  return false;
}

ChainBlocks::Slot *ChainBlocks::producer(unsigned B, size_t Before,
                                         unsigned Register) {
  for (size_t I = Before; I-- > 0;) {
    Slot &S = Blocks[B].Slots[I];
    const auto &Defs = S.From->Defs;
    if (std::find(Defs.begin(), Defs.end(), Register) != Defs.end())
      return S.Removed ? nullptr : &S;
  }
  return nullptr;
}

ChainBlocks::Slot *ChainBlocks::lastComparison(unsigned B) {
  for (size_t I = Blocks[B].Slots.size(); I-- > 0;) {
    Slot &S = Blocks[B].Slots[I];
    if (!S.Removed && !S.From->Defs.empty() && !S.Shape.Results.empty() &&
        S.Shape.Results[0] == Kind::Predicate)
      return &S;
  }
  return nullptr;
}

void ChainBlocks::findZeroes(const std::vector<bool> &Stored) {
  static constexpr std::array Keeps = {
      "add", "sub",  "mul", "mad", "shl", "shr", "and",  "or",  "xor",  "mov",
      "cvt", "cvta", "min", "max", "abs", "neg", "selp", "bfe", "shfl", "shf"};
  Zero.assign(Kinds.size(), true);
  auto KeepsZero = [&](const Slot &S) {
    std::string_view Base = baseOf(S.From->Opcode);
    if (S.Shape.IsMemory) {
      if (S.From->Opcode.starts_with("ld.param"))
        return true;
      return (Base == "ld" || Base == "ldu") && S.From->Access != None &&
             P.Accesses[S.From->Access].Array != None &&
             !Stored[P.Accesses[S.From->Access].Array];
    }
    if (S.From->IsSpecial || S.Shape.IsFloat || S.Shape.IsDouble ||
        std::find(Keeps.begin(), Keeps.end(), Base) == Keeps.end())
      return false;
    return std::all_of(S.From->Uses.begin(), S.From->Uses.end(),
                       [&](unsigned R) { return Zero[R]; });
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Block &B : Blocks)
      for (const Slot &S : B.Slots)
        if (!S.Removed && !KeepsZero(S))
          for (unsigned R : S.From->Defs)
            if (Zero[R]) {
              Zero[R] = false;
              Changed = true;
            }
  }
}

namespace {

/// The registers that instructions wait for in place of a replaced one: by
/// kind, those that are written last.
struct Standing {
  std::array<unsigned, 4> Registers = {None, None, None, None};
  std::array<size_t, 4> Written = {};

  void offer(Kind K, unsigned Register, size_t At) {
    const auto I = unsigned(K);
    if (Registers[I] != None && At < Written[I])
      return;
    Registers[I] = Register;
    Written[I] = At;
  }
  void offer(const Standing &Other) {
    for (unsigned I = 0; I != Registers.size(); ++I)
      if (Other.Registers[I] != None)
        offer(Kind(I), Other.Registers[I], Other.Written[I]);
  }
};

} // namespace

/// Whether \p Register is zero and holds no planned address.
bool ChainBlocks::isPlainZero(unsigned Register) const {
  return Zero[Register] && Kinds[Register] != Kind::B64;
}

/// In place of what a replaced slot wrote, readers that store, if \p OfStores,
/// or the others read what it had read. What is stored has no effect; the rest
/// has to stay zero.
void ChainBlocks::passBy(std::vector<Slot> &Slots, bool OfStores) const {
  std::map<unsigned, size_t> Writers; // by register
  std::vector<Standing> Stands(Slots.size());
  for (size_t I = 0; I != Slots.size(); ++I) {
    Slot &S = Slots[I];
    for (unsigned R : S.From->Uses) {
      auto W = Writers.find(R);
      if (!S.Removed || W == Writers.end())
        continue;
      if (Slots[W->second].Removed)
        Stands[I].offer(Stands[W->second]);
      else if (OfStores || isPlainZero(R))
        Stands[I].offer(Kinds[R], R, W->second);
    }
    for (size_t U = readsAddress(S); U < S.Reads.size(); ++U)
      if (auto W = Writers.find(S.Reads[U]); S.From->Defs.empty() == OfStores &&
                                             W != Writers.end() &&
                                             Slots[W->second].Removed)
        if (unsigned R =
                Stands[W->second].Registers[unsigned(Kinds[S.Reads[U]])];
            R != None)
          S.Reads[U] = R;
    for (unsigned R : S.From->Defs)
      Writers[R] = I;
  }
}

void ChainBlocks::passBy() {
  for (Block &B : Blocks)
    for (const bool OfStores : {false, true})
      passBy(B.Slots, OfStores);
}

std::string ChainBlocks::name(unsigned Register) const {
  static constexpr std::array Prefixes = {"%p", "%h", "%r", "%d"};
  return fmt::format("{}{}", Prefixes[unsigned(Kinds[Register])], Register);
}

static std::string literal(Kind K, const Operands &O, std::string_view Base) {
  if (K == Kind::Predicate)
    return "%zp";
  if (Base == "cvta" || Base == "isspacep") // they take no literals
    return "%zd";
  if (K == Kind::B16 && O.IsFloat) // PTX has no literals of half
    return "%zh";
  if (O.IsDouble)
    return "0d0000000000000000";
  if (O.IsFloat)
    return "0f00000000";
  return "0";
}

std::string ChainBlocks::text(const Slot &S, const std::string &Address) const {
  if (!S.PassedOn.empty() && !Unwritten[S.ZeroSource] &&
      Kinds[S.ZeroSource] == Kind::B32)
    return fmt::format("mad.wide.u32 {}, {}, 1, {}", name(S.From->Defs[0]),
                       name(S.ZeroSource), S.PassedOn);
  if (!S.PassedOn.empty())
    return fmt::format("add.s64 {}, {}, {}", name(S.From->Defs[0]), S.PassedOn,
                       Unwritten[S.ZeroSource] ? "0" : name(S.ZeroSource));
  const Operands &O = S.Shape;
  std::vector<unsigned> Uses = S.Reads;
  if (readsAddress(S))
    Uses.erase(Uses.begin());
  // Registers go to the first place of their kind.
  std::vector<std::string> Sources(O.Sources.size());
  std::string_view Base = baseOf(S.From->Opcode);
  bool Divides = (Base == "div" || Base == "rem") && !O.IsFloat && !O.IsDouble;
  for (unsigned R : Uses)
    for (size_t I = 0; I < Sources.size() && !Unwritten[R]; ++I)
      if (Sources[I].empty() && O.Sources[I] == Kinds[R] &&
          !(Divides && I == 1)) {
        Sources[I] = name(R);
        break;
      }
  for (size_t I = 0; I < Sources.size(); ++I)
    if (Sources[I].empty())
      Sources[I] = Divides && I == 1 ? "1"
                   : I < O.IntegerSources.size() && O.IntegerSources[I]
                       ? "0"
                       : literal(O.Sources[I], O, Base);
  if (S.Scale)
    Sources[1] = fmt::format(
        "{}", Base == "shl" ? unsigned(std::countr_zero(S.Scale)) : S.Scale);
  std::vector<std::string> Results;
  for (size_t I = 0; I < O.Results.size(); ++I)
    Results.push_back(I < S.From->Defs.size() ? name(S.From->Defs[I])
                                              : std::string("_"));
  // A comparison with itself is false, so that planned jumps stay in force.
  if (Base == "setp")
    return fmt::format(
        "{}.{} {}, {}, {}", O.IsFloat || O.IsDouble ? "setp.lt" : "setp.ne",
        partsOf(S.From->Opcode).back(), Results[0], Sources[0], Sources[0]);
  auto Group = [&](const std::vector<std::string> &Names) {
    return O.Elements > 1  ? fmt::format("{{{}}}", fmt::join(Names, ", "))
           : Names.empty() ? std::string()
                           : Names[0];
  };
  std::vector<std::string> Operands;
  if (Base == "special") // what a driver tells a kernel
    return fmt::format("mov.u32 {}, %laneid", Results[0]);
  if (Base == "math") // a function that the text defines
    return fmt::format("call ({}), {}, ({})", Results[0],
                       functionName(S.From->Opcode), fmt::join(Sources, ", "));
  if (S.From->IsSpecial && Base == "mov")
    Sources = {"%laneid"};
  if (O.IsMemory && Base == "st") {
    Operands = {"[" + Address + "]", Group(Sources)};
  } else if (O.IsMemory) {
    if (!O.Results.empty())
      Operands.push_back(Group(Results));
    Operands.push_back("[" + Address + "]");
    Operands.insert(Operands.end(), Sources.begin(), Sources.end());
  } else {
    Operands = Results;
    Operands.insert(Operands.end(), O.Lead.begin(), O.Lead.end());
    Operands.insert(Operands.end(), Sources.begin(), Sources.end());
  }
  Operands.insert(Operands.end(), O.Tail.begin(), O.Tail.end());
  return fmt::format("{} {}", S.From->Opcode, fmt::join(Operands, ", "));
}

} // namespace heddle::synthesis
