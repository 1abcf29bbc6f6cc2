//===- DividerTest.cpp ----------------------------------------------------===//

#include "base/Divider.h"

#include <gtest/gtest.h>

#include <random>

using namespace heddle;

namespace {

TEST(Divider, IsExactForAllSizes) {
  std::mt19937_64 Random(11);
  for (unsigned Trial = 0; Trial != 20000; ++Trial) {
    const uint64_t By = std::max<uint64_t>(1, Random() >> (Random() % 64));
    const Divider D(By);
    const uint64_t Multiple = By * (Random() % (~uint64_t(0) / By));
    for (uint64_t X : {Random() >> (Random() % 64), Multiple, Multiple - 1,
                       ~uint64_t(0) / By - 1, ~uint64_t(0) / By, uint64_t(0)}) {
      ASSERT_EQ(D.quotient(X), X / By) << X << " / " << By;
      ASSERT_EQ(D.remainder(X), X % By);
    }
  }
}

} // namespace
