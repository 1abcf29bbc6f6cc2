//===- ModelsTest.cpp - Traces and machines in, predictions out -----------===//

#include "models/ModelRun.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

using namespace heddle;

namespace {
/// A launch of one block whose only warp does nothing.
class EmptyLaunch : public trace::TraceSource {
public:
  EmptyLaunch() {
    Header.Kernel = Code.Kernel = "empty";
    Header.Grid = {1, 1, 1};
    Header.Block = {32, 1, 1};
  }
  const trace::TraceHeader &header() const override { return Header; }
  const trace::CodeTable &code() const override { return Code; }
  Result<void> read(uint64_t, trace::BlockTrace &) override {
    return fail("block 0 is damaged");
  }

private:
  trace::TraceHeader Header;
  trace::CodeTable Code;
};
} // namespace

TEST(Models, RowsAreSortedAndFound) {
  auto Rows = models::modelRows();
  EXPECT_TRUE(std::ranges::is_sorted(Rows, {}, &models::ModelRow::Name));
  for (const models::ModelRow &Row : Rows)
    EXPECT_EQ(models::findModel(Row.Name), &Row);
  EXPECT_EQ(models::findModel("fastest"), nullptr);
  EXPECT_EQ(models::fastModelNames().size() + 1, modelNames().size());
}

TEST(Models, SourcesThatFailAreAtFault) {
  EmptyLaunch Source;
  for (const std::string &Name : modelNames()) {
    auto P = predict(Source, *arch::loadMachine("v100"), Name);
    ASSERT_FALSE(P.has_value()) << Name;
    EXPECT_EQ(P.error().Is, ModelError::Input) << Name;
    EXPECT_EQ(P.error().Message, "block 0 is damaged") << Name;
  }
}

TEST(Models, DefectsOfAModelAreErrors) {
  class Defective : public EmptyLaunch {
    Result<void> read(uint64_t, trace::BlockTrace &) override {
      throw std::logic_error("a condition is broken");
    }
  } Source;
  auto R = models::simulateTimed(Source, *arch::loadMachine("v100"));
  ASSERT_FALSE(R.has_value());
  EXPECT_EQ(R.error().Is, ModelError::Internal);
  auto P = predict(Source, *arch::loadMachine("v100"), "timing");
  ASSERT_FALSE(P.has_value());
  EXPECT_EQ(P.error().Is, ModelError::Internal);
  EXPECT_EQ(P.error().Message, "a condition is broken");
}

TEST(Models, TimingNeedsALaunchToWarmCaches) {
  EmptyLaunch Source;
  auto P = predict(Source, *arch::loadMachine("v100"), "timing",
                   {.Threads = 1, .WarmL2 = true, .OnProgress = {}});
  ASSERT_FALSE(P.has_value());
  EXPECT_EQ(P.error().Is, ModelError::Request);
}
