#include "Reference.h"

void heddle::reference::cluster_histogram(Arguments &Args) {
  auto Data = Args.buffer<int>(0), Counts = Args.buffer<int>(1);
  for (int Bin : Data)
    ++Counts[Bin];
}
