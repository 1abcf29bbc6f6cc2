//===- ForeignFlags.cpp - Flags of other compilers ------------------------===//

#include "ForeignFlags.h"

#include "ArithmeticFlags.h"
#include "heddle/Frontend/Compiler.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace heddle {

/// What Clang has no word for and what changes no kernel's meaning here: the
/// beginnings of flags.
static constexpr StringLiteral Dropped[] = {
    // OpenCL drivers
    "-cl-nv-", "-cl-intel-", "-cl-amd-", "-cl-qcom-", "-cl-no-subgroup-ifp",
    "-cl-finalizer-options", "-fbin-", "-fno-bin-", "-create-library",
    "-enable-link-options", "-save-temps", "--save-temps", "-qcom-",
    // nvcc
    "-gencode=", "--generate-code=", "-arch=", "--gpu-architecture=", "-code=",
    "--gpu-code=", "-lineinfo", "--generate-line-info", "--expt-", "-expt-",
    "--extended-lambda", "-extended-lambda", "--ptxas-options=", "-res-usage",
    "--resource-usage", "-keep", "--keep", "-cudart", "--cudart",
    "-ccbin=", "--default-stream", "-default-stream", "--threads=", "-diag-",
    "--diag-", "-dlto"};

/// Those that take the next argument with them.
static constexpr StringLiteral DroppedWithValue[] = {
    "-gencode",         "--generate-code", "-arch",    "-code",    "-Xptxas",
    "--ptxas-options",  "-ccbin",          "-Xnvlink", "-Xcudafe", "-odir",
    "--compiler-bindir"};

std::vector<std::string> translateFlags(ArrayRef<std::string> Flags,
                                        std::string &Notes) {
  std::vector<std::string> Result;
  ArithmeticFlags Arithmetic;
  auto Drop = [&](const Twine &Flag) {
    Notes +=
        ("note: '" + Flag + "' is another compiler's and left out\n").str();
  };
  for (size_t I = 0; I < Flags.size(); ++I) {
    StringRef Flag = Flags[I];
    bool HasNext = I + 1 < Flags.size();
    if (is_contained(DroppedWithValue, Flag) && HasNext) {
      Drop(Flag + " " + Flags[++I]);
    } else if (Arithmetic.take(Flag)) {
      // below: what is given counts wherever it stands
    } else if (Flag == "-cl-denorms-are-zero") {
      // Clang takes it and leaves it out.
      append_range(Result,
                   ArrayRef<StringRef>{Flag, "-Xclang",
                                       "-fdenormal-fp-math-f32=preserve-sign"});
    } else if (Flag.consume_front("-maxrregcount=") ||
               Flag.consume_front("--maxrregcount=")) {
      Result.push_back((MaxRegistersFlag + Flag).str());
    } else if ((Flag == "-maxrregcount" || Flag == "--maxrregcount") &&
               HasNext) {
      Result.push_back((MaxRegistersFlag + Flags[++I]).str());
    } else if (Flag == "-rdc=true" || Flag == "-dc" || Flag == "-dw" ||
               Flag == "--relocatable-device-code=true") {
      Result.push_back("-fgpu-rdc");
    } else if (Flag == "-Xcompiler" && HasNext) {
      // The host compiler's: macros and folders count.
      StringRef Next = Flags[++I];
      if (Next.starts_with("-D") || Next.starts_with("-I") ||
          Next.starts_with("-U"))
        Result.push_back(Next.str());
      else
        Drop("-Xcompiler " + Next);
    } else if (any_of(Dropped,
                      [&](StringRef D) { return Flag.starts_with(D); })) {
      Drop(Flag);
    } else {
      Result.push_back(Flag.str());
    }
  }
  Arithmetic.append(Result);
  return Result;
}

} // namespace heddle
