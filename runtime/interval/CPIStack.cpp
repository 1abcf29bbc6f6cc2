//===- CPIStack.cpp - Where the cycles go ---------------------------------===//

#include "interval/CPIStack.h"

namespace heddle::interval {

using timing::Stall;

std::string_view stackPartName(StackPart P) {
  static constexpr std::string_view Names[NumStackParts] = {
      "BASE", "DEP", "L1", "L2", "DRAM", "MSHR", "QUEUE"};
  return Names[unsigned(P)];
}

static StackPart stackPartOf(Stall S) {
  switch (S) {
  case Stall::Selected:
  case Stall::NotSelected:
    return StackPart::Base;
  case Stall::ImcMiss:
    return StackPart::L2;
  case Stall::Drain:
    return StackPart::DRAM;
  case Stall::LgThrottle:
  case Stall::TexThrottle:
    return StackPart::Queue;
  default:
    return StackPart::Dep;
  }
}

std::string_view categoryName(Category C) {
  static constexpr std::string_view Names[NumCategories] = {
      "base",        "compute_data",      "compute_structural",
      "memory_data", "memory_structural", "synchronisation",
      "idle"};
  return Names[unsigned(C)];
}

static Category categoryOf(Stall S) {
  switch (S) {
  case Stall::Selected:
  case Stall::NotSelected:
    return Category::Base;
  case Stall::Wait:
  case Stall::ShortScoreboard:
    return Category::ComputeData;
  case Stall::MathPipeThrottle:
  case Stall::DispatchStall:
    return Category::ComputeStructural;
  case Stall::LongScoreboard:
  case Stall::ImcMiss:
  case Stall::Drain:
    return Category::MemoryData;
  case Stall::LgThrottle:
  case Stall::MioThrottle:
  case Stall::TexThrottle:
    return Category::MemoryStructural;
  case Stall::Barrier:
  case Stall::Membar:
    return Category::Synchronisation;
  default:
    return Category::Idle;
  }
}

void breakDown(const timing::StallCycles &Stalls,
               const timing::LoadWaitCycles &LoadWaits, double Scale,
               CPIStack &Parts, CategoryStack &Categories) {
  for (unsigned N = 0; N < timing::NumStalls; ++N) {
    const double Cycles = double(Stalls[N]) * Scale;
    Categories[unsigned(categoryOf(Stall(N)))] += Cycles;
    if (Stall(N) != Stall::LongScoreboard)
      Parts[unsigned(stackPartOf(Stall(N)))] += Cycles;
  }
  for (unsigned P = 0; P < timing::NumLoadWaits; ++P)
    Parts[unsigned(StackPart::L1) + P] += double(LoadWaits[P]) * Scale;
}

} // namespace heddle::interval
