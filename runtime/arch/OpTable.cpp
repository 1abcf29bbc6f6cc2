//===- OpTable.cpp - Which pipe runs what, and how long -------------------===//

#include "arch/OpTable.h"

#include <algorithm>
#include <cmath>

namespace heddle::arch {

// In the order of HeddleOpClass and HeddleDataType.
const std::array<std::string_view, HEDDLE_NUM_OP_CLASSES> OpClassNames = {
    "nop",       "move",      "convert", "special", "add",    "logic", "shift",
    "bits",      "compare",   "mul",     "mad",     "div",    "rem",   "sqrt",
    "rcp",       "sfu",       "math",    "tensor",  "load",   "store", "atomic",
    "reduction", "texture",   "shuffle", "vote",    "branch", "call",  "exit",
    "barrier",   "warp_sync", "fence"};
const std::array<std::string_view, HEDDLE_NUM_DATA_TYPES> DataTypeNames = {
    "none", "pred", "i8",   "i16",  "i32", "i64", "f16", "bf16",
    "f32",  "f64",  "b128", "tf32", "f8",  "i4",  "b1"};

static_assert(HEDDLE_OP_FENCE == 30 && HEDDLE_TYPE_B1 == 14,
              "the names above follow the enumerations");

OpTiming OpTiming::ofGroupProducts(uint32_t Count) const {
  OpTiming T = *this;
  if (GroupProducts)
    T.Initiation =
        uint16_t(std::max(1.0, std::round(double(Count) / GroupProducts)));
  T.Latency = std::max(T.Initiation, GroupLatency);
  return T;
}

OpTiming OpTiming::ofProducts(uint32_t Count) const {
  if (!Count || !Products)
    return *this;
  OpTiming T = *this;
  auto cycles = [&](double Of) { return Of / Products; };
  T.Initiation = uint16_t(std::max(1.0, std::round(cycles(Count))));
  // The stated sizes around it.
  double Below = 0, Above = 0, BelowCycles = 0, AboveCycles = 0;
  for (size_t N = 0; N < MatrixLatencies.size(); ++N) {
    const double Size = double(MinMatrix << N);
    if (!MatrixLatencies[N])
      continue;
    if (Size <= Count) {
      Below = Size;
      BelowCycles = MatrixLatencies[N];
    } else if (!Above) {
      Above = Size;
      AboveCycles = MatrixLatencies[N];
    }
  }
  double Result = Latency;
  if (Below && Above)
    Result = BelowCycles +
             (AboveCycles - BelowCycles) * (Count - Below) / (Above - Below);
  else if (Below)
    Result = BelowCycles + cycles(Count - Below);
  else if (Above)
    Result = AboveCycles;
  T.Latency = uint16_t(std::round(Result));
  return T;
}

} // namespace heddle::arch
