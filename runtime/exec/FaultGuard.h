//===- FaultGuard.h - Faults of executed kernels become errors --*- C++ -*-===//

#ifndef HEDDLE_EXEC_FAULTGUARD_H
#define HEDDLE_EXEC_FAULTGUARD_H

#include <cstdint>
#include <memory>
#include <utility>

namespace heddle::exec {

/// A fault that the host's hardware raised at a kernel's instruction.
struct HardwareFault {
  int Signal = 0;         ///< SIGSEGV, SIGBUS, SIGFPE or SIGILL; 0: none
  uint64_t Address = 0;   ///< SIGSEGV, SIGBUS; 0 also where it is unknown
  bool Abandoned = false; ///< no fault: abandonKernel() was called
};

/// While one exists, SIGSEGV, SIGBUS, SIGFPE and SIGILL that are raised inside
/// catchFaults() return from it; any others do what they did before. The
/// handlers are the process's: the first guard sets them and the last one
/// restores what was there before, whichever threads they belong to. A guard
/// sets them again if the program has replaced them since.
class FaultGuard {
public:
  FaultGuard();
  ~FaultGuard();
  FaultGuard(const FaultGuard &) = delete;
  FaultGuard &operator=(const FaultGuard &) = delete;
};

/// A signal stack for the calling thread during the object's life. Its end
/// restores the thread's earlier one, if any.
class SignalStack {
public:
  SignalStack();
  ~SignalStack();
  SignalStack(const SignalStack &) = delete;
  SignalStack &operator=(const SignalStack &) = delete;

private:
  struct Saved;
  std::unique_ptr<Saved> Old;
};

/// Calls \p Function(\p Context). A fault abandons it without running
/// destructors, so it must own nothing.
HardwareFault catchFaults(void (*Function)(void *), void *Context);

/// For a hook that a kernel calls inside catchFaults(): does not come back, but
/// abandons the kernel as a fault does. Its callers must own nothing.
[[noreturn]] void abandonKernel();

} // namespace heddle::exec

#endif // HEDDLE_EXEC_FAULTGUARD_H
