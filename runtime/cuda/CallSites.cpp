//===- CallSites.cpp - Lines of a program's own code ----------------------===//

#include "cuda/CallSites.h"

#include "cuda/Engine.h"

#include <execinfo.h>

namespace heddle::cuda {

/// Enough for a program's code above a container's and ours.
static constexpr int MostFrames = 16;

CallStack callStack() {
  void *Frames[MostFrames];
  const int Count = ::backtrace(Frames, MostFrames);
  return CallStack(Frames, Frames + Count);
}

std::string lineOf(const CallStack &Stack) {
  std::string Text, Why;
  if (void *Find = engineFunction("heddleLineOf", Why))
    reinterpret_cast<LineOf *>(Find)(Stack, Text);
  return Text;
}

std::string lineAfter(const char *Word, const CallStack &Stack) {
  const std::string Line = lineOf(Stack);
  return Line.empty() ? Line : Word + (" " + Line);
}

} // namespace heddle::cuda
