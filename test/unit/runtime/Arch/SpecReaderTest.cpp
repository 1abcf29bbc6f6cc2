//===- SpecReaderTest.cpp
//--------------------------------------------------===//

#include "arch/SpecReader.h"
#include "arch/SpecFields.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>

using namespace heddle;
using namespace heddle::arch;

namespace {

std::string errorOf(const std::string &Text,
                    std::vector<std::string> Sets = {}) {
  auto Spec = parseMachine(Text, "m.yaml", Sets);
  return Spec ? "" : Spec.error().Message;
}

TEST(SpecReader, EveryBuiltinMachineIsValid) {
  EXPECT_GE(builtinMachines().size(), 15u);
  EXPECT_TRUE(std::ranges::is_sorted(builtinMachines()));
  for (std::string_view Name : builtinMachines()) {
    auto Spec = loadMachine(Name);
    ASSERT_TRUE(Spec) << Spec.error().Message;
    EXPECT_EQ(Spec->Name, Name);
    EXPECT_EQ(Spec->L2.Size * Spec->L2.Slices, Spec->L2.TotalSize);
    for (unsigned Class = 0; Class != HEDDLE_NUM_OP_CLASSES; ++Class)
      for (unsigned Type = 0; Type != HEDDLE_NUM_DATA_TYPES; ++Type)
        EXPECT_LT(Spec->Ops.at(Class, Type).Pipe, Spec->Pipes.size());
  }
}

TEST(SpecReader, NumbersOfThePapersTables) {
  auto TBPoint = loadMachine("fermi-tbpoint");
  ASSERT_TRUE(TBPoint);
  EXPECT_EQ(TBPoint->SM.Count, 14u);
  EXPECT_EQ(TBPoint->L1.Ways, 8u);
  EXPECT_EQ(TBPoint->L2.TotalSize, 768u * 1024);
  EXPECT_EQ(TBPoint->FrontEnd.DecodeLatency, 5u);
  auto GPUMech = loadMachine("gpumech");
  ASSERT_TRUE(GPUMech);
  EXPECT_EQ(GPUMech->SM.MaxWarps, 32u);
  EXPECT_EQ(GPUMech->L1.MSHRs, 32u);
  EXPECT_EQ(GPUMech->DRAM.Bandwidth, 192);
  for (unsigned SMs : {8u, 28u, 56u, 110u}) {
    auto Mini = loadMachine("minibench-" + std::to_string(SMs) + "sm");
    ASSERT_TRUE(Mini);
    EXPECT_EQ(Mini->SM.Count, SMs);
    EXPECT_EQ(Mini->SM.Registers, SMs > 28 ? 32768u : 16384u);
    EXPECT_EQ(Mini->L1.Size, (SMs > 28 ? 256u : 128u) * 1024);
    EXPECT_EQ(Mini->L2.TotalSize, 0u);
  }
}

TEST(SpecReader, BaseThenFileThenSets) {
  std::vector<std::string> Sets = {"sm.count=7", "ops.mad.f32.latency=9",
                                   "pipes.sfu.units=8",
                                   "shared.carve_outs=[0,98304]"};
  auto Spec = parseMachine("base: v100\n"
                           "l2: {size: 3 MiB}\n"
                           "sm: {count: 40}\n",
                           "mine.yaml", Sets);
  ASSERT_TRUE(Spec) << Spec.error().Message;
  EXPECT_EQ(Spec->PlainName, "mine");
  EXPECT_EQ(Spec->Name, "mine with sm.count=7, ops.mad.f32.latency=9, "
                        "pipes.sfu.units=8, shared.carve_outs=[0, 98304]");
  EXPECT_EQ(Spec->SM.Count, 7u);
  EXPECT_EQ(Spec->L2.TotalSize, 3u << 20);
  EXPECT_EQ(Spec->Ops.at(HEDDLE_OP_MAD, HEDDLE_TYPE_F32).Latency, 9);
  EXPECT_NE(Spec->Ops.at(HEDDLE_OP_MAD, HEDDLE_TYPE_F64).Latency, 9);
  EXPECT_EQ(Spec->Shared.CarveOuts, (std::vector<uint32_t>{0, 98304}));
}

TEST(SpecReader, MessagesNamePlaceFieldValueAndRange) {
  EXPECT_EQ(errorOf("base: v100\nsm:\n  count: 0\n"),
            "m.yaml:3: sm.count is '0', but must be a whole number from 1 to "
            "1024");
  EXPECT_EQ(errorOf("base: v100\nsm: {counts: 8}\n"),
            "m.yaml:2: sm.counts is not a field of a machine; did you mean "
            "sm.count?");
  EXPECT_EQ(errorOf("base: v100\nsm: {scheduler: fifo}\n"),
            "m.yaml:2: sm.scheduler is 'fifo', but must be one of lrr, gto, "
            "gty, two-level");
  EXPECT_EQ(errorOf("base: v100\n", {"l1.line=96"}),
            "--set: l1.line is 96, but must be a power of two");
  EXPECT_EQ(errorOf("base: v100\nl2:\n  slices: 33\n"),
            "m.yaml:3: l2.slices is 33, but must be a multiple of "
            "dram.channels (32)");
  EXPECT_EQ(errorOf("base: v100\n",
                    {"front.operand_collectors=2", "pipes.sfu.collectors=6"}),
            "--set: pipes.sfu.collectors is 6, but must be a multiple of "
            "sm.schedulers (4)");
  EXPECT_NE(errorOf("base: v100\n", {"pipes.sfu.collectors=4"})
                .find("is 0, but other pipes have collectors of their own"),
            std::string::npos);
  EXPECT_NE(errorOf("base: v100\n", {"dram.bandwidth=2000"}).find("898"),
            std::string::npos);
  EXPECT_NE(errorOf("base: v101\n").find("m.yaml:1: base: v101 is neither"),
            std::string::npos);
  EXPECT_NE(errorOf("sm: {count: 1}\n").find("is missing"), std::string::npos);
  EXPECT_NE(errorOf("base: v100\nops: {\"mud.f32\": {latency: 1}}\n")
                .find("'mud' is not an instruction class"),
            std::string::npos);
  EXPECT_NE(errorOf("base: v100\nops: {\"mad.f32\": {pipe: fpu}}\n")
                .find("one of the pipes int, fp32"),
            std::string::npos);
  EXPECT_NE(errorOf("sm: [\n").find("m.yaml:2"), std::string::npos);
  EXPECT_NE(errorOf("- 1\n").find("is a map of fields"), std::string::npos);
  EXPECT_NE(errorOf("base: v100\nsm: {count: [1, 2]}\n").find("not a list"),
            std::string::npos);
  EXPECT_NE(errorOf("base: v100\nsm: {count: }\n").find("no value"),
            std::string::npos);
  EXPECT_NE(errorOf("base: v100\n", {"sm.count"}).find("FIELD=VALUE"),
            std::string::npos);
}

TEST(SpecReader, FieldNamesAreUnique) {
  GPUSpec Spec;
  std::set<std::string_view> Names;
  forEachField(Spec, [&](const FieldInfo &Field, auto &) {
    EXPECT_TRUE(Names.insert(Field.Name).second) << Field.Name;
    EXPECT_FALSE(Field.Doc.empty()) << Field.Name;
  });
}

TEST(SpecReader, CarveOutLeavesTheRestToL1) {
  auto Spec = loadMachine("v100");
  ASSERT_TRUE(Spec);
  EXPECT_EQ(Spec->l1For(0).Size, 128u * 1024);
  EXPECT_EQ(Spec->l1For(1).Size, 120u * 1024);
  EXPECT_EQ(Spec->l1For(9000).Size, 112u * 1024);
  EXPECT_EQ(Spec->l1For(98304).Size, 32u * 1024);
  EXPECT_EQ(Spec->l1For(0).sets(), Spec->L1.sets());
}

/// The smoke test of MachineFileFuzzer: damaged files never crash.
TEST(SpecReader, DamagedFilesGiveErrorsOrMachines) {
  std::mt19937 Random(1);
  std::string Text = "base: v100\nsm: {count: 8, scheduler: lrr}\nl2:\n  size: "
                     "4 MiB\nops:\n  \"mad|mul.f32\": {latency: 5}\n";
  for (unsigned Round = 0; Round != 300; ++Round) {
    std::string Damaged = Text;
    for (unsigned N = 0; N != 1 + Round % 4; ++N)
      Damaged[Random() % Damaged.size()] = char(Random() % 128);
    (void)parseMachine(Damaged, "damaged.yaml");
  }
}

} // namespace
