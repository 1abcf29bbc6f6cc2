//===- HierarchicalClustering.cpp - Clusters below a distance -------------===//

#include "sampling/paper/HierarchicalClustering.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace heddle::sampling {

namespace {

/// The distances between clusters: a triangle of numbers.
class DistanceTable {
public:
  explicit DistanceTable(const Points &P)
      : Values(P.size() * (P.size() - 1) / 2) {
    for (size_t I = 1; I < P.size(); ++I)
      for (size_t J = 0; J < I; ++J)
        at(I, J) = distance(P[I], P[J]);
  }
  double &at(size_t I, size_t J) {
    if (I < J)
      std::swap(I, J);
    return Values[I * (I - 1) / 2 + J];
  }

private:
  static double distance(const std::vector<double> &A,
                         const std::vector<double> &B) {
    double Sum = 0;
    for (size_t D = 0; D < A.size(); ++D)
      Sum += (A[D] - B[D]) * (A[D] - B[D]);
    return std::sqrt(Sum);
  }

  std::vector<double> Values;
};

/// Merges by chains of nearest neighbours, which for complete linkage gives
/// the clusters that merging the closest pair each time gives, in O(n^2).
class NearestNeighborChain {
public:
  NearestNeighborChain(const Points &P, double Threshold)
      : Threshold(Threshold), Distances(P), Parent(P.size()),
        Alive(P.size(), true) {
    for (size_t I = 0; I < P.size(); ++I)
      Parent[I] = I;
  }

  /// The cluster of every point, as the index of one of its points.
  std::vector<size_t> run() {
    for (size_t Start = 0; Start < Parent.size(); ++Start)
      while (Alive[Start] && follow(Start)) {
      }
    for (size_t I = 0; I < Parent.size(); ++I)
      Parent[I] = root(I);
    return Parent;
  }

private:
  /// Walks from \p Start to a pair that are each other's nearest and merges
  /// it. False if Start's cluster is complete: distances along a chain only
  /// shrink, so only its first step can be too long, and merging others brings
  /// nothing nearer to Start.
  bool follow(size_t Start) {
    size_t Previous = None, Current = Start;
    for (;;) {
      size_t Next = nearest(Current, Previous);
      if (Next == None || Distances.at(Current, Next) > Threshold)
        return false;
      if (Next == Previous) {
        merge(std::min(Current, Next), std::max(Current, Next));
        return true;
      }
      Previous = Current;
      Current = Next;
    }
  }

  /// Ties go to \p Preferred, else to the lowest index, so that chains end.
  size_t nearest(size_t I, size_t Preferred) {
    size_t Best = Preferred;
    double Least = Preferred == None ? std::numeric_limits<double>::infinity()
                                     : Distances.at(I, Preferred);
    for (size_t J = 0; J < Parent.size(); ++J)
      if (J != I && Alive[J] && Distances.at(I, J) < Least) {
        Least = Distances.at(I, J);
        Best = J;
      }
    return Best;
  }

  void merge(size_t Keep, size_t Gone) {
    Alive[Gone] = false;
    Parent[Gone] = Keep;
    for (size_t J = 0; J < Parent.size(); ++J)
      if (J != Keep && Alive[J])
        Distances.at(Keep, J) =
            std::max(Distances.at(Keep, J), Distances.at(Gone, J));
  }

  size_t root(size_t I) const {
    while (Parent[I] != I)
      I = Parent[I];
    return I;
  }

  static constexpr size_t None = size_t(-1);
  double Threshold;
  DistanceTable Distances;
  std::vector<size_t> Parent;
  std::vector<bool> Alive;
};

/// The different points among P and which of them each point is.
struct DistinctPoints {
  Points Representatives;
  std::vector<size_t> Of;

  /// Points in the same cell of a grid of \p Width count as one; 0: only equal
  /// ones do.
  DistinctPoints(const Points &P, double Width) {
    std::map<std::vector<double>, size_t> Known;
    for (const std::vector<double> &Point : P) {
      std::vector<double> Cell = Point;
      if (Width > 0)
        for (double &C : Cell)
          C = std::floor(C / Width);
      auto [At, New] = Known.try_emplace(std::move(Cell), Known.size());
      if (New)
        Representatives.push_back(Point);
      Of.push_back(At->second);
    }
  }
};

} // namespace

std::vector<size_t> clusterHierarchically(const Points &P, double Threshold,
                                          size_t MaxDistinct) {
  if (P.empty())
    return {};
  DistinctPoints Distinct(P, 0);
  for (double Width = Threshold / 8;
       Distinct.Representatives.size() > MaxDistinct && Width > 0; Width *= 2)
    Distinct = DistinctPoints(P, Width);
  std::vector<size_t> Cluster =
      NearestNeighborChain(Distinct.Representatives, Threshold).run();

  std::map<size_t, size_t> Number;
  std::vector<size_t> Result;
  for (size_t D : Distinct.Of)
    Result.push_back(
        Number.try_emplace(Cluster[D], Number.size()).first->second);
  return Result;
}

} // namespace heddle::sampling
