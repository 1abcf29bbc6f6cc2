//===- ApplicationRun.h - The launches of an application in order -*- C++
//-*-===//

#ifndef HEDDLE_TOOLS_APPLICATIONRUN_H
#define HEDDLE_TOOLS_APPLICATIONRUN_H

#include "Session.h"
#include "sampling/LaunchProfile.h"

#include <functional>

namespace heddle::tool {

/// The application of the options' launch file, or the one launch that the
/// command line describes. Throws CommandError.
launch::Application readApplication(const SessionOptions &Options);

/// Binds the launches of an application one after the other to one program and
/// one memory. \p Visit has to execute each launch, since later ones read what
/// it writes.
void forEachLaunch(const SessionOptions &Options,
                   const launch::Application &Application,
                   const std::function<void(size_t Index, Session &)> &Visit);

/// Executes the launch without observing it.
void execute(Session &S);

/// Executes the launch and counts what each thread block did.
sampling::LaunchProfile profile(Session &S);

/// Executes all launches: what `heddle profile` writes.
sampling::ApplicationProfile profile(const SessionOptions &Options,
                                     const launch::Application &Application);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_APPLICATIONRUN_H
