// test/apps/cuda/Inputs/reduction by hand with OpenMP.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

static int sum(const int *V, int N) {
  int Sum = 0;
#pragma omp parallel for reduction(+ : Sum)
  for (int I = 0; I < N; ++I)
    Sum += V[I];
  return Sum;
}

static int largest(const int *V, int N) {
  int Most = -1000;
#pragma omp parallel for reduction(max : Most)
  for (int I = 0; I < N; ++I)
    Most = std::max(Most, V[I]);
  return Most;
}

int main(int argc, char **argv) {
  const int Rounds = argc > 1 ? atoi(argv[1]) : 1;
  std::vector<int> V(5000);
  for (size_t I = 0; I < V.size(); ++I)
    V[I] = int(I * 7919 % 1009) - 300;
  unsigned All = 0; // else a round would be as good as all
  for (int R = 0; R < Rounds; ++R) {
    V[R % V.size()] ^= 1;
    All += unsigned(sum(V.data(), int(V.size())));
    All += unsigned(largest(V.data(), int(V.size())));
  }
  printf("%u\n", All);
}
