//===- DeviceCall.h - Device intrinsics as functions of a table -*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_DEVICECALL_H
#define HEDDLE_ANALYSIS_DEVICECALL_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace llvm {
class CallBase;
} // namespace llvm

namespace heddle {

/// Begins the names of functions that are an instruction of PTX for which LLVM
/// has no intrinsic: "heddle.ptx.vabsdiff4.u32.u32.u32".
inline constexpr llvm::StringLiteral InstructionPrefix = "heddle.ptx.";

/// The function of ABI/DeviceMath.h that a call of an intrinsic stands for.
struct DeviceCall {
  /// The intrinsic's name without the types that overload it. An immediate
  /// that chooses an operation is part of it ("llvm.nvvm.idp2a.s.u.hi").
  std::string Name;
  llvm::SmallVector<unsigned, 3> Arguments; ///< those that the function reads
};

DeviceCall deviceCall(const llvm::CallBase &Call);

/// Of a declaration heddle.refused.*: what calls it does, after "kernel 'k' ".
inline constexpr llvm::StringLiteral RefusedReason = "heddle-refused";

/// Attribute of a declaration heddle.refused.body*: the name, as the source has
/// it, of the function that has no body.
inline constexpr llvm::StringLiteral MissingBody = "heddle-missing";

} // namespace heddle

#endif // HEDDLE_ANALYSIS_DEVICECALL_H
