//===- ModelContractTest.cpp - Limits, policies, fields not read ----------===//

#include "arch/ModelContract.h"
#include "arch/SpecReader.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::arch;

namespace {

constexpr std::string_view Reads[] = {"sm.*", "dram.bandwidth", "pipes.units",
                                      "ops.latency"};
constexpr FieldLimit Limits[] = {{"sm.max_warps", 64, "masks of 64 bits"},
                                 {"pipes", 12, "twelve is enough"}};
constexpr SchedulerPolicy Policies[] = {SchedulerPolicy::LooseRoundRobin,
                                        SchedulerPolicy::GreedyThenOldest};
constexpr ModelContract Contract{"test", Reads, {}, Limits, Policies};

GPUSpec machine(std::vector<std::string> Sets) {
  auto Spec = loadMachine("v100", Sets);
  EXPECT_TRUE(Spec) << Spec.error().Message;
  return *Spec;
}

std::string refusal(std::vector<std::string> Sets) {
  auto Ok = Contract.check(machine(std::move(Sets)));
  return Ok ? "" : Ok.error().Message;
}

} // namespace

TEST(ModelContract, NamesOfPipesAndOperationsDoNotMatter) {
  EXPECT_TRUE(Contract.reads("sm.count"));
  EXPECT_FALSE(Contract.reads("smx.count"));
  EXPECT_TRUE(Contract.reads("pipes.fp32.units"));
  EXPECT_FALSE(Contract.reads("pipes.fp32.queue"));
  EXPECT_TRUE(Contract.reads("ops.mad|mul.f32.latency"));
  EXPECT_FALSE(Contract.reads("ops.*.*.initiation"));
}

TEST(ModelContract, RefusesWhatIsBeyondALimit) {
  EXPECT_EQ(refusal({"sm.max_warps=64"}), "");
  EXPECT_EQ(refusal({"sm.max_warps=65"}),
            "machine 'v100': sm.max_warps is 65, but model test takes at most "
            "64: masks of 64 bits");
  std::vector<std::string> Pipes;
  for (int I = 0; I < 8; ++I)
    Pipes.push_back("pipes.p" + std::to_string(I) + ".units=4");
  EXPECT_NE(refusal(Pipes).find("pipes is "), std::string::npos);
}

TEST(ModelContract, RefusesAPolicyThatTheModelDoesNotHave) {
  EXPECT_EQ(refusal({"sm.scheduler=two-level"}),
            "machine 'v100': sm.scheduler is two-level, but model test has "
            "only lrr, gto");
  constexpr ModelContract None{"none", {}, {}, {}, {}};
  EXPECT_TRUE(None.check(machine({"sm.scheduler=two-level"})));
}

TEST(ModelContract, ListsWhatTheUserSetAndTheModelDoesNotRead) {
  EXPECT_TRUE(Contract.ignored(machine({})).empty());
  EXPECT_EQ(Contract.ignored(machine({"sm.count=40", "l1.banks=4",
                                      "pipes.sfu.queue=3", "l1.banks=2"})),
            (std::vector<std::string>{"l1.banks", "pipes.sfu.queue"}));
}

TEST(ModelContract, AFileSetsWhatDiffersFromItsBase) {
  auto fieldsOf = [](std::string_view Text) {
    auto Spec = parseMachine(Text, "m.yaml");
    EXPECT_TRUE(Spec) << Spec.error().Message;
    std::vector<std::string> Paths;
    for (const UserField &Field : Spec->UserFields)
      Paths.push_back(Field.Path);
    return Paths;
  };
  EXPECT_EQ(fieldsOf("base: v100\n"
                     "description: mine\n"
                     "sm: {count: 80, max_blocks: 16}\n"
                     "ops:\n"
                     "  \"mad.f32\": {latency: 9}\n"),
            (std::vector<std::string>{"sm.max_blocks", "ops.mad.f32.latency"}));
  EXPECT_TRUE(fieldsOf("base: p100\n").empty());
}
