//===- CPIStack.cpp - Where the cycles go ---------------------------------===//

#include "interval/CPIStack.h"

namespace heddle::interval {

using timing::Stall;

std::string_view stackPartName(StackPart P) {
  static constexpr std::string_view Names[NumStackParts] = {
      "BASE", "DEP", "L1", "L2", "DRAM", "MSHR", "QUEUE"};
  return Names[unsigned(P)];
}

std::string_view categoryName(Category C) {
  static constexpr std::string_view Names[NumCategories] = {
      "base",        "compute_data",      "compute_structural",
      "memory_data", "memory_structural", "synchronisation",
      "idle"};
  return Names[unsigned(C)];
}

namespace {
/// What a state counts as in either kind of categories.
struct Meaning {
  StackPart Part;
  Category Cause;
};
} // namespace

/// In the order of timing::Stall. Waits for loads have their part from the
/// level that served them.
static constexpr Meaning Meanings[timing::NumStalls] = {
    {StackPart::Base, Category::Base},              // Selected
    {StackPart::Base, Category::Base},              // NotSelected
    {StackPart::Dep, Category::ComputeData},        // Wait
    {StackPart::Dep, Category::MemoryData},         // LongScoreboard
    {StackPart::Dep, Category::ComputeData},        // ShortScoreboard
    {StackPart::Dep, Category::Synchronisation},    // Barrier
    {StackPart::Dep, Category::Synchronisation},    // Membar
    {StackPart::Dep, Category::ComputeStructural},  // MathPipeThrottle
    {StackPart::Queue, Category::MemoryStructural}, // LgThrottle
    {StackPart::Dep, Category::MemoryStructural},   // MioThrottle
    {StackPart::Queue, Category::MemoryStructural}, // TexThrottle
    {StackPart::L2, Category::MemoryData},          // ImcMiss
    {StackPart::Dep, Category::Idle},               // NoInstruction
    {StackPart::Dep, Category::Idle},               // BranchResolving
    {StackPart::Dep, Category::ComputeStructural},  // DispatchStall
    {StackPart::DRAM, Category::MemoryData},        // Drain
    {StackPart::Dep, Category::Idle},               // Sleeping
};

void breakDown(const timing::StallCycles &Stalls,
               const timing::LoadWaitCycles &LoadWaits, double Scale,
               CPIStack &Parts, CategoryStack &Categories) {
  for (unsigned N = 0; N < timing::NumStalls; ++N) {
    const double Cycles = double(Stalls[N]) * Scale;
    Categories[unsigned(Meanings[N].Cause)] += Cycles;
    if (Stall(N) != Stall::LongScoreboard)
      Parts[unsigned(Meanings[N].Part)] += Cycles;
  }
  for (unsigned P = 0; P < timing::NumLoadWaits; ++P)
    Parts[unsigned(StackPart::L1) + P] += double(LoadWaits[P]) * Scale;
}

} // namespace heddle::interval
