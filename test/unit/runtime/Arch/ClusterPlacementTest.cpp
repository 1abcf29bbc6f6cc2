//===- ClusterPlacementTest.cpp -------------------------------------------===//

#include "arch/ClusterPlacement.h"

#include <gmock/gmock.h>
#include <numeric>

using namespace heddle;
using namespace heddle::arch;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

namespace {

/// Two GPCs of four SMs, or of three and four.
GPUSpec machine(unsigned SMs) {
  GPUSpec Spec;
  Spec.Name = "small";
  Spec.SM.Count = SMs;
  Spec.Cluster.GPCs = 2;
  Spec.Cluster.MaxBlocks = 8;
  return Spec;
}

TEST(ClusterPlacement, GPCWithMostRoomThenSMWithMostRoom) {
  const GPUSpec Spec = machine(8);
  std::vector<unsigned> Free = {1, 2, 1, 1, 2, 2, 1, 1};
  EXPECT_THAT(placeCluster(Spec, 2, Free), ElementsAre(4, 5));
  EXPECT_THAT(placeCluster(Spec, 4, Free), ElementsAre(1, 0, 1, 2));
  EXPECT_THAT(placeCluster(Spec, 4, Free), ElementsAre(4, 5, 6, 7));
  EXPECT_TRUE(placeCluster(Spec, 2, Free).empty());
  EXPECT_EQ(std::accumulate(Free.begin(), Free.end(), 0u), 1u);
}

TEST(ClusterPlacement, SMsBeyondWholeClustersStayIdle) {
  const auto G = groupsOf(machine(7), "k", {2, 1, 1}, 100, 1);
  ASSERT_TRUE(G.has_value());
  EXPECT_EQ(G->Size, 2u);
  EXPECT_EQ(G->Count, 3u); // one of the three SMs, two of the four
  EXPECT_TRUE(G->Clusters.empty());
}

TEST(ClusterPlacement, GPCsConsistOfWholeTPCs) {
  const GPUSpec Spec =
      machine(10); // five TPCs: four SMs and six, not five twice
  EXPECT_EQ(smsOfGPC(Spec, 0), (std::pair{0u, 4u}));
  EXPECT_EQ(smsOfGPC(Spec, 1), (std::pair{4u, 10u}));
  const auto G = groupsOf(Spec, "k", {2, 1, 1}, 100, 1);
  ASSERT_TRUE(G.has_value());
  EXPECT_EQ(G->Count, 5u);
}

TEST(ClusterPlacement, OneWaveLoadsSMsUnevenly) {
  // Five clusters of four over two GPCs of four SMs, three in one of them.
  const auto G = groupsOf(machine(8), "k", {4, 1, 1}, 5, 4);
  ASSERT_TRUE(G.has_value());
  EXPECT_EQ(G->Count, 2u);
  EXPECT_THAT(G->Clusters, ElementsAre(3, 2));
}

TEST(ClusterPlacement, WithoutClustersEachSMIsAGroup) {
  const auto G = groupsOf(machine(8), "k", {1, 1, 1}, 5, 4);
  ASSERT_TRUE(G.has_value());
  EXPECT_EQ(G->sms(), 8u);
  EXPECT_TRUE(G->Clusters.empty());
}

TEST(ClusterPlacement, MoreBlocksThanAGPCHasSMs) {
  const auto G = groupsOf(machine(8), "k", {8, 1, 1}, 4, 2);
  ASSERT_FALSE(G.has_value());
  EXPECT_THAT(G.error().Message,
              HasSubstr("clusters of 8 blocks, more than the 4 SMs of a GPC"));
}

} // namespace
