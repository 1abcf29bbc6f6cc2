//===- StreamOrderTest.cpp - Streams, events and the host's waits ---------===//

#include "record/StreamOrder.h"
#include "trace/ByteCode.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::record;
using launch::OperationKind;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

class StreamOrderTest : public testing::Test {
protected:
  StreamOrderTest()
      : Order([this](RecordKind Kind, Encoder E) {
          if (Kind == RecordKind::Operation)
            note(E.Out);
        }) {
    Order.stream(Legacy, StreamKind::Legacy);
    Order.stream(A, StreamKind::Blocking);
    Order.stream(B, StreamKind::Blocking);
    Order.stream(Free, StreamKind::NonBlocking);
    Order.stream(Queue, StreamKind::OutOfOrder);
  }

  void note(const std::vector<uint8_t> &Bytes) {
    trace::bytecode::ByteReader R{Bytes.data(), Bytes.data() + Bytes.size()};
    R.varint(); // kind
    R.varint(); // stream
    R.varint(); // bytes
    std::vector<uint64_t> &Of = Waits.emplace_back();
    for (uint64_t N = R.varint(); N; --N)
      Of.push_back(Waits.size() - 1 - R.varint());
  }
  uint64_t launch(const void *Stream, const OperationSet &Events = {}) {
    return Order.operation(Stream, OperationKind::Launch, 0, Events);
  }

  char Handles[5];
  const void *const Legacy = Handles, *const A = Handles + 1,
                    *const B = Handles + 2, *const Free = Handles + 3,
                    *const Queue = Handles + 4;
  std::vector<std::vector<uint64_t>> Waits; ///< by operation
  StreamOrder Order;
};

TEST_F(StreamOrderTest, StreamsAreInOrderByThemselves) {
  launch(A), launch(B), launch(A), launch(B);
  EXPECT_THAT(
      Waits, ElementsAre(IsEmpty(), IsEmpty(), ElementsAre(0), ElementsAre(1)));
}

TEST_F(StreamOrderTest, TheLegacyStreamWaitsForAllThatBlock) {
  launch(A), launch(B), launch(Free), launch(Legacy), launch(A), launch(Free);
  EXPECT_THAT(Waits[3], ElementsAre(0, 1));
  EXPECT_THAT(Waits[4], ElementsAre(0, 3));
  EXPECT_THAT(Waits[5], ElementsAre(2));
  launch(A);
  EXPECT_THAT(Waits[6], ElementsAre(4)); // which has waited for it
}

TEST_F(StreamOrderTest, EventsOrderStreams) {
  launch(A);
  const OperationSet Event = Order.before(A);
  launch(A);
  Order.wait(Free, Event);
  launch(Free), launch(Free);
  EXPECT_THAT(Waits[2], ElementsAre(0));
  EXPECT_THAT(Waits[3], ElementsAre(2));
}

TEST_F(StreamOrderTest, WhatTheHostWaitsForComesBeforeAllThatFollows) {
  launch(A), launch(B);
  Order.hostWaits(Order.before(A)); // operation 2
  launch(Free), launch(B);
  EXPECT_THAT(Waits[2], ElementsAre(0));
  EXPECT_THAT(Waits[3], ElementsAre(2));
  EXPECT_THAT(Waits[4], ElementsAre(1, 2));
  Order.hostWaits({0}); // it has
  EXPECT_EQ(Waits.size(), 5u);
  Order.hostWaits(Order.all());
  EXPECT_THAT(Waits[5], ElementsAre(2, 3, 4));
}

TEST_F(StreamOrderTest, DestroyedStreamsAreWaitedForToo) {
  launch(A);
  Order.drop(A);
  Order.hostWaits(Order.all());
  EXPECT_THAT(Waits[1], ElementsAre(0));
}

TEST_F(StreamOrderTest, NodesWaitForWhatTheyDependOn) {
  launch(A);
  const OperationSet Start = Order.before(A);
  const uint64_t Left = Order.node(A, OperationKind::Launch, 0, Start);
  const uint64_t Right = Order.node(A, OperationKind::Launch, 0, Start);
  Order.wait(A, {Left, Right});
  launch(A);
  EXPECT_THAT(Waits[2], ElementsAre(0));
  EXPECT_THAT(Waits[3], ElementsAre(0, 1, 2));
}

TEST_F(StreamOrderTest, BarriersOrderQueuesThatAreOutOfOrder) {
  const uint64_t First = launch(Queue);
  launch(Queue), launch(Queue, {First});
  Order.barrier(Queue);
  launch(Queue);
  EXPECT_THAT(Waits, ElementsAre(IsEmpty(), IsEmpty(), ElementsAre(0),
                                 ElementsAre(0, 1, 2)));
  Order.hostWaits(Order.issued(Queue));
  EXPECT_THAT(Waits[4], ElementsAre(0, 1, 2, 3));
}

} // namespace
