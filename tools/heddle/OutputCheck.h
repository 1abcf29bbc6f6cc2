//===- OutputCheck.h - Outputs that would destroy inputs --------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_OUTPUTCHECK_H
#define HEDDLE_TOOLS_OUTPUTCHECK_H

namespace CLI {
class App;
}

namespace heddle::tool {

/// Refuses a command line on which a file is written that the same command
/// reads, or that two options write: the result would take the source's place.
/// What a launch file names counts as read. Throws CommandError.
void checkOutputs(const CLI::App &App);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_OUTPUTCHECK_H
