//===- MathCalls.h - Mathematical functions by any name ---------*- C++ -*-===//

#ifndef HEDDLE_PASSES_MATHCALLS_H
#define HEDDLE_PASSES_MATHCALLS_H

namespace llvm {
class Module;
}

namespace heddle {

/// Calls of mathematical functions by their C (sinf), libdevice (__nv_sinf) or
/// OpenCL name (_Z3sinDv4_f), as far as they have no body, become llvm.*
/// intrinsics or heddle.math.* calls, element by element.
void closeMathCalls(llvm::Module &M);

} // namespace heddle

#endif // HEDDLE_PASSES_MATHCALLS_H
