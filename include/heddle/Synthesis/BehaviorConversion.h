//===- BehaviorConversion.h - Behaviour profiles as synth kernels -*- C++ -*-=//
//
// The two halves of Heddle exchange behaviour as JSON: the object "behavior" of
// what `heddle profile --behavior` writes, whose keys are the fields of
// runtime/behavior/BehaviorProfile.h.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_SYNTHESIS_BEHAVIORCONVERSION_H
#define HEDDLE_SYNTHESIS_BEHAVIORCONVERSION_H

#include "heddle/Dialect/Synth/SynthDialect.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace heddle::synth {

/// Name of the discardable dictionary for fields of a profile that the dialect
/// does not model, so that they survive a round trip.
inline constexpr llvm::StringLiteral ExtraName = "synth.extra";

/// A module with the kernel \p Name that behaves as \p Behavior says. Registers
/// and accesses must be numbered in order of their first appearance
/// (runtime/behavior/CanonicalOrder.h) to be found again. Errors: fields that
/// are missing or of another kind; what the dialect's verifier refuses.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
importBehavior(const llvm::json::Object &Behavior, llvm::StringRef Name,
               mlir::MLIRContext &Context);

/// The inverse. What \p Kernel omits (hand-written ones do) follows from
/// launch, trip counts and shares (CountInference.h).
llvm::json::Object exportBehavior(KernelOp Kernel);

/// How far \p Kernel is reduced: the grid ("Grid") and for each loop "Factor"
/// and "MinTrips" ("Loops").
llvm::json::Object exportReduction(KernelOp Kernel);

} // namespace heddle::synth

#endif // HEDDLE_SYNTHESIS_BEHAVIORCONVERSION_H
