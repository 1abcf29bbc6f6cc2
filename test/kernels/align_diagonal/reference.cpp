#include "Reference.h"

void heddle::reference::align_diagonal(Arguments &Args) {
  auto Queries = Args.buffer<uint8_t>(0), Targets = Args.buffer<uint8_t>(1);
  auto Scores = Args.buffer<int>(2);
  int TargetLength = Args.scalar<int>(3), QueryLength = int(Args.block().X);
  int Match = Args.scalar<int>(4), Mismatch = Args.scalar<int>(5);
  int Gap = Args.scalar<int>(6);
  for (unsigned Pair = 0; Pair < Args.grid().X; ++Pair) {
    std::vector<int> Above(TargetLength + 1), Row(TargetLength + 1);
    int Best = 0;
    for (int I = 0; I < QueryLength; ++I) {
      uint8_t Letter = Queries[Pair * QueryLength + I];
      for (int J = 0; J < TargetLength; ++J) {
        bool Same = Letter == Targets[Pair * TargetLength + J];
        Row[J + 1] = std::max({0, Above[J] + (Same ? Match : Mismatch),
                               Above[J + 1] - Gap, Row[J] - Gap});
        Best = std::max(Best, Row[J + 1]);
      }
      std::swap(Above, Row);
    }
    Scores[Pair] = Best;
  }
}
