#include "Reference.h"

#include <functional>

void heddle::reference::bitonic_sort(Arguments &Args) {
  auto Keys = Args.buffer<uint32_t>(0);
  if (Args.kernel() == "bitonic_local") {
    const unsigned Run = 512;
    for (unsigned Group = 0; Group < Args.grid().X; ++Group) {
      auto Begin = Keys.begin() + Group * Run;
      if (Group % 2 == 0)
        std::sort(Begin, Begin + Run);
      else
        std::sort(Begin, Begin + Run, std::greater<>());
    }
    return;
  }
  uint32_t Pairs = Args.scalar<uint32_t>(1), Size = Args.scalar<uint32_t>(2);
  uint32_t Stride = Args.scalar<uint32_t>(3);
  for (uint32_t I = 0; I < 2 * Pairs; ++I)
    if ((I & Stride) == 0 && (Keys[I] > Keys[I + Stride]) == ((I & Size) == 0))
      std::swap(Keys[I], Keys[I + Stride]);
}
