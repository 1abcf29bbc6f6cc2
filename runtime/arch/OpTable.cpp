//===- OpTable.cpp - Which pipe runs what, and how long -------------------===//

#include "arch/OpTable.h"

namespace heddle::arch {

// In the order of HeddleOpClass and HeddleDataType.
const std::array<std::string_view, HEDDLE_NUM_OP_CLASSES> OpClassNames = {
    "nop",       "move",      "convert", "special", "add",    "logic", "shift",
    "bits",      "compare",   "mul",     "mad",     "div",    "rem",   "sqrt",
    "rcp",       "sfu",       "math",    "tensor",  "load",   "store", "atomic",
    "reduction", "texture",   "shuffle", "vote",    "branch", "call",  "exit",
    "barrier",   "warp_sync", "fence"};
const std::array<std::string_view, HEDDLE_NUM_DATA_TYPES> DataTypeNames = {
    "none", "pred", "i8",  "i16", "i32", "i64",
    "f16",  "bf16", "f32", "f64", "b128"};

static_assert(HEDDLE_OP_FENCE == 30 && HEDDLE_TYPE_B128 == 10,
              "the names above follow the enumerations");

} // namespace heddle::arch
