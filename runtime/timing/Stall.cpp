//===- Stall.cpp - Why a resident warp does not issue ---------------------===//

#include "timing/Stall.h"

using namespace heddle::timing;

std::string_view heddle::timing::stallName(Stall S) {
  static constexpr std::string_view Names[NumStalls] = {"selected",
                                                        "not_selected",
                                                        "wait",
                                                        "long_scoreboard",
                                                        "short_scoreboard",
                                                        "barrier",
                                                        "membar",
                                                        "math_pipe_throttle",
                                                        "lg_throttle",
                                                        "mio_throttle",
                                                        "tex_throttle",
                                                        "imc_miss",
                                                        "no_instruction",
                                                        "branch_resolving",
                                                        "dispatch_stall",
                                                        "drain",
                                                        "sleeping"};
  return Names[unsigned(S)];
}
