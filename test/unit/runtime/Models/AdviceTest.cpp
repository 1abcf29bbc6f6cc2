//===- AdviceTest.cpp - Limits lifted until someone ends it ---------------===//

#include "../Timing/SyntheticLaunch.h"

#include "models/Advice.h"

using namespace heddle;
using namespace heddle::timing::test;

/// Loads of global memory, one line for each lane.
static SyntheticSource scattered() {
  CodeBuilder Code;
  Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_GLOBAL, {1}, {});
  Code.chain(4);
  return SyntheticSource(Code.Table, 64, 128,
                         [](trace::WarpEncoder &E, uint64_t B, unsigned W) {
                           E.block(0, ~0u);
                           E.memory(0, HEDDLE_SPACE_GLOBAL, ~0u,
                                    lanes((B * 4 + W) * 8192, 256).data());
                         });
}

TEST(Advice, EndsWithTheLimitsThatWereTried) {
  SyntheticSource Source = scattered();
  const auto Spec = arch::loadMachine("v100");
  models::ModelRequest Request;
  Request.Model = "timing";
  const auto Cycles = models::runModel(Source, *Spec, Request)->JSON["cycles"];
  const auto Whole = models::advise(Source, *Spec, Request, Cycles);
  ASSERT_TRUE(Whole.has_value());
  EXPECT_TRUE(Whole->isWhole());
  views::JSON All, Some;
  Whole->addTo(All);
  EXPECT_FALSE(All["advice"].contains("not_tried"));

  uint64_t Least = 0, Last = 0;
  Request.OnProgress = [&](uint64_t Done, uint64_t Total, uint64_t Work) {
    EXPECT_LE(Done, Total);
    EXPECT_GE(Work, Last) << "work of one limit is added to that of another";
    Last = Work;
    Least = std::max(Least, Done);
    return Done * 2 < Total;
  };
  const auto Part = models::advise(Source, *Spec, Request, Cycles);
  ASSERT_TRUE(Part.has_value());
  EXPECT_FALSE(Part->isWhole());
  Part->addTo(Some);
  EXPECT_GT(Some["advice"]["lifted"].size(), 0u);
  EXPECT_EQ(Some["advice"]["lifted"].size() +
                Some["advice"]["not_tried"].size(),
            All["advice"]["lifted"].size());
  for (const auto &L : Some["advice"]["lifted"])
    EXPECT_NE(std::ranges::find(All["advice"]["lifted"], L),
              All["advice"]["lifted"].end())
        << L["limit"];
  EXPECT_NE(Part->text().find("interrupted; not tried: "), std::string::npos);
}
