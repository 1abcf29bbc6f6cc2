//===- BehaviorConversion.h - Behaviour profiles as synth kernels -*- C++ -*-=//

#ifndef HEDDLE_SYNTHESIS_BEHAVIORCONVERSION_H
#define HEDDLE_SYNTHESIS_BEHAVIORCONVERSION_H

#include "behavior/BehaviorProfile.h"
#include "heddle/Dialect/Synth/SynthDialect.h"
#include "synthesis/Reduction.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"

namespace heddle::synth {

/// A module with the kernel \p Name that behaves as \p P says. Registers and
/// accesses must be numbered in order of their first appearance
/// (runtime/behavior/BehaviorCollector.cpp) to be found again. Errors: numbers
/// that point nowhere; what the dialect's verifier refuses.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importBehavior(const behavior::Profile &P, llvm::StringRef Name,
               mlir::MLIRContext &Context);

/// The inverse. What \p Kernel omits (hand-written ones do) follows from
/// launch, trip counts and shares (CountInference.h). Errors: a profile that
/// behavior::findFault refuses.
llvm::Expected<behavior::Profile> exportBehavior(KernelOp Kernel);

/// How far \p Kernel is reduced.
synthesis::Reduction exportReduction(KernelOp Kernel);

} // namespace heddle::synth

#endif // HEDDLE_SYNTHESIS_BEHAVIORCONVERSION_H
