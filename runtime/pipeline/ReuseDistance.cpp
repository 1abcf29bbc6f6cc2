//===- ReuseDistance.cpp - LRU stack distances, near-linear ---------------===//

#include "pipeline/ReuseDistance.h"

#include <algorithm>

using namespace heddle::pipeline;

/// A power of two; the tree has as many times.
static constexpr size_t FirstSize = 1024;

ReuseDistance::ReuseDistance() : Table(FirstSize), Tree(FirstSize + 1) {}

static uint64_t hashed(uint64_t Key) {
  // Fibonacci hashing (Knuth, volume 3, 6.4); the high half is the good one.
  return (Key * 0x9e3779b97f4a7c15) >> 20;
}

ReuseDistance::Entry &ReuseDistance::find(uint64_t Key) {
  for (uint64_t I = hashed(Key);; ++I) {
    Entry &E = Table[I & (Table.size() - 1)];
    if (!E.Time || E.Key == Key)
      return E;
  }
}

void ReuseDistance::growTable() {
  std::vector<Entry> Old(Table.size() * 2);
  Old.swap(Table);
  for (const Entry &E : Old)
    if (E.Time)
      find(E.Key) = E;
}

void ReuseDistance::add(uint64_t Time, int32_t Value) {
  for (; Time < Tree.size(); Time += Time & (0 - Time))
    Tree[Time] += Value;
}

uint64_t ReuseDistance::marksUpTo(uint64_t Time) const {
  int64_t Sum = 0;
  for (; Time; Time &= Time - 1)
    Sum += Tree[Time];
  return uint64_t(Sum);
}

/// Gives the keys the times 1, 2, ... in the order of their last accesses.
void ReuseDistance::renumber() {
  std::vector<Entry *> Order;
  Order.reserve(Used);
  for (Entry &E : Table)
    if (E.Time)
      Order.push_back(&E);
  std::sort(Order.begin(), Order.end(),
            [](const Entry *A, const Entry *B) { return A->Time < B->Time; });
  size_t Times = FirstSize;
  while (Times < 2 * Used + 2)
    Times *= 2;
  Tree.assign(Times + 1, 0);
  for (Now = 0; Now < Used; ++Now)
    Order[Now]->Time = Now + 1;
  // All marks at once: a node sums the marks of its low bits' range.
  for (uint64_t T = 1; T < Tree.size(); ++T) {
    uint64_t Low = T & (0 - T);
    uint64_t First = T - Low; // marks are at 1..Used
    Tree[T] = int32_t(std::min(T, Used) - std::min(First, Used));
  }
}

ReuseDistance::Touch ReuseDistance::access(uint64_t Key) {
  if (2 * (Used + 1) > Table.size())
    growTable();
  if (Now + 1 >= Tree.size())
    renumber();
  Entry &E = find(Key);
  ++Now;
  uint64_t Distance = Cold;
  if (E.Time) {
    Distance = Used - marksUpTo(E.Time);
    add(E.Time, -1);
  } else {
    E.Key = Key;
    ++Used;
  }
  E.Time = Now;
  add(Now, 1);
  return {Distance, E.Payload};
}
