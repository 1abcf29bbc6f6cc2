//===- BehaviorRun.h - The behaviour profile of a session -------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_BEHAVIORRUN_H
#define HEDDLE_TOOLS_BEHAVIORRUN_H

#include "Session.h"

#include "behavior/BehaviorProfile.h"

namespace heddle::tool {

/// Executes \p S's launch and profiles what it does, by PTX instruction.
/// Throws CommandError.
behavior::Profile behaviorOf(Session &S);
/// The same of the launch that \p Source is the trace of.
behavior::Profile behaviorOf(Session &S, trace::TraceSource &Source);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_BEHAVIORRUN_H
