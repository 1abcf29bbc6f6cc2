//===- FaultGuard.h - Faults of executed kernels become errors --*- C++ -*-===//

#ifndef HEDDLE_EXEC_FAULTGUARD_H
#define HEDDLE_EXEC_FAULTGUARD_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

namespace heddle::exec {

/// A fault that the host's hardware raised at a kernel's instruction.
struct HardwareFault {
  int Signal = 0;         ///< SIGSEGV, SIGBUS, SIGFPE or SIGILL; 0: none
  uint64_t Address = 0;   ///< SIGSEGV, SIGBUS; 0 also where it is unknown
  bool Abandoned = false; ///< no fault: abandonKernel() or abandonStopped()
};

/// Code that a kernel runs in and that owns nothing, and who wants its end.
struct CompiledCode {
  uint64_t Begin = 0, End = 0; ///< addresses
  const std::atomic<bool> *Stop = nullptr;
};

/// The code that was compiled together with what is at \p Address: the mapping
/// without a file that it lies in. No addresses where that is part of a
/// program, whose functions may own something; such code asks for itself
/// (heddle/ABI/Stop.h).
CompiledCode compiledCodeAt(const void *Address, const std::atomic<bool> *Stop);

/// While one exists, SIGSEGV, SIGBUS, SIGFPE and SIGILL that are raised inside
/// catchFaults() return from it; any others do what they did before. SIGURG,
/// which nothing else here uses, is abandonStopped()'s. The
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
/// restores the thread's earlier one, if any. What the thread runs in
/// catchFaults() until then can be abandoned in \p Code, which outlives it.
class SignalStack {
public:
  explicit SignalStack(const CompiledCode *Code = nullptr);
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

/// From another thread: abandons what runs in the CompiledCode of those whose
/// Stop is set. A thread that is in other code just then, which may own
/// something, goes on: call again.
void abandonStopped();

} // namespace heddle::exec

#endif // HEDDLE_EXEC_FAULTGUARD_H
