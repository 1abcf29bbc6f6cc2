#include "Reference.h"

void heddle::reference::scan(Arguments &Args) {
  auto In = Args.buffer<uint32_t>(0), Out = Args.buffer<uint32_t>(1);
  auto Sums = Args.buffer<uint32_t>(2);
  int N = Args.scalar<int>(3), Count = int(2 * Args.block().X);
  for (unsigned Group = 0; Group < Args.grid().X; ++Group) {
    uint32_t Sum = 0;
    int Begin = int(Group) * Count;
    for (int I = Begin; I < std::min(N, Begin + Count); ++I) {
      Out[I] = Sum;
      Sum += In[I];
    }
    Sums[Group] = Sum;
  }
}
