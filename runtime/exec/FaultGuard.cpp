//===- FaultGuard.cpp - Faults of executed kernels become errors ----------===//

#include "exec/FaultGuard.h"

#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <iterator>
#include <mutex>

namespace heddle::exec {

static constexpr int Signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
/// For a handler of the program that is called on it too; pages that are not
/// used take no memory.
static constexpr size_t StackBytes = 1024 * 1024;

namespace {
/// Where the handler finds its way back. A signal handler gets no context of
/// its own, so this is per thread, and set only inside catchFaults.
struct Landing {
  sigjmp_buf Buffer;
  HardwareFault Fault;
};
} // namespace
static thread_local Landing *Current = nullptr;

static void passOn(int Signal, siginfo_t *Info, void *Context);

static void handle(int Signal, siginfo_t *Info, void *Context) {
  if (Landing *L = Current) {
    L->Fault.Signal = Signal;
    L->Fault.Address = Signal == SIGSEGV || Signal == SIGBUS
                           ? reinterpret_cast<uint64_t>(Info->si_addr)
                           : 0;
    siglongjmp(L->Buffer, 1);
  }
  passOn(Signal, Info, Context);
}

namespace {
/// What the process's handlers were before the first guard. Handlers belong to
/// the process, so this does too.
struct SavedHandlers {
  std::mutex Mutex;
  unsigned Guards = 0;
  struct sigaction Actions[std::size(Signals)];
};
} // namespace
static SavedHandlers Saved;

/// A signal that is not a kernel's gets what it got before.
static void passOn(int Signal, siginfo_t *Info, void *Context) {
  const auto At = std::ranges::find(Signals, Signal);
  const struct sigaction &Before = Saved.Actions[At - std::begin(Signals)];
  if (Before.sa_flags & SA_SIGINFO)
    Before.sa_sigaction(Signal, Info, Context);
  else if (Before.sa_handler != SIG_DFL && Before.sa_handler != SIG_IGN)
    Before.sa_handler(Signal);
  else // returning repeats the instruction with the default action
    std::signal(Signal, SIG_DFL);
}

static bool isOurs(const struct sigaction &Action) {
  return (Action.sa_flags & SA_SIGINFO) && Action.sa_sigaction == handle;
}

/// Whether our handlers are in place: programs that have one of their own set
/// it for SIGSEGV, whichever others they set.
static bool inPlace() {
  struct sigaction Now;
  sigaction(SIGSEGV, nullptr, &Now);
  return isOurs(Now);
}

FaultGuard::FaultGuard() {
  std::lock_guard Lock(Saved.Mutex);
  if (Saved.Guards++ && inPlace())
    return;
  struct sigaction Action = {};
  Action.sa_sigaction = handle;
  // NODEFER: siglongjmp leaves the handler without restoring the mask.
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigemptyset(&Action.sa_mask);
  for (size_t I = 0; I < std::size(Signals); ++I) {
    struct sigaction Before;
    sigaction(Signals[I], &Action, &Before);
    if (!isOurs(Before))
      Saved.Actions[I] = Before;
  }
}

FaultGuard::~FaultGuard() {
  std::lock_guard Lock(Saved.Mutex);
  if (--Saved.Guards)
    return;
  for (size_t I = 0; I < std::size(Signals); ++I)
    sigaction(Signals[I], &Saved.Actions[I], nullptr);
}

struct SignalStack::Saved {
  stack_t Stack = {};
};

SignalStack::SignalStack() : Old(std::make_unique<Saved>()) {
  // Kept for the thread's next launch: one that is small takes less time than
  // the allocation.
  static thread_local const std::unique_ptr<char[]> Memory(
      new char[StackBytes]);
  Old->Stack.ss_flags = SS_DISABLE;
  stack_t Stack = {};
  Stack.ss_sp = Memory.get();
  Stack.ss_size = StackBytes;
  sigaltstack(&Stack, &Old->Stack);
}

SignalStack::~SignalStack() {
  // A thread that runs a launch within another's has the same stack.
  Old->Stack.ss_flags &= SS_DISABLE;
  sigaltstack(&Old->Stack, nullptr);
}

void abandonKernel() {
  Current->Fault.Abandoned = true;
  siglongjmp(Current->Buffer, 1);
}

HardwareFault catchFaults(void (*Function)(void *), void *Context) {
  Landing Here;
  Landing *Outer = Current;
  if (sigsetjmp(Here.Buffer, 0) == 0) {
    Current = &Here;
    Function(Context);
  }
  Current = Outer;
  return Here.Fault;
}

} // namespace heddle::exec
