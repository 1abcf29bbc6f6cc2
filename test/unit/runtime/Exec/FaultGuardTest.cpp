//===- FaultGuardTest.cpp - Signal stacks and handlers --------------------===//

#include "exec/FaultGuard.h"

#include "heddle/ABI/Stop.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include <sys/mman.h>

using namespace heddle::exec;

namespace {

stack_t currentStack() {
  stack_t Stack = {};
  sigaltstack(nullptr, &Stack);
  return Stack;
}

/// Gives the thread its first stack back, whatever a test did.
struct FirstStack {
  stack_t Stack = currentStack();
  ~FirstStack() { sigaltstack(&Stack, nullptr); }
};

/// A program's own handler of SIGFPE or SIGSEGV, which counts.
class OwnHandler {
public:
  explicit OwnHandler(int Signal) : Signal(Signal) {
    Count = 0;
    struct sigaction Action = {};
    Action.sa_handler = [](int) { Count = Count + 1; };
    sigaction(Signal, &Action, &Before);
  }
  ~OwnHandler() { sigaction(Signal, &Before, nullptr); }
  static inline volatile sig_atomic_t Count = 0;

private:
  const int Signal;
  struct sigaction Before;
};

} // namespace

TEST(SignalStack, RestoresTheEarlierStack) {
  FirstStack First;
  std::array<char, 64 * 1024> Memory;
  stack_t Own = {};
  Own.ss_sp = Memory.data();
  Own.ss_size = Memory.size();
  ASSERT_EQ(sigaltstack(&Own, nullptr), 0);
  {
    SignalStack Outer;
    void *OuterStack = currentStack().ss_sp;
    EXPECT_NE(OuterStack, Memory.data());
    {
      SignalStack Inner;
      EXPECT_EQ(currentStack().ss_sp, OuterStack) << "one for each thread";
    }
    EXPECT_EQ(currentStack().ss_sp, OuterStack);
  }
  EXPECT_EQ(currentStack().ss_sp, Memory.data());
  EXPECT_EQ(currentStack().ss_size, Memory.size());
}

TEST(SignalStack, RestoresThatThereWasNone) {
  FirstStack First;
  stack_t None = {};
  None.ss_flags = SS_DISABLE;
  ASSERT_EQ(sigaltstack(&None, nullptr), 0);
  {
    SignalStack Stack;
  }
  EXPECT_TRUE(currentStack().ss_flags & SS_DISABLE);
}

TEST(FaultGuard, HooksAbandonWhatRuns) {
  bool CameBack = false;
  auto Run = [](void *Context) {
    abandonKernel();
    *static_cast<bool *>(Context) = true;
  };
  const HardwareFault F = catchFaults(Run, &CameBack);
  EXPECT_TRUE(F.Abandoned);
  EXPECT_EQ(F.Signal, 0);
  EXPECT_FALSE(CameBack);
}

TEST(FaultGuard, OnlyCodeWithoutAFileIsTakenToOwnNothing) {
  std::atomic<bool> Stop = false;
  const CompiledCode Own =
      compiledCodeAt(reinterpret_cast<const void *>(&currentStack), &Stop);
  EXPECT_EQ(Own.End, 0u) << "the program's";
  void *Page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(Page, MAP_FAILED);
  const CompiledCode Code = compiledCodeAt(Page, &Stop);
  const auto At = reinterpret_cast<uint64_t>(Page);
  EXPECT_LE(Code.Begin, At);
  EXPECT_GT(Code.End, At);
  EXPECT_EQ(Code.Stop, &Stop);
  munmap(Page, 4096);
}

TEST(FaultGuard, CodeThatAsksIsAbandonedWhenItIsToStop) {
  std::atomic<bool> Stop = false;
  const CompiledCode Code = {0, 0, &Stop};
  SignalStack Stack(&Code);
  int Came = 0;
  auto Run = [](void *Context) {
    ++*static_cast<int *>(Context);
    heddleEndIfStopped();
    ++*static_cast<int *>(Context);
  };
  EXPECT_FALSE(catchFaults(Run, &Came).Abandoned);
  EXPECT_EQ(Came, 2);
  Stop = true;
  EXPECT_TRUE(catchFaults(Run, &Came).Abandoned);
  EXPECT_EQ(Came, 3);
  heddleEndIfStopped(); // nothing to abandon
}

#ifdef __x86_64__
TEST(FaultGuard, AnotherThreadEndsCompiledCode) {
#ifdef HEDDLE_THREAD_SANITIZER
  GTEST_SKIP() << "signals wait until the thread calls a function of libc";
#endif
  void *Page = mmap(nullptr, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
                    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(Page, MAP_FAILED);
  const uint8_t Endless[] = {0xeb, 0xfe}; // jmp to itself
  std::memcpy(Page, Endless, sizeof Endless);
  std::atomic<bool> Stop = false, Ended = false;
  const CompiledCode Code = compiledCodeAt(Page, &Stop);
  FaultGuard Guard;
  HardwareFault F;
  std::thread Runs([&] {
    SignalStack Stack(&Code);
    F = catchFaults(
        [](void *Function) { reinterpret_cast<void (*)()>(Function)(); }, Page);
    Ended = true;
  });
  for (int I = 0; I < 20; ++I) { // it is not asked to stop
    abandonStopped();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  EXPECT_FALSE(Ended);
  Stop = true;
  while (!Ended) {
    abandonStopped();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  Runs.join();
  EXPECT_TRUE(F.Abandoned);
  EXPECT_EQ(F.Signal, 0);
  munmap(Page, 4096);
}
#endif

TEST(FaultGuard, PassesOnWhatIsNoKernels) {
  OwnHandler Own(SIGSEGV);
  {
    FaultGuard Guard;
    std::raise(SIGSEGV);
    EXPECT_EQ(OwnHandler::Count, 1);
  }
  std::raise(SIGSEGV);
  EXPECT_EQ(OwnHandler::Count, 2);
}

TEST(FaultGuard, TakesOverFromAHandlerThatCameLater) {
  FaultGuard Lasting;
  OwnHandler Own(SIGSEGV);
  SignalStack Stack;
  FaultGuard Guard;
  const HardwareFault F =
      catchFaults([](void *) { std::raise(SIGSEGV); }, nullptr);
  EXPECT_EQ(F.Signal, SIGSEGV);
  EXPECT_EQ(OwnHandler::Count, 0);
  std::raise(SIGSEGV); // the host's
  EXPECT_EQ(OwnHandler::Count, 1);
}
