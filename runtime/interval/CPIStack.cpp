//===- CPIStack.cpp - Where the cycles go ---------------------------------===//

#include "interval/CPIStack.h"

namespace heddle::interval {

std::string_view stateName(WarpState S) {
  static constexpr std::string_view Names[NumWarpStates] = {
      "selected",
      "not_selected",
      "wait",
      "short_scoreboard",
      "long_scoreboard",
      "long_scoreboard",
      "long_scoreboard",
      "long_scoreboard",
      "long_scoreboard",
      "imc_miss",
      "barrier",
      "membar",
      "math_pipe_throttle",
      "lg_throttle",
      "mio_throttle",
      "no_instruction",
      "branch_resolving",
      "dispatch_stall",
      "drain",
      "sleeping"};
  return Names[unsigned(S)];
}

std::string_view stackPartName(StackPart P) {
  static constexpr std::string_view Names[NumStackParts] = {
      "BASE", "DEP", "L1", "L2", "DRAM", "MSHR", "QUEUE"};
  return Names[unsigned(P)];
}

StackPart stackPartOf(std::string_view Name) {
  if (Name == "selected" || Name == "not_selected")
    return StackPart::Base;
  if (Name == "imc_miss")
    return StackPart::L2;
  if (Name == "drain")
    return StackPart::DRAM;
  if (Name == "lg_throttle" || Name == "tex_throttle")
    return StackPart::Queue;
  return StackPart::Dep;
}

std::string_view categoryName(Category C) {
  static constexpr std::string_view Names[NumCategories] = {
      "base",        "compute_data",      "compute_structural",
      "memory_data", "memory_structural", "synchronisation",
      "idle"};
  return Names[unsigned(C)];
}

Category categoryOf(std::string_view Name) {
  if (Name == "selected" || Name == "not_selected")
    return Category::Base;
  if (Name == "wait" || Name == "short_scoreboard")
    return Category::ComputeData;
  if (Name == "math_pipe_throttle" || Name == "dispatch_stall")
    return Category::ComputeStructural;
  if (Name == "long_scoreboard" || Name == "imc_miss" || Name == "drain")
    return Category::MemoryData;
  if (Name == "lg_throttle" || Name == "mio_throttle" || Name == "tex_throttle")
    return Category::MemoryStructural;
  if (Name == "barrier" || Name == "membar")
    return Category::Synchronisation;
  return Category::Idle;
}

} // namespace heddle::interval
