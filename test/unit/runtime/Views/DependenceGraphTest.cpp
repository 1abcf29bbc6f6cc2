//===- DependenceGraphTest.cpp - Chains of a small loop -------------------===//

#include "views/DependenceGraph.h"
#include "views/BottleneckView.h"
#include "views/InstructionView.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::timing;
using namespace heddle::views;

namespace {

HeddleInst inst(unsigned Class, std::vector<uint16_t> Defs,
                std::vector<uint16_t> Uses, unsigned Opcode,
                unsigned Space = HEDDLE_SPACE_NONE) {
  HeddleInst I{};
  I.Class = Class;
  I.Opcode = Opcode;
  I.Issued = 1;
  I.Space = Space;
  I.SourceLine = Opcode + 1;
  I.Memory = Space == HEDDLE_SPACE_GLOBAL ? 0 : HEDDLE_NO_MEMORY;
  for (uint16_t R : Defs)
    I.Registers[I.NumDefs++] = R;
  for (uint16_t R : Uses)
    I.Registers[I.NumDefs + I.NumUses++] = R;
  return I;
}

/// for (...) sum += in[i]: the base is computed once, the index in the loop.
struct Loop {
  trace::CodeTable Code;
  SimulationResult Result;

  Loop() {
    Code.Opcodes = {"mov.u64", "add.s64", "ld.global.f32", "add.f32",
                    "add.s32"};
    Code.Files = {"dir/sum.cu"};
    Code.Insts = {
        inst(HEDDLE_OP_MOVE, {1}, {}, 0),
        inst(HEDDLE_OP_ADD, {2}, {1, 5}, 1),
        inst(HEDDLE_OP_LOAD, {3}, {2}, 2, HEDDLE_SPACE_GLOBAL),
        inst(HEDDLE_OP_ADD, {4}, {4, 3}, 3),
        inst(HEDDLE_OP_ADD, {5}, {5}, 4),
    };
    Code.Blocks = {{0, 1, 0, 0}, {1, 4, 0, 1}};
    Result.Insts.resize(5);
    Result.Insts[0].Issued = 10;
    for (unsigned I = 1; I < 5; ++I)
      Result.Insts[I].Issued = 1000;
    Result.Insts[3].Cycles[unsigned(Stall::LongScoreboard)] = 9000;
    Result.Insts[1].Cycles[unsigned(Stall::Wait)] = 1000;
    Result.Stalls[unsigned(Stall::LongScoreboard)] = 9000;
    Result.Stalls[unsigned(Stall::Wait)] = 1000;
    Result.WarpCycles = 10000;
    Result.Cycles = 2000;
    Result.SMs.resize(1);
  }
};

/// The same where the sum reads the value through a conversion that is folded,
/// and in front of which warps wait.
struct FoldedLoop : Loop {
  FoldedLoop() {
    HeddleInst Convert = inst(HEDDLE_OP_CONVERT, {6}, {3}, 3);
    Convert.Issued = 0;
    Code.Insts.insert(Code.Insts.begin() + 3, Convert);
    Code.Insts[4].Registers[2] = 6;
    Code.Blocks[1].NumInsts = 5;
    Result.Insts.insert(Result.Insts.begin() + 3, Result.Insts[3]);
    Result.Insts[4].Cycles = {};
  }
};

TEST(DependenceGraph, TheLoadIsTheCulprit) {
  Loop L;
  DependenceGraph G(L.Code, L.Result, true);
  EXPECT_EQ(G.producers(3), (std::vector<uint32_t>{2, 3}));
  EXPECT_EQ(G.culprit(3, Stall::LongScoreboard), 2u);
  // Its own sum is what it would wait for otherwise.
  EXPECT_EQ(G.culprit(3, Stall::Wait), 3u);
  EXPECT_FALSE(G.culprit(0, Stall::LongScoreboard));
  EXPECT_EQ(G.causedCycles(2), 9000u);
}

TEST(DependenceGraph, TheSliceFollowsTheLoop) {
  Loop L;
  DependenceGraph::Slice S =
      DependenceGraph(L.Code, L.Result, true).sliceOf(2, 9);
  // From the load over its address to the index, not to the base.
  EXPECT_EQ(S.Insts, (std::vector<uint32_t>{2, 1, 4}));
  EXPECT_TRUE(S.LoopCarried);
  EXPECT_EQ(DependenceGraph(L.Code, L.Result, true).sliceOf(2, 2).Insts.size(),
            2u);
}

TEST(DependenceGraph, WhatNeverIssuedIsNoCulprit) {
  Loop L;
  // A second load of the register, in code that did not run.
  L.Code.Insts.push_back(
      inst(HEDDLE_OP_LOAD, {3}, {2}, 2, HEDDLE_SPACE_GLOBAL));
  L.Code.Blocks.push_back({5, 1, 1, 1});
  L.Result.Insts.resize(6);
  DependenceGraph G(L.Code, L.Result, true);
  EXPECT_EQ(G.producers(3), (std::vector<uint32_t>{2, 3}));
  L.Result.Insts[5].Issued = 1;
  EXPECT_EQ(DependenceGraph(L.Code, L.Result, true).producers(3),
            (std::vector<uint32_t>{2, 3, 5}));
}

TEST(DependenceGraph, FoldedInstructionsPassTheirProducersOn) {
  FoldedLoop L;
  EXPECT_EQ(DependenceGraph(L.Code, L.Result, true).producers(4),
            (std::vector<uint32_t>{2, 4}));
  EXPECT_EQ(
      DependenceGraph(L.Code, L.Result, true).culprit(4, Stall::LongScoreboard),
      2u);
  // Where nothing is folded it produces like any other.
  EXPECT_EQ(DependenceGraph(L.Code, L.Result, false).producers(4),
            (std::vector<uint32_t>{3, 4}));
}

TEST(Bottleneck, NoFoldedInstructionIsBlamed) {
  FoldedLoop L;
  JSON Out;
  BottleneckView(L.Result, L.Code, true).addTo(Out);
  const JSON &Chain = Out["bottlenecks"][0]["chain"];
  EXPECT_EQ(Chain[0]["instruction"], 4);
  EXPECT_EQ(Chain[0]["role"], "waits");
  EXPECT_DOUBLE_EQ(Chain[0]["share"], 0.9);
  EXPECT_EQ(Chain[1]["instruction"], 2);
  // On a machine that issues it, it waits itself.
  Out = {};
  BottleneckView(L.Result, L.Code, false).addTo(Out);
  EXPECT_EQ(Out["bottlenecks"][0]["chain"][0]["instruction"], 3);
}

TEST(Bottleneck, GainIsBoundByTheOtherWaits) {
  Loop L;
  JSON Out;
  BottleneckView(L.Result, L.Code, true).addTo(Out);
  const JSON &First = Out["bottlenecks"][0];
  EXPECT_EQ(First["what"], "global load");
  EXPECT_EQ(First["place"], "sum.cu:3");
  EXPECT_DOUBLE_EQ(First["share"], 0.9);
  EXPECT_DOUBLE_EQ(First["gain"], 0.9);
  EXPECT_EQ(First["then_limit"], "the other waits");
  EXPECT_EQ(First["chain"][0]["instruction"], 3);
  EXPECT_EQ(First["chain"][1]["after"], JSON::array({1}));
}

TEST(Bottleneck, GainIsBoundByABusyUnit) {
  Loop L;
  L.Result.DRAM.Utilization = 0.6;
  JSON Out;
  BottleneckView(L.Result, L.Code, true).addTo(Out);
  EXPECT_NEAR(Out["bottlenecks"][0]["gain"], 0.4, 1e-12);
  EXPECT_EQ(Out["bottlenecks"][0]["then_limit"], "DRAM");
}

TEST(Bottleneck, NothingWithoutCycles) {
  Loop L;
  L.Result.WarpCycles = 0;
  EXPECT_EQ(BottleneckView(L.Result, L.Code, true).text(), "");
}

TEST(InstructionText, OperandsAndAddress) {
  Loop L;
  EXPECT_EQ(instructionText(L.Code, 2), "ld.global.f32 %r3, [%r2]");
  EXPECT_EQ(instructionText(L.Code, 3), "add.f32 %r4, %r4, %r3");
  EXPECT_EQ(instructionText(L.Code, 99), "?");
  EXPECT_EQ(placeOf(L.Code, 0), "sum.cu:1");
}

} // namespace
