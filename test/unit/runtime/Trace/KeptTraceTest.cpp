//===- KeptTraceTest.cpp - Launches told apart by what they do ------------===//

#include "trace/KeptTrace.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::trace;

namespace {
/// Blocks of one warp, which can be read once and in order only.
class Stream : public TraceSource {
public:
  explicit Stream(std::vector<uint64_t> Bases) : Bases(std::move(Bases)) {
    Header.Kernel = "k";
    Header.Grid = {uint32_t(this->Bases.size()), 1, 1};
    Header.Block = {32, 1, 1};
  }
  const TraceHeader &header() const override { return Header; }
  const CodeTable &code() const override { return Code; }
  Result<void> read(uint64_t Index, BlockTrace &Out) override {
    if (Index != Next)
      return fail("out of order");
    if (++Next > FailAt)
      return fail("lost");
    Out = {Index, {{{1, 2, 3}, {Bases[Index]}}}};
    return {};
  }

  TraceHeader Header;
  CodeTable Code;
  std::vector<uint64_t> Bases;
  uint64_t Next = 0, FailAt = 100;
};
} // namespace

static KeptTrace keep(Stream &S, uint64_t Limit = 1 << 20) {
  Result<KeptTrace> K = KeptTrace::read(S, Limit);
  EXPECT_TRUE(K);
  return std::move(*K);
}

TEST(KeptTrace, EqualLaunchesAreOne) {
  Stream A({64, 128, 192}), B({64, 128, 192}), C({64, 128, 224}), D({64, 128});
  Stream E({64, 128, 192});
  E.Header.SharedBytesPerBlock = 1024;
  KeptTrace First = keep(A);
  ASSERT_TRUE(First.identity());
  EXPECT_EQ(First.identity(), keep(B).identity());
  EXPECT_NE(First.identity(), keep(C).identity());
  EXPECT_NE(First.identity(), keep(D).identity());
  EXPECT_NE(First.identity(), keep(E).identity());
}

TEST(KeptTrace, ServesWhatItRead) {
  Stream A({64, 128, 192});
  KeptTrace K = keep(A);
  for (unsigned Turn = 0; Turn < 2; ++Turn)
    for (uint64_t Index = 0; Index < 3; ++Index) {
      BlockTrace Block;
      ASSERT_TRUE(K.read(Index, Block));
      EXPECT_EQ(Block.Index, Index);
      EXPECT_EQ(Block.Warps.front().Bases.front(), A.Bases[Index]);
    }
}

TEST(KeptTrace, BeyondTheLimitTheSourceServes) {
  Stream A({64, 128, 192});
  KeptTrace K = keep(A, 1);
  EXPECT_FALSE(K.identity());
  for (uint64_t Index = 0; Index < 3; ++Index) {
    BlockTrace Block;
    ASSERT_TRUE(K.read(Index, Block));
    EXPECT_EQ(Block.Warps.front().Bases.front(), A.Bases[Index]);
  }
}

TEST(KeptTrace, FailsAsTheSourceDoes) {
  Stream A({64, 128, 192});
  A.FailAt = 1;
  Result<KeptTrace> K = KeptTrace::read(A, 1 << 20);
  ASSERT_FALSE(K);
  EXPECT_EQ(K.error().Message, "lost");
}
