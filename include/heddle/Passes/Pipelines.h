//===- Pipelines.h - From front-end output to the prepared form -*- C++ -*-===//
//
// What a prepared module looks like. Code table, execution engines and static
// analyses rely on every line of this:
//
//  * Functions with a body are kernels (ptx_kernel), everything else was
//    inlined. Dead globals and unreachable blocks are gone. The module passes
//    the verifier.
//  * No switch, memcpy, memmove, memset, frem, llvm.is.fpclass, constant
//  expression as an operand
//    of an instruction, atomic or integer division that the target expands into
//    a loop, 128-bit integer multiplication or wider than the target has. Phi
//    nodes, irreducible flow and freeze stay.
//  * Vectors are scalarised: a vector value is loaded, stored, an argument, a
//    phi, or taken apart and put together by extractelement, insertelement and
//    shufflevector, or bitcast as a whole; arithmetic, other casts,
//    comparisons, selects and calls work on scalars.
//  * Nothing may be fused any further: llvm.fmuladd and contractable
//    multiply-add pairs of one block have become llvm.fma, and the "contract"
//    flag is dropped. Other fast-math flags stay, and "afn" has a meaning:
//    an f32 llvm.sin, llvm.cos, llvm.exp2, llvm.log2, llvm.sqrt or fdiv with
//    "afn" is the approximate instruction (sin.approx, ..., div.approx), one
//    without is the accurate function. Approximate
//    exp, log, pow and tan are written in terms of these; on all else "afn"
//    says nothing.
//  * Pointers into known memory are in its address space (NVPTXAS: 1 global,
//    3 shared, 4 constant, 5 local); pointer arguments of kernels point to
//    global memory even where CUDA types them generic. Structs passed by value
//    are "byval" pointers that are only read, through a cast to address space
//    101 (PARAM); a kernel that writes one does so in a local copy.
//  * The back end's own IR passes have run (heddle/PTX/BackEnd.h): neighbouring
//    accesses are one vector access, addresses are split into base and offset.
//  * An fpext with OwnConversion (heddle/PTX/BackEnd.h) is not merged with
//    another, nor in PTX.
//  * printf is dropped (a warning says so) unless it is to print; assert and
//    __trap are llvm.trap.
//
// Calls are to
//  * llvm.* intrinsics: fma, sqrt, sin, cos, tan, asin, acos, atan, atan2,
//    sinh, cosh, tanh, exp, exp2, exp10, log, log2, log10, pow, floor, ceil,
//    trunc, rint, nearbyint, round, roundeven, fabs, copysign, minnum, maxnum,
//    minimum, maximum, integer min, max, abs, bit manipulation, saturating and
//    overflow-checked arithmetic, ... as LLVM's language reference says;
//  * llvm.nvvm.* intrinsics: special registers, barriers, fences, shuffles,
//    votes, llvm.nvvm.rsqrt.approx.f, llvm.nvvm.rcp.approx.ftz.f/.d, ...;
//  * heddle.math.NAME.TYPE, TYPE in f32, f64: functions of the C library that
//    LLVM has no intrinsic for, named as there without the suffix f: acosh
//    asinh atanh cbrt erf erfc erfcinv erfinv exp10 expm1 fdim fmod hypot
//    ilogb j0 j1 y0 y1 ldexp lgamma log1p logb nextafter normcdf normcdfinv
//    remainder rhypot rcbrt rsqrt (f64) sinpi cospi tanpi asinpi acospi atanpi
//    atan2pi erfcx tgamma. ldexp takes (TYPE, i32), ilogb returns i32, all else
//    TYPE; operands in the order of the C library;
//  * heddle.special.workdim, heddle.special.globaloffset.{x,y,z}: i32 without
//    operands, get_work_dim() and get_global_offset() of OpenCL.
//  * heddle.print.N, if prints are kept: each declaration has one call, its
//    format in the attribute "heddle-format" (heddle/ABI/DevicePrint.h), and
//    takes i64. It is no instruction of the machine.
//  * heddle.refused.KIND: stands for what is not executed (a function without
//    a body, a launch of another kernel, the allocator, recursion beyond what
//    is written out). The attribute "heddle-refused" says what the kernel does
//    there. Analyses count it as a call; a launch that reaches it fails.
//  The other heddle.* functions are memory(none) nounwind willreturn
//  speculatable.
//  * llvm.nvvm.tex.*, .tld4.*, .suld.*, .sust.b.*, .txq.* and .suq.* on
//  handles:
//    reads and writes of images (heddle/Analysis/TextureOperation.h).
//  * inline assembly of the source (hand-written PTX).
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PASSES_PIPELINES_H
#define HEDDLE_PASSES_PIPELINES_H

#include "heddle/Analysis/DeviceCall.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace heddle {

/// The NVPTX back end for \p Arch (sm_NN), or an error that names it.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(llvm::StringRef Arch, unsigned OptLevel);

/// Calls of mathematical functions by their C (sinf), libdevice (__nv_sinf) or
/// OpenCL name (_Z3sinDv4_f), as far as they have no body, become llvm.*
/// intrinsics or heddle.math.* calls, element by element. True if there were
/// any.
bool closeMathCalls(llvm::Module &M);

/// A kernel of the source that was not compiled; the others were.
struct RefusedKernel {
  std::string Name;
  std::string Position; ///< FILE:LINE, or ""
  std::string Reason;   ///< one line
};

/// Something that a kernel does and that is analysed, but not executed.
struct RefusedCall {
  std::string Kernel;   ///< demangled
  std::string Position; ///< FILE:LINE, or ""
  std::string Reason;   ///< "calls 'f()', which has no body here"
  std::string Missing;  ///< the name of that function, or ""
};

/// The calls of heddle.refused.* in the prepared module \p M, each once.
std::vector<RefusedCall> refusedCalls(const llvm::Module &M);

struct PrepareOptions {
  std::string Arch = "sm_70";
  uint64_t OptLevel = 3;   ///< 0 to 3
  bool KeepPrints = false; ///< the module is to be executed for what it prints
  /// Trip counts that the source's loops count are divided by this before they
  /// are optimised.
  uint64_t TripFactor = 1;
  bool AsNVCC = false; ///< unroll and fuse so, not as LLVM does by default
};

/// Brings \p M, fresh from a front end or an IR file, into the form above and
/// optimises it as a device compiler does. An error if there is no kernel, and
/// for modules of another target. What was dropped and what is not executed is
/// appended to \p Warnings, one line each.
llvm::Error prepareModule(llvm::Module &M, const PrepareOptions &Options,
                          std::string &Warnings);

/// Brings \p M, fresh from a front end or an IR file, into the *analysis form*:
/// everything inlined, values in registers, address spaces known, invariant
/// code before its loop; but every loop and branch stands as the source has it.
/// Nothing is unrolled, rotated or strength-reduced and the back end has not
/// touched it. Static analyses report on this form. A call that cannot be
/// inlined stays and is opaque to them. Fails for another target and without a
/// kernel.
llvm::Error prepareForAnalysis(llvm::Module &M, llvm::StringRef Arch,
                               std::string &Warnings);

/// Brings \p M, lifted from PTX (heddle/PTX/PTXLifter.h), into the prepared
/// form. Its blocks and accesses stay as the text has them.
llvm::Error prepareLifted(llvm::Module &M, const PrepareOptions &Options,
                          std::string &Warnings);

} // namespace heddle

#endif // HEDDLE_PASSES_PIPELINES_H
