//===- BehaviorFile.cpp - Behaviour profiles as JSON ----------------------===//

#include "behavior/BehaviorFile.h"

#include "base/Fail.h"
#include "base/JSONText.h"
#include "behavior/LoopTrips.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

namespace heddle {
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Dim3, X, Y, Z)
} // namespace heddle

namespace heddle::behavior {

using JSON = nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Instruction, Opcode, Defs, Uses, Access,
                                   ByteOffset, IsSpecial, Issued)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Block, ECount, WarpCount, SCount, LCount,
                                   Loop, Chain, Lanes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Edge, From, To, Count, WarpCount, TCount)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Branch, Block, Taken, Other, IsFixed,
                                   Coefficients, Modulus, Lower, Upper,
                                   AlsoCoefficients, AlsoLower, AlsoUpper,
                                   AllTaken, Mixed, MixedLanes)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Loop, Header, Parent, Depth, After, Blocks,
                                   Trips, MeanTrips, TripsVaryInWarp,
                                   ThreadTrips, BlockTrips, TripsAffine,
                                   TripConstant, TripCoefficients)
NLOHMANN_JSON_SERIALIZE_ENUM(Space, {{Space::Global, "global"},
                                     {Space::Shared, "shared"},
                                     {Space::Const, "const"},
                                     {Space::Local, "local"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Array, Where, SizeBytes)

static void to_json(JSON &Out, const Field &F) {
  Out = {F.Key, F.Shift, F.Bits, F.Factor};
}
static void from_json(const JSON &In, Field &F) {
  F = {In.at(0), In.at(1), In.at(2), In.at(3)};
}
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Access, Array, Bytes, IsStore, Requests,
                                   IsAffine, Explained, Constant, Coefficients,
                                   Fields, Modulus, Near, Least, Most,
                                   SectorsPerRequest, ConflictsPerRequest, Step,
                                   StepShare, LaneStride, LaneShare, Leader,
                                   LeaderDistance, FootprintSectors,
                                   SectorEntropy, OwnLines, OwnSectors,
                                   OwnBytes, OwnTogether)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Profile, Grid, Threads, RegistersPerThread,
                                   SharedBytes, WarpInstructions,
                                   ThreadInstructions, NumRegisters, Arrays,
                                   Accesses, Loops, Branches, Edges, Blocks)

static constexpr unsigned FormatVersion = 8;

/// FNV-1a.
static std::string checksum(const std::string &Text) {
  uint64_t Hash = 14695981039346656037ull;
  for (unsigned char C : Text)
    Hash = (Hash ^ C) * 1099511628211ull;
  return fmt::format("{:016x}", Hash);
}

std::string writeBehavior(const Profile &P, const std::string &Version) {
  JSON Content;
  to_json(Content, P);
  nlohmann::ordered_json Root = {{"tool", "heddle"},
                                 {"version", Version},
                                 {"behavior_format", FormatVersion},
                                 {"checksum", checksum(Content.dump())}};
  if (!P.Assumptions.empty())
    Root["assumptions"] = P.Assumptions;
  Root["behavior"] = nlohmann::ordered_json(Content);
  return Root.dump(1) + "\n";
}

bool isBehaviorFile(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  char Head[256] = {};
  File.read(Head, sizeof(Head) - 1);
  return std::strstr(Head, "\"tool\": \"heddle\"") != nullptr;
}

