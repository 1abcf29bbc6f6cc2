//===- Targets.h - LLVM's back ends, made known once ------------*- C++ -*-===//

#ifndef HEDDLE_SUPPORT_TARGETS_H
#define HEDDLE_SUPPORT_TARGETS_H

namespace heddle {

/// Registers the NVPTX back end and that of this CPU with LLVM's registry,
/// which is the process's. Any thread may call it any number of times. A
/// target is looked up only after that.
void registerTargets();

} // namespace heddle

#endif // HEDDLE_SUPPORT_TARGETS_H
