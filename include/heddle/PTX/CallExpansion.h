//===- CallExpansion.h - Functions of PTX, inlined as text ------*- C++ -*-===//
//
// Everything below reads one kernel at a time. The functions that a PTX file
// defines (nvcc's slow paths of pow and sin, __noinline__ functions, debug
// builds) are written into the kernels that call them before anything reads
// the text, so that execution, code tables and ptxas see the same instructions.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PTX_CALLEXPANSION_H
#define HEDDLE_PTX_CALLEXPANSION_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace heddle::ptx {

/// \p Text with the calls in its entries replaced by the bodies of the
/// functions, in the line of the call, so that lines keep their numbers.
///
/// Arguments and results become registers where they are always accessed as
/// the same words of four or eight bytes, and local memory else. Recursion is
/// written out as UnrollRecursion does. A call of a function that is not
/// defined becomes `call_refused_NAME`, which ends the launch when a thread
/// comes to it, but for vprintf and __assertfail. Calls through registers stay;
/// the kernel that holds one is not read.
std::string expandCalls(llvm::StringRef Text);

/// \p Text with grid.sync() as one statement, which nvcc writes as barriers of
/// the block around a counter that the driver has made: a thread of each block
/// adds to it and polls it. Blocks here run one after the other, so that would
/// never end.
std::string replaceGridBarriers(llvm::StringRef Text);

} // namespace heddle::ptx

#endif // HEDDLE_PTX_CALLEXPANSION_H
