//===- PTXConstant.h - Constant expressions of PTX --------------*- C++ -*-===//
//
// PTX ISA, "Constants" and "Constant Expressions": integers of 64 bits, which
// are signed or not, and doubles. An f32 gets its number rounded twice.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PTX_PTXCONSTANT_H
#define HEDDLE_PTX_PTXCONSTANT_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <variant>

namespace heddle::ptx {

using Constant = std::variant<llvm::APSInt, llvm::APFloat>;

/// The number that \p Text means: "017U", "1e-3", "(1==1)?4:5", "WARP_SZ*2",
/// "0d3FF0000000000000". Nothing if it means none: "0f3F800000" is no double,
/// but see readSingle.
std::optional<Constant> readConstant(llvm::StringRef Text);

/// The integer that \p Text means.
std::optional<int64_t> readInteger(llvm::StringRef Text);

/// "0f3F800000"
std::optional<llvm::APFloat> readSingle(llvm::StringRef Text);

/// \p Number in the format of \p Semantics, rounded to nearest even.
llvm::APFloat roundedTo(llvm::APFloat Number,
                        const llvm::fltSemantics &Semantics);

} // namespace heddle::ptx

#endif // HEDDLE_PTX_PTXCONSTANT_H
