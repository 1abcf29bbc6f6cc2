//===- ClusteringTest.cpp - Hierarchical clustering and k-means -----------===//

#include "sampling/RandomNumbers.h"
#include "sampling/paper/HierarchicalClustering.h"
#include "sampling/paper/KMeans.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

using namespace heddle::sampling;

TEST(Hierarchical, CompleteLinkageKeepsClustersNarrow) {
  // A chain of steps of 0.06: single linkage would take all into one.
  Points P;
  for (int I = 0; I < 10; ++I)
    P.push_back({0.06 * I});
  std::vector<size_t> C = clusterHierarchically(P, 0.1);
  for (size_t I = 0; I < P.size(); ++I)
    for (size_t J = 0; J < I; ++J)
      if (C[I] == C[J])
        EXPECT_LE(std::abs(P[I][0] - P[J][0]), 0.1 + 1e-12);
  EXPECT_EQ(*std::ranges::max_element(C) + 1, 5u);
}

TEST(Hierarchical, NumbersByFirstAppearance) {
  EXPECT_EQ(clusterHierarchically({{5}, {1}, {5.01}, {9}, {1}}, 0.1),
            (std::vector<size_t>{0, 1, 0, 2, 1}));
  EXPECT_TRUE(clusterHierarchically({}, 0.1).empty());
}

/// Merges the closest pair until none is close enough.
static std::vector<size_t> mergeClosest(const Points &P, double Threshold) {
  std::vector<size_t> Of(P.size());
  for (size_t I = 0; I < P.size(); ++I)
    Of[I] = I;
  for (;;) {
    double Least = std::numeric_limits<double>::infinity();
    size_t A = 0, B = 0;
    for (size_t X = 0; X < P.size(); ++X)
      for (size_t Y = X + 1; Y < P.size(); ++Y) {
        double Linkage = 0;
        for (size_t I = 0; I < P.size(); ++I)
          for (size_t J = 0; J < P.size(); ++J)
            if (Of[I] == X && Of[J] == Y)
              Linkage = std::max(
                  Linkage, std::hypot(P[I][0] - P[J][0], P[I][1] - P[J][1]));
        if (Linkage > 0 && Linkage < Least) {
          Least = Linkage;
          A = X;
          B = Y;
        }
      }
    if (Least > Threshold)
      return Of;
    for (size_t &O : Of)
      if (O == B)
        O = A;
  }
}

TEST(Hierarchical, SameAsMergingTheClosestPair) {
  RandomNumbers Random(7);
  for (int Round = 0; Round < 20; ++Round) {
    Points P;
    for (int I = 0; I < 24; ++I)
      P.push_back({Random.uniform(), Random.uniform()});
    std::vector<size_t> Fast = clusterHierarchically(P, 0.3),
                        Slow = mergeClosest(P, 0.3);
    for (size_t I = 0; I < P.size(); ++I)
      for (size_t J = 0; J < I; ++J)
        EXPECT_EQ(Fast[I] == Fast[J], Slow[I] == Slow[J]);
  }
}

TEST(Hierarchical, ManyPointsAreGatheredFirst) {
  Points P;
  RandomNumbers Random(3);
  for (int I = 0; I < 2000; ++I)
    P.push_back({(I % 3) * 10 + 0.01 * Random.uniform()});
  std::vector<size_t> C = clusterHierarchically(P, 0.2, 64);
  EXPECT_EQ(std::set<size_t>(C.begin(), C.end()).size(), 3u);
  for (size_t I = 0; I < P.size(); ++I)
    EXPECT_EQ(C[I], I % 3);
}

static Points threeGroups(unsigned Dimensions) {
  Points P;
  RandomNumbers Random(11);
  for (int I = 0; I < 90; ++I) {
    std::vector<double> Point(Dimensions, 0);
    for (double &Value : Point)
      Value = 0.002 * Random.uniform();
    Point[(I % 3) * 2] += 1;
    P.push_back(Point);
  }
  return P;
}

TEST(KMeans, FindsTheNumberOfClusters) {
  for (unsigned Dimensions : {6u, 100u}) {
    Points P = threeGroups(Dimensions);
    std::vector<double> Weights(P.size(), 1);
    Clustering C = clusterByBIC(P, Weights);
    ASSERT_EQ(C.Centres.size(), 3u);
    for (size_t I = 3; I < P.size(); ++I)
      EXPECT_EQ(C.Of[I], C.Of[I - 3]);
    for (size_t R : representatives(P, C))
      EXPECT_LT(R, P.size());
  }
}

TEST(KMeans, WeightsMoveCentres) {
  Points P = {{0}, {1}};
  Clustering C = clusterKMeans(P, {3, 1}, 1, 1);
  EXPECT_DOUBLE_EQ(C.Centres[0][0], 0.25);
  EXPECT_DOUBLE_EQ(C.Distortion, 3 * 0.0625 + 0.5625);
}

TEST(KMeans, EqualPointsAreOneCluster) {
  Points P(20, {0.5, 0.5});
  Clustering C = clusterByBIC(P, std::vector<double>(20, 1));
  EXPECT_EQ(C.Centres.size(), 1u);
}
