//===- FaultGuard.cpp - Faults of executed kernels become errors ----------===//

#include "exec/FaultGuard.h"

#include "heddle/ABI/PerThread.h"
#include "heddle/ABI/Stop.h"

#include <algorithm>
#include <charconv>
#include <csetjmp>
#include <csignal>
#include <fstream>
#include <iterator>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include <pthread.h>
#include <ucontext.h>

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
/// What the thread's SignalStack was given.
static thread_local const CompiledCode *Its = nullptr;

static void passOn(int Signal, siginfo_t *Info, void *Context);

/// Goes on behind catchFaults(). ThreadSanitizer blocks all signals in
/// handlers, whatever SA_NODEFER says: the next fault would end the process.
[[noreturn]] static void leaveHandler(Landing &L, const void *Context) {
  pthread_sigmask(SIG_SETMASK,
                  &static_cast<const ucontext_t *>(Context)->uc_sigmask,
                  nullptr);
  siglongjmp(L.Buffer, 1);
}

static void handle(int Signal, siginfo_t *Info, void *Context) {
  if (Landing *L = Current) {
    L->Fault.Signal = Signal;
    L->Fault.Address = Signal == SIGSEGV || Signal == SIGBUS
                           ? reinterpret_cast<uint64_t>(Info->si_addr)
                           : 0;
    leaveHandler(*L, Context);
  }
  passOn(Signal, Info, Context);
}

/// Where the signal found the thread; 0 on hosts that this does not know.
static uint64_t interruptedAt(const void *Context) {
  [[maybe_unused]] const auto &Machine =
      static_cast<const ucontext_t *>(Context)->uc_mcontext;
#if defined(__x86_64__)
  return uint64_t(Machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return Machine.pc;
#else
  return 0;
#endif
}

/// abandonStopped() asks.
static void handleStop(int, siginfo_t *, void *Context) {
  Landing *L = Current;
  const CompiledCode *Code = Its;
  if (!L || !Code || !Code->Stop || !*Code->Stop)
    return;
  const uint64_t At = interruptedAt(Context);
  if (At < Code->Begin || At >= Code->End)
    return;
  L->Fault.Abandoned = true;
  leaveHandler(*L, Context);
}

namespace {
/// What the process's handlers were before the first guard. Handlers belong to
/// the process, so this does too.
struct SavedHandlers {
  std::mutex Mutex;
  unsigned Guards = 0;
  struct sigaction Actions[std::size(Signals)], StopAction;
};
/// Threads that have a SignalStack with a CompiledCode. Signals go to threads
/// of the process, so this is the process's.
struct RunningThreads {
  std::mutex Mutex;
  std::vector<pthread_t> Threads;
};
} // namespace
static SavedHandlers Saved;
/// Never destroyed: globals of a program that end later may launch kernels.
static RunningThreads &Running = *new RunningThreads;

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
  Action.sa_sigaction = handleStop;
  Action.sa_flags |= SA_RESTART;
  struct sigaction Before;
  sigaction(SIGURG, &Action, &Before);
  if (!(Before.sa_flags & SA_SIGINFO) || Before.sa_sigaction != handleStop)
    Saved.StopAction = Before;
}

FaultGuard::~FaultGuard() {
  std::lock_guard Lock(Saved.Mutex);
  if (--Saved.Guards)
    return;
  for (size_t I = 0; I < std::size(Signals); ++I)
    sigaction(Signals[I], &Saved.Actions[I], nullptr);
  sigaction(SIGURG, &Saved.StopAction, nullptr);
}

struct SignalStack::Saved {
  stack_t Stack = {};
  const CompiledCode *Code = Its;
};

SignalStack::SignalStack(const CompiledCode *Code)
    : Old(std::make_unique<Saved>()) {
  if (Code) {
    Its = Code;
    std::lock_guard Lock(Running.Mutex);
    Running.Threads.push_back(pthread_self());
  }
  // Kept for the thread's next launch: one that is small takes less time than
  // the allocation.
  struct Memory {
    const std::unique_ptr<char[]> Bytes{new char[StackBytes]};
  };
  Old->Stack.ss_flags = SS_DISABLE;
  stack_t Stack = {};
  Stack.ss_sp = perThread<Memory, SignalStack>().Bytes.get();
  Stack.ss_size = StackBytes;
  sigaltstack(&Stack, &Old->Stack);
}

SignalStack::~SignalStack() {
  if (Its != Old->Code) {
    std::lock_guard Lock(Running.Mutex);
    Running.Threads.erase(std::ranges::find(Running.Threads, pthread_self()));
    Its = Old->Code;
  }
  // A thread that runs a launch within another's has the same stack.
  Old->Stack.ss_flags &= SS_DISABLE;
  sigaltstack(&Old->Stack, nullptr);
}

void abandonKernel() {
  Current->Fault.Abandoned = true;
  siglongjmp(Current->Buffer, 1);
}

extern "C" void heddleEndIfStopped() {
  const CompiledCode *Code = Its;
  if (Current && Code && Code->Stop && *Code->Stop)
    abandonKernel();
}

void abandonStopped() {
  std::lock_guard Lock(Running.Mutex);
  for (pthread_t Thread : Running.Threads)
    pthread_kill(Thread, SIGURG);
}

/// \p Text as the address that it begins with in hexadecimal, and the rest.
static std::pair<uint64_t, std::string_view> address(std::string_view Text) {
  uint64_t Value = 0;
  const auto [Rest, Error] =
      std::from_chars(Text.data(), Text.data() + Text.size(), Value, 16);
  return {Value, {Rest, size_t(Text.data() + Text.size() - Rest)}};
}

CompiledCode compiledCodeAt(const void *Address,
                            const std::atomic<bool> *Stop) {
  const auto Wanted = reinterpret_cast<uint64_t>(Address);
  std::ifstream Maps("/proc/self/maps");
  for (std::string Line; std::getline(Maps, Line);) {
    // begin-end rights offset device inode [file]
    const auto [Begin, Behind] = address(Line);
    const uint64_t End = address(Behind.substr(Behind.starts_with('-'))).first;
    const bool OfFile = Line.find('/') != std::string::npos;
    if (Begin <= Wanted && Wanted < End)
      return OfFile ? CompiledCode{0, 0, Stop} : CompiledCode{Begin, End, Stop};
  }
  return {0, 0, Stop};
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
