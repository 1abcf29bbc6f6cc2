//===- PerThreadTest.cpp - Tests of an object for each thread -------------===//

#include "heddle/ABI/PerThread.h"

#include <gtest/gtest.h>

#include <thread>

using namespace heddle;

namespace {
struct Counted {
  static int &alive() {
    static int N = 0;
    return N;
  }
  Counted() { ++alive(); }
  ~Counted() { --alive(); }
  int Value = 0;
};
struct A;
struct B;
} // namespace

TEST(PerThread, EachThreadAndTagHasItsOwnUntilTheThreadEnds) {
  std::thread([] {
    perThread<Counted, A>().Value = 1;
    perThread<Counted, B>().Value = 2;
    EXPECT_EQ((perThread<Counted, A>().Value), 1);
    EXPECT_EQ(Counted::alive(), 2);
    std::thread([] {
      EXPECT_EQ((perThread<Counted, A>().Value), 0);
      EXPECT_EQ(Counted::alive(), 3);
    }).join();
    EXPECT_EQ(Counted::alive(), 2);
  }).join();
  EXPECT_EQ(Counted::alive(), 0);
}

TEST(PerThread, ThereIsAnotherWhenItHasEnded) {
  // This is made before the object of A and so destroyed after it, as the
  // globals of a program are.
  struct Later {
    ~Later() {
      EXPECT_EQ((perThread<int, A>()), 0);
      ++perThread<int, A>();
      EXPECT_EQ((perThread<int, A>()), 1);
      delete &perThread<int, A>();
    }
  };
  std::thread([] {
    static thread_local const Later L;
    (void)L;
    perThread<int, A>() = 5;
  }).join();
}
