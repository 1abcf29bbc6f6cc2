//===- BehaviorRoundTripTest.cpp - Profiles through the synth dialect -----===//

#include "heddle/Synthesis/SynthModule.h"

#include "behavior/BehaviorFile.h"
#include "synthesis/PTXWriter.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::behavior;

namespace {

/// A loop over a load, with something in every field that a profile has.
Profile exampleProfile() {
  Profile P;
  P.Grid = {8, 4, 1};
  P.Threads = {64, 2, 1};
  P.RegistersPerThread = 24;
  P.SharedBytes = 512;
  P.WarpInstructions = 128 * 5 + 128 * 10 * 7;
  P.ThreadInstructions = P.WarpInstructions * 32;
  P.Arrays = {{Space::Global, 1 << 20}, {Space::Shared, 512}};
  Access Affine;
  Affine.Array = 0;
  Affine.Requests = 1280;
  Affine.IsAffine = true;
  Affine.Explained = 0.99;
  Affine.Constant = -8;
  Affine.Coefficients = {4, 256, 0, 512, 0, 0, 4096, 0, 0, 0};
  Affine.Most = 65536;
  Affine.SectorsPerRequest = 1.0 / 3;
  Access Drawn;
  Drawn.Array = 1;
  Drawn.IsStore = true;
  Drawn.Requests = 1280;
  Drawn.Most = 508;
  Drawn.SectorsPerRequest = 7.25;
  Drawn.ConflictsPerRequest = 0.1;
  Drawn.Step = -4;
  Drawn.StepShare = 0.75;
  Drawn.LaneStride = 16;
  Drawn.LaneShare = 0.6;
  Drawn.FootprintSectors = 16;
  Drawn.SectorEntropy = 3.7;
  Access Follower = Drawn;
  Follower.Leader = 1;
  Follower.LeaderDistance = 4;
  Access OfBits = Affine;
  OfBits.Fields = {{ThreadX, 0, 3, -4}, {BlockX, 1, 2, 128}};
  Access Around = Affine;
  Around.Modulus = 1 << 17;
  Access Near = Affine;
  Near.IsAffine = false;
  Near.Near = 252;
  P.Accesses = {Affine, Drawn, Follower, OfBits, Around, Near};
  Loop L;
  L.Header = 1;
  L.Blocks = {1};
  for (unsigned Q = 0; Q < L.Trips.size(); ++Q)
    L.Trips[Q] = 4 + Q;
  for (unsigned I = 0; I < L.ThreadTrips.size(); ++I)
    L.ThreadTrips[I] = 2 + I / 7.0;
  L.MeanTrips = 9.3;
  L.TripsVaryInWarp = true;
  P.Loops = {L};
  Branch B;
  B.Block = 1;
  B.Taken = 1;
  B.Other = 2;
  B.AllTaken = 0.8;
  B.Mixed = 0.1;
  B.MixedLanes = 0.3;
  Branch Both = B;
  Both.Block = 0;
  Both.Taken = 1;
  Both.IsFixed = true;
  Both.Coefficients[ThreadX] = 1;
  Both.Lower = INT64_MIN;
  Both.Upper = 12;
  Both.AlsoCoefficients[ThreadY] = 1;
  Both.AlsoLower = 1;
  Both.AlsoUpper = INT64_MAX;
  P.Branches = {Both, B};
  P.Edges = {{0, 1, 4000, 128, 4000},
             {0, 2, 96, 16, 96},
             {1, 1, 36864, 1152, 4096},
             {1, 2, 4096, 128, 4096}};
  Block Entry;
  Entry.ECount = 4096;
  Entry.WarpCount = 128;
  Entry.Lanes = {0, 0, 0, 0, 0, 128};
  Instruction I;
  I.Opcode = "mov.u32";
  I.Defs = {1};
  I.IsSpecial = true;
  Entry.Chain.push_back(I);
  I = {};
  I.Opcode = "mov.b32";
  I.Defs = {2};
  Entry.Chain.push_back(I);
  Block Body = Entry;
  Body.ECount = Body.LCount = 40960;
  Body.WarpCount = Body.SCount = 1280;
  Body.Loop = 0;
  Body.Lanes = {0, 1, 2, 3, 4, 1270};
  Body.Chain.clear();
  auto Add = [&](const char *Opcode, std::vector<unsigned> Defs,
                 std::vector<unsigned> Uses, unsigned Access, int Offset) {
    Instruction New;
    New.Opcode = Opcode;
    New.Defs = std::move(Defs);
    New.Uses = std::move(Uses);
    New.Access = Access;
    New.ByteOffset = Offset;
    New.Issued = 2;
    Body.Chain.push_back(New);
  };
  Add("ld.global.v2.f32", {3, 4}, {}, 0, 8);
  Add("fma.rn.f32", {2}, {3, 4, 2}, None, 0);
  Add("st.shared.f32", {}, {2}, 1, 0);
  Add("st.shared.f32", {}, {4}, 2, 0);
  Add("ld.global.f32", {4}, {}, 3, 0);
  Add("ld.global.f32", {4}, {}, 4, 0);
  Add("ld.global.f32", {4}, {}, 5, 0);
  Add("bar.sync", {}, {}, None, 0);
  Block End = Entry;
  End.Chain.clear();
  I = {};
  I.Opcode = "ret";
  End.Chain.push_back(I);
  P.Blocks = {Entry, Body, End};
  P.NumRegisters = 4;
  return P;
}

SynthModule take(llvm::Expected<SynthModule> M) {
  if (!M)
    ADD_FAILURE() << llvm::toString(M.takeError());
  return std::move(*M);
}

TEST(BehaviorRoundTrip, ProfileSurvivesTheDialectAndItsText) {
  auto Text = [](llvm::Expected<Profile> P) {
    return writeBehavior(llvm::cantFail(std::move(P)), "1");
  };
  const std::string Before = Text(exampleProfile());
  SynthModule Module = take(SynthModule::fromBehavior(exampleProfile()));
  EXPECT_EQ(Text(Module.behavior()), Before);
  SynthModule Parsed = take(SynthModule::parse(
      llvm::MemoryBuffer::getMemBufferCopy(Module.text(), "example.mlir")));
  EXPECT_EQ(Text(Parsed.behavior()), Before);
}

TEST(BehaviorRoundTrip, PassesPlanWhatThePlanningItselfWould) {
  for (uint64_t LoopFactor : {1, 2, 4})
    for (uint64_t GridFactor : {1, 2, 3}) {
      synthesis::ReductionOptions Direct;
      Direct.LoopFactor = LoopFactor;
      Direct.GridFactor = GridFactor;
      auto Plan = synthesis::planClone(exampleProfile(), Direct);
      ASSERT_TRUE(Plan) << Plan.error().Message;
      SynthModule Module = take(SynthModule::fromBehavior(exampleProfile()));
      ASSERT_FALSE(bool(Module.run(
          "synth-reduce-loops{factor=" + std::to_string(LoopFactor) +
          "},synth-reduce-grid{factor=" + std::to_string(GridFactor) + "}")));
      auto One = synthesis::writePTX(*Plan, "sm_70"),
           Other = synthesis::writePTX(
               synthesis::planReduced(llvm::cantFail(Module.behavior()),
                                      Module.reduction()),
               "sm_70");
      ASSERT_TRUE(One) << One.error().Message;
      ASSERT_TRUE(Other) << Other.error().Message;
      EXPECT_EQ(One->PTX, Other->PTX);
    }
}

TEST(BehaviorRoundTrip, MalformedBehaviorIsRefused) {
  Profile NoLaunch = exampleProfile(), NoBlock = NoLaunch, NoAccess = NoLaunch;
  NoLaunch.Grid.X = 0;
  NoBlock.Branches[0].Other = 3;
  NoAccess.Blocks[1].Chain[0].Access = 6;
  for (const Profile &P : {Profile(), NoLaunch, NoBlock, NoAccess}) {
    auto Module = SynthModule::fromBehavior(P);
    EXPECT_FALSE(bool(Module));
    llvm::consumeError(Module.takeError());
  }
}

} // namespace