const char *findFault(const Profile &P) {
  const size_t Blocks = P.Blocks.size(), Loops = P.Loops.size();
  auto IsLoop = [&](unsigned L) { return L == None || L < Loops; };
  if (!P.Grid.count() || !P.Threads.count() || P.Threads.count() > 1024 ||
      !Blocks || !P.WarpInstructions || P.NumRegisters > UINT16_MAX)
    return "the launch is empty or too large";
  for (const Block &B : P.Blocks) {
    if (!IsLoop(B.Loop))
      return "a block's loop";
    for (const Instruction &I : B.Chain) {
      if (I.Access != None && I.Access >= P.Accesses.size())
        return "an instruction's access";
      for (const auto *List : {&I.Defs, &I.Uses})
        for (unsigned R : *List)
          if (R > P.NumRegisters)
            return "an instruction's register";
    }
  }
  for (const Edge &E : P.Edges)
    if (E.From >= Blocks || E.To >= Blocks)
      return "an edge's block";
  for (const Branch &B : P.Branches)
    if (B.Block >= Blocks || B.Taken >= Blocks || B.Other >= Blocks)
      return "a branch's block";
  for (size_t L = 0; L < Loops; ++L) {
    const Loop &Loop = P.Loops[L];
    if (Loop.Header >= Blocks || (Loop.Parent != None && Loop.Parent >= L) ||
        Loop.Depth >= MaxLoopDepth)
      return "a loop's header, parent or depth";
    if (!Loop.BlockTrips.empty() &&
        (Loop.Depth || Loop.BlockTrips.size() != P.Grid.count() ||
         P.Grid.X != P.Grid.count() ||
         Loop.BlockTrips.size() > BlockTrips::MostBlocks))
      return "the trips of a loop's blocks";
    if (Loop.After != None && (Loop.After >= Loops || Loop.After == L ||
                               P.Loops[Loop.After].Parent != Loop.Parent))
      return "the loop before a loop";
    for (unsigned B : Loop.Blocks)
      if (B >= Blocks)
        return "a loop's block";
  }
  for (const Access &A : P.Accesses)
    if ((A.Array != None && A.Array >= P.Arrays.size()) ||
        (A.Leader != None && A.Leader >= P.Accesses.size()))
      return "an access's array or leader";
  for (const Access &A : P.Accesses)
    for (const Field &F : A.Fields)
      if (F.Key >= Iteration0 || F.Shift > 31 || F.Bits < 1 || F.Bits > 32)
        return "the bits of an access's index";
  for (const Access &A : P.Accesses)
    if (A.Modulus && (!std::has_single_bit(A.Modulus) || !A.Fields.empty()))
      return "the modulus of an access";
  for (const Access &A : P.Accesses)
    if (A.Near &&
        (A.IsAffine || A.Modulus || !A.Fields.empty() || !A.Bytes ||
         A.Array == None || P.Arrays[A.Array].Where != Space::Global ||
         A.Near > UINT32_MAX))
      return "the nearness of an access";
  return findFarNumber(P);
}

Result<Profile> readBehavior(const std::string &Path) {
  std::ifstream File(Path, std::ios::binary);
  if (!File)
    return fail("cannot read profile '{}': {}", Path, std::strerror(errno));
  std::ostringstream Text;
  Text << File.rdbuf();
  return parseBehavior(Text.str(), Path);
}

/// Whether all fractions below \p At are means and shares as a profile has
/// them, which conversion to an unsigned integer can hold. Profiles of older
/// versions have entropies that rounding has left a little below zero.
static bool hasSaneFractions(const JSON &At) {
  if (At.is_number_float())
    return At.get<double>() > -1 && At.get<double>() <= INT32_MAX;
  return !At.is_structured() || std::ranges::all_of(At, hasSaneFractions);
}

static Result<Profile> checkedProfile(const JSON &Content,
                                      const std::string &Path) {
  if (!hasSaneFractions(Content))
    return fail(Path + ": malformed profile: a fraction is out of range");
  Profile P;
  from_json(Content, P);
  // Integers may stand where fractions are meant.
  JSON Held;
  to_json(Held, P);
  if (!hasSaneFractions(Held))
    return fail(Path + ": malformed profile: a fraction is out of range");
  if (const char *Fault = findFault(P))
    return fail("{}: malformed profile: {}", Path, Fault);
  return P;
}

static std::unexpected<Error> noProfile(const JSON::exception &E,
                                        const std::string &Path) {
  return fail("{}: not a behaviour profile: {}", Path, E.what());
}

Result<Profile> parseContent(const std::string &Text, const std::string &Path) {
  if (nestsTooDeep(Text))
    return fail(Path + NestsTooDeep);
  try {
    return checkedProfile(JSON::parse(Text), Path);
  } catch (const JSON::exception &E) {
    return noProfile(E, Path);
  }
}

Result<Profile> parseBehavior(const std::string &Text,
                              const std::string &Path) {
  if (nestsTooDeep(Text))
    return fail(Path + NestsTooDeep);
  try {
    JSON Root = JSON::parse(Text);
    if (!Root.contains("behavior_format"))
      return fail(Path + ": holds no behaviour; write it with `heddle profile "
                         "--behavior`");
    if (unsigned Format = Root.at("behavior_format"); Format != FormatVersion)
      return fail("{}: behaviour format {}, this heddle reads {}; profile the "
                  "kernel again",
                  Path, Format, FormatVersion);
    const JSON &Content = Root.at("behavior");
    if (Root.at("checksum") != checksum(Content.dump()))
      return fail(Path + ": the checksum does not fit: the file was edited; "
                         "profile the kernel again");
    Result<Profile> P = checkedProfile(Content, Path);
    if (P)
      P->Assumptions = Root.value("assumptions", std::vector<std::string>());
    return P;
  } catch (const JSON::exception &E) {
    return noProfile(E, Path);
  }
}

} // namespace heddle::behavior
