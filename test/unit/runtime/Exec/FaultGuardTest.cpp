//===- FaultGuardTest.cpp - Signal stacks and handlers --------------------===//

#include "exec/FaultGuard.h"

#include <gtest/gtest.h>

#include <array>
#include <csignal>

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
