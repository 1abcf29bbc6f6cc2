//===- AccessFitTest.cpp --------------------------------------------------===//

#include "behavior/AccessFit.h"
#include "behavior/BranchObserver.h"
#include "behavior/LoopForest.h"
#include "behavior/LoopTrips.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace heddle::behavior {
namespace {

TEST(AccessFitTest, findsExactCoefficients) {
  std::vector<AddressSample> Samples;
  for (int B = 0; B < 8; ++B)
    for (int T = 0; T < 32; T += 3)
      for (int I = 0; I < 5; ++I) {
        Keys K = {};
        K[ThreadX] = T;
        K[BlockX] = B;
        K[Iteration0] = I;
        Samples.push_back({K, 4096 + 4 * T + 128 * B - 1024 * I});
      }
  AffineFit Fit = fitAffine(Samples);
  EXPECT_DOUBLE_EQ(Fit.Explained, 1);
  EXPECT_EQ(Fit.Constant, 4096);
  EXPECT_EQ(Fit.Coefficients[ThreadX], 4);
  EXPECT_EQ(Fit.Coefficients[BlockX], 128);
  EXPECT_EQ(Fit.Coefficients[Iteration0], -1024);
  EXPECT_EQ(Fit.Coefficients[ThreadY], 0);
}

/// Lanes read anywhere within 256 bytes from their own word on; a few at the
/// array's end elsewhere.
TEST(AccessFitTest, findsASumThatAddressesAreNear) {
  std::vector<AddressSample> Samples;
  uint32_t State = 1;
  for (int I = 0; I < 6000; ++I) {
    State = State * 1664525u + 1013904223u;
    Keys K = {};
    K[ThreadX] = State >> 8 & 255;
    K[BlockX] = State >> 16 & 127;
    K[Iteration0] = State >> 24;
    State = State * 1664525u + 1013904223u;
    const int64_t Own = 4 * K[ThreadX] + 1024 * K[BlockX];
    Samples.push_back({K, I % 400 ? 4096 + Own + 4 * (State >> 26) : 0});
  }
  EXPECT_LT(fitAffine(Samples).Explained, 0.1);
  const NearFit Fit = fitNear(Samples, 4);
  EXPECT_EQ(Fit.Constant, 4096);
  EXPECT_EQ(Fit.Bytes, 252u);
  EXPECT_EQ(Fit.Coefficients[ThreadX], 4);
  EXPECT_EQ(Fit.Coefficients[BlockX], 1024);
  EXPECT_EQ(Fit.Coefficients[Iteration0], 0);
}

/// A loop of two blocks, and two beside each other inside of it, of which the
/// second is reached around the first, too.
TEST(LoopForestTest, findsTheLoopBefore) {
  const std::set<std::pair<unsigned, unsigned>> Edges = {
      {0, 1}, {1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 3}, {3, 4}, {4, 1}, {4, 5}};
  std::vector<Loop> Loops = findLoops(6, Edges);
  findEarlier(Loops, 6, Edges);
  ASSERT_EQ(Loops.size(), 3u);
  EXPECT_EQ(Loops[0].After, None);
  EXPECT_EQ(Loops[1].Header, 2u);
  EXPECT_EQ(Loops[1].After, None);
  EXPECT_EQ(Loops[2].After, 1u);
  EXPECT_EQ(continuedFrom(Loops, 2), 2u);
  EXPECT_EQ(continuedFrom(Loops, 0), None);
}

TEST(AccessFitTest, leavesOutClampedBorders) {
  std::vector<AddressSample> Samples;
  for (int B = 0; B < 40; ++B)
    for (int T = 0; T < 32; ++T) {
      Keys K = {};
      K[ThreadX] = T;
      K[BlockX] = B;
      Samples.push_back({K, 4 * std::max(32 * B + T - 1, 40)});
    }
  AffineFit Fit = fitAffine(Samples);
  EXPECT_GT(Fit.Explained, 0.95);
  EXPECT_EQ(Fit.Constant, -4);
  EXPECT_EQ(Fit.Coefficients[ThreadX], 4);
  EXPECT_EQ(Fit.Coefficients[BlockX], 128);
}

TEST(AccessFitTest, doesNotExplainRandomAddresses) {
  std::vector<AddressSample> Samples;
  uint32_t State = 1;
  for (int T = 0; T < 500; ++T) {
    Keys K = {};
    K[ThreadX] = T % 32;
    State = State * 1664525u + 1013904223u;
    Samples.push_back({K, int64_t(State >> 8)});
  }
  EXPECT_LT(fitAffine(Samples).Explained, 0.1);
}

/// Samples of a function of thread and block.
template <typename F> std::vector<AddressSample> sample(F &&Address) {
  std::vector<AddressSample> Samples;
  for (int B = 0; B < 16; ++B)
    for (int T = 0; T < 256; ++T) {
      Keys K = {};
      K[ThreadX] = T;
      K[BlockX] = B;
      Samples.push_back({K, Address(T, B)});
    }
  return Samples;
}

TEST(BitFitTest, findsWhatButterfliesTouch) {
  // A zero is inserted at bit 3; the partner differs in bit 4.
  for (auto Index : {+[](int T, int) { return 2 * T - (T & 7); },
                     +[](int T, int) { return T ^ 16; },
                     +[](int T, int B) { return (B % 4) * 256 + T % 32; },
                     +[](int T, int B) { return B / 2 * 8 + T / 32; }}) {
    auto Samples =
        sample([&](int T, int B) { return int64_t(64 + 4 * Index(T, B)); });
    EXPECT_LT(fitAffine(Samples).Explained, 0.6);
    AffineFit Fit = fitBits(Samples);
    EXPECT_DOUBLE_EQ(Fit.Explained, 1);
    EXPECT_LE(Fit.Fields.size(), 2u);
    for (const AddressSample &S : Samples)
      EXPECT_EQ(Fit.Constant + valueOf(Fit.Coefficients, Fit.Fields, S.Where),
                S.Address);
  }
}

TEST(BitFitTest, writesAnExclusiveOrAsTheIndexAndOneBit) {
  AffineFit Fit = fitBits(sample([](int T, int) { return 4 * (T ^ 16); }));
  EXPECT_EQ(Fit.Coefficients[ThreadX], 4);
  ASSERT_EQ(Fit.Fields.size(), 1u);
  EXPECT_EQ(Fit.Fields[0], (Field{ThreadX, 4, 1, -128}));
  EXPECT_EQ(Fit.Constant, 64);
}

TEST(BitFitTest, doesNotExplainRandomAddresses) {
  uint32_t State = 1;
  auto Samples = sample([&](int, int) {
    State = State * 1664525u + 1013904223u;
    return int64_t(State >> 8);
  });
  EXPECT_LT(fitBits(Samples).Explained, 0.1);
}

/// A branch over a plane of 32 x 32 threads.
template <typename F> Branch fitPlane(F &&Goes) {
  std::vector<AddressSample> Sides[2];
  for (int Y = 0; Y < 32; ++Y)
    for (int X = 0; X < 32; ++X) {
      Keys K = {};
      K[ThreadX] = X;
      K[ThreadY] = Y;
      Sides[bool(Goes(X, Y))].push_back({K, 0});
    }
  Branch B;
  B.Taken = 1;
  B.Other = 2;
  fitBranch(Sides[1], Sides[0], {32, 32, 1}, {1, 1, 1}, B);
  return B;
}

/// (33 (256 b + t) + 2048 i) & 1023 in an array of words at 8192, at some
/// threads, blocks and iterations; one in \p OneInElsewhere goes elsewhere.
static std::vector<AddressSample> maskedSamples(int OneInElsewhere) {
  std::vector<AddressSample> Samples;
  uint32_t State = 1;
  for (int N = 0; N < 900; ++N) {
    State = State * 1664525u + 1013904223u;
    Keys K = {};
    K[ThreadX] = State >> 24;
    K[BlockX] = State >> 16 & 31;
    K[Iteration0] = State >> 8 & 127;
    const int64_t Index =
        33 * (256 * K[BlockX] + K[ThreadX]) + 2040 * K[Iteration0] + 5;
    Samples.push_back({K, 8192 + 4 * (Index & 1023)});
    if (OneInElsewhere && N % OneInElsewhere == 0)
      Samples.back().Address = 8192 + 4 * (State >> 22);
  }
  return Samples;
}

TEST(ModuloFitTest, findsWhatAMaskCuts) {
  for (int OneIn : {0, 50}) {
    const auto Samples = maskedSamples(OneIn);
    EXPECT_LT(fitAffine(Samples).Explained, 0.5);
    const AffineFit Fit = fitModulo(Samples, 8192, 4096);
    EXPECT_EQ(Fit.Modulus, 4096u);
    EXPECT_GE(Fit.Explained, OneIn ? 0.97 : 1);
    EXPECT_EQ(Fit.Constant, 8192 + 20);
    EXPECT_EQ(Fit.Coefficients[ThreadX], 4 * 33);
    // 4 * 33 * 256 and 4 * 2040, as small as they are modulo 4096.
    EXPECT_EQ(Fit.Coefficients[BlockX], 1024);
    EXPECT_EQ(Fit.Coefficients[Iteration0], -32);
  }
}

TEST(ModuloFitTest, doesNotExplainRandomAddresses) {
  std::vector<AddressSample> Samples = maskedSamples(0);
  uint32_t State = 7;
  for (AddressSample &S : Samples) {
    State = State * 1664525u + 1013904223u;
    S.Address = 8192 + 4 * (State >> 22);
  }
  EXPECT_LT(fitModulo(Samples, 8192, 4096).Explained, 0.1);
}

TEST(BlockTripsTest, areThoseOfBlocksWhoseThreadsGoAlike) {
  BlockTrips Alike, Apart, Same, Fewer;
  for (uint64_t Block = 0; Block < 5; ++Block)
    for (int Warp = 0; Warp < 4; ++Warp) {
      const uint32_t Trips = 10 + Block % 3;
      Alike.add(Block, Trips, Trips);
      Apart.add(Block, Trips, Trips + (Block == 4 && Warp == 3));
      Same.add(Block, 10, 10);
      if (Block != 2)
        Fewer.add(Block, Trips, Trips);
    }
  EXPECT_EQ(Alike.of({5, 1, 1}), (std::vector<uint32_t>{10, 11, 12, 10, 11}));
  EXPECT_TRUE(Alike.of({6, 1, 1}).empty());
  EXPECT_TRUE(Alike.of({1, 5, 1}).empty());
  EXPECT_TRUE(Apart.of({5, 1, 1}).empty());
  EXPECT_TRUE(Same.of({5, 1, 1}).empty());
  EXPECT_TRUE(Fewer.of({5, 1, 1}).empty());
}

TEST(BranchFitTest, findsBordersInTwoDirections) {
  Branch B = fitPlane(
      [](int X, int Y) { return X == 0 || X == 31 || Y == 0 || Y == 31; });
  EXPECT_TRUE(B.IsFixed);
  EXPECT_EQ(B.Taken, 2u); // what lies inside
  EXPECT_NE(B.AlsoCoefficients, Keys{});
  for (int Y = 0; Y < 32; ++Y)
    for (int X = 0; X < 32; ++X) {
      Keys K = {};
      K[ThreadX] = X;
      K[ThreadY] = Y;
      const int64_t One = valueOf(B.Coefficients, {}, K),
                    Two = valueOf(B.AlsoCoefficients, {}, K);
      EXPECT_EQ(One >= B.Lower && One < B.Upper && Two >= B.AlsoLower &&
                    Two < B.AlsoUpper,
                X > 0 && X < 31 && Y > 0 && Y < 31);
    }
}

TEST(BranchFitTest, takesOneIntervalWhereItDoes) {
  Branch B = fitPlane([](int X, int) { return X < 7; });
  EXPECT_TRUE(B.IsFixed);
  EXPECT_EQ(B.AlsoCoefficients, Keys{});
}

TEST(BranchFitTest, doesNotExplainARandomBranch) {
  uint32_t State = 1;
  EXPECT_FALSE(fitPlane([&](int, int) {
                 State = State * 1664525u + 1013904223u;
                 return State >> 31;
               }).IsFixed);
}

TEST(LoopForestTest, nestsLoops) {
  // 0 -> 1 -> 2 -> 2 -> 3 -> 1, 3 -> 4
  std::vector<Loop> Loops =
      findLoops(5, {{0, 1}, {1, 2}, {2, 2}, {2, 3}, {3, 1}, {3, 4}});
  ASSERT_EQ(Loops.size(), 2u);
  EXPECT_EQ(Loops[0].Header, 1u);
  EXPECT_EQ(Loops[0].Blocks, (std::vector<unsigned>{1, 2, 3}));
  EXPECT_EQ(Loops[0].Parent, None);
  EXPECT_EQ(Loops[1].Header, 2u);
  EXPECT_EQ(Loops[1].Parent, 0u);
  EXPECT_EQ(Loops[1].Depth, 1u);
}

} // namespace
} // namespace heddle::behavior
