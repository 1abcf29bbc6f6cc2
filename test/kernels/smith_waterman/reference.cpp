#include "Reference.h"

void heddle::reference::smith_waterman(Arguments &Args) {
  constexpr int Match = 3, Mismatch = -2, Open = 5, Extend = 1;
  auto Query = Args.buffer<uint8_t>(0), Sequences = Args.buffer<uint8_t>(1);
  auto Scores = Args.buffer<int>(2);
  const int Count = Args.scalar<int>(3), Width = Args.scalar<int>(4),
            Length = Args.scalar<int>(5);
  for (int N = 0; N < Count; ++N) {
    // Tables of one more row and column: without gaps at the end, and with one.
    const size_t Row = size_t(Width) + 1;
    std::vector<int> Whole((Length + 1) * Row), Down(Whole.size(), -10000),
        Right(Whole.size(), -10000);
    int Best = 0;
    for (int I = 1; I <= Length; ++I)
      for (int J = 1; J <= Width; ++J) {
        const size_t At = I * Row + J;
        Down[At] = std::max(Whole[At - Row] - Open, Down[At - Row] - Extend);
        Right[At] = std::max(Whole[At - 1] - Open, Right[At - 1] - Extend);
        const bool Same = Query[J - 1] == Sequences[size_t(N) * Length + I - 1];
        const int Diagonal = Whole[At - Row - 1] + (Same ? Match : Mismatch);
        Whole[At] = std::max({0, Diagonal, Down[At], Right[At]});
        Best = std::max(Best, Whole[At]);
      }
    Scores[N] = Best;
  }
}
