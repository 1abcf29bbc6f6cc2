//===- RingBufferTest.cpp -------------------------------------------------===//

#include "base/RingBuffer.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>

using namespace heddle;

namespace {

TEST(RingBuffer, ActsAsADeque) {
  std::mt19937 Random(5);
  RingBuffer<int> Ring;
  std::deque<int> Expected;
  for (int Step = 0; Step != 5000; ++Step) {
    if (Random() % 5 < 3) {
      Ring.push_back(Step);
      Expected.push_back(Step);
    } else {
      size_t Number = std::min<size_t>(Random() % 4, Expected.size());
      Ring.pop_front(Number);
      Expected.erase(Expected.begin(), Expected.begin() + Number);
    }
    ASSERT_EQ(Ring.size(), Expected.size());
    ASSERT_EQ(Ring.empty(), Expected.empty());
    for (size_t I = 0; I != Expected.size(); ++I)
      ASSERT_EQ(Ring[I], Expected[I]);
  }
}

} // namespace
