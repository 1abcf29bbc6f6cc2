#include "Reference.h"

void heddle::reference::nearest_neighbor(Arguments &Args) {
  auto Queries = Args.buffer<float>(0), Points = Args.buffer<float>(1);
  auto Index = Args.buffer<int>(2);
  auto Distance = Args.buffer<float>(3);
  int M = Args.scalar<int>(4), N = Args.scalar<int>(5);
  for (int Q = 0; Q < M; ++Q) {
    float Best = INFINITY;
    for (int I = 0; I < N; ++I) {
      float DX = Points[2 * I] - Queries[2 * Q];
      float DY = Points[2 * I + 1] - Queries[2 * Q + 1];
      float Squared = std::fma(DX, DX, DY * DY);
      if (Squared < Best) {
        Best = Squared;
        Index[Q] = I;
      }
    }
    Distance[Q] = Best;
  }
}
