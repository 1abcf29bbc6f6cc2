//===- ArithmeticFlags.h - nvcc's choices for arithmetic --------*- C++ -*-===//
//
// -use_fast_math, -ftz, -fmad, -prec-div and -prec-sqrt mean what nvcc's manual
// says of them ("Options for Steering Code Generation"). A choice that is given
// counts wherever it stands, else what -use_fast_math implies. Clang knows the
// first three by other names; for division and roots the module is rewritten.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_LIB_FRONTEND_ARITHMETICFLAGS_H
#define HEDDLE_LIB_FRONTEND_ARITHMETICFLAGS_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace llvm {
class Module;
}

namespace heddle {

class ArithmeticFlags {
public:
  /// Whether \p Flag is one of them; if so, it is taken.
  bool take(llvm::StringRef Flag);
  /// What they are to Clang, and PreciseDivision and PreciseRoot where Clang's
  /// flags alone would not do it.
  void append(std::vector<std::string> &To) const;

private:
  bool Fast = false;
  std::optional<bool> Fuse, Flush, PreciseDivision, PreciseRoot;
};

/// Among CompileOptions::ClangArgs, followed by true or false: whether single
/// precision is divided and rooted as IEEE 754 rounds.
inline constexpr llvm::StringLiteral PreciseDivisionFlag =
    "--precise-division=";
inline constexpr llvm::StringLiteral PreciseRootFlag = "--precise-root=";

/// Makes divisions of single precision in \p M, straight from Clang, exact or
/// what nvcc makes of them with -prec-div=false: div.full, and rcp.approx of
/// what 1 is divided by.
void setDivision(llvm::Module &M, bool Precise);

/// Conversions of floating point to integers in \p M, straight from Clang with
/// -fno-strict-float-cast-overflow, become nvcc's: at least 32 bits saturate,
/// and less is cut off those, so (unsigned char)300.0f is 44. Those of halves
/// come from headers only, where 16 bits saturate.
void convertAsNVCC(llvm::Module &M);

/// Makes square roots of single precision exact or approximate.
void setRoots(llvm::Module &M, bool Precise);

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_ARITHMETICFLAGS_H
