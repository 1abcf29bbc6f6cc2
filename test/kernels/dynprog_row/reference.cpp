#include "Reference.h"

void heddle::reference::dynprog_row(Arguments &Args) {
  auto Cost = Args.buffer<int>(0), Src = Args.buffer<int>(1);
  auto Dst = Args.buffer<int>(2);
  int Cols = Args.scalar<int>(3), First = Args.scalar<int>(4);
  int Steps = Args.scalar<int>(5);
  std::vector<int> Best(Src.begin(), Src.begin() + Cols), Next(Cols);
  for (int Row = First; Row < First + Steps; ++Row) {
    for (int Col = 0; Col < Cols; ++Col) {
      int Least = Best[Col];
      if (Col > 0)
        Least = std::min(Least, Best[Col - 1]);
      if (Col + 1 < Cols)
        Least = std::min(Least, Best[Col + 1]);
      Next[Col] = Least + Cost[Row * Cols + Col];
    }
    std::swap(Best, Next);
  }
  std::copy(Best.begin(), Best.end(), Dst.begin());
}
