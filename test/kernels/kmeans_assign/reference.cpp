#include "Reference.h"

void heddle::reference::kmeans_assign(Arguments &Args) {
  auto Points = Args.buffer<float>(0), Centers = Args.buffer<float>(1);
  auto Membership = Args.buffer<int>(2);
  int Count = Args.scalar<int>(3), Clusters = Args.scalar<int>(4);
  int Features = Args.scalar<int>(5);
  for (int P = 0; P < Count; ++P) {
    float Best = INFINITY;
    for (int C = 0; C < Clusters; ++C) {
      float Distance = 0;
      for (int F = 0; F < Features; ++F) {
        float D = Points[F * Count + P] - Centers[C * Features + F];
        Distance = std::fma(D, D, Distance);
      }
      if (Distance < Best) {
        Best = Distance;
        Membership[P] = C;
      }
    }
  }
}
