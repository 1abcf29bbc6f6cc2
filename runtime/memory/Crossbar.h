//===- Crossbar.h - A switch with one queue per input -----------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_CROSSBAR_H
#define HEDDLE_MEMORY_CROSSBAR_H

#include "base/RingBuffer.h"
#include "base/Units.h"

#include <algorithm>
#include <vector>

namespace heddle::memory {

/// Each input sends its packets in order, each output takes one at a time, and
/// the oldest head of a queue goes first. A packet that waits for its output
/// holds up all behind it; under even traffic such a switch passes 59 % of what
/// its ports could (Karol, Hluchyj, Morgan, IEEE Trans. Comm. 1987).
template <typename PayloadT> class Crossbar {
public:
  Crossbar(unsigned Inputs, unsigned Outputs)
      : Queues(Inputs), OutFree(Outputs, 0) {}

  /// A packet that may go from \p Ready on (ascending per input) and takes
  /// \p Cycles on both ports.
  void push(unsigned In, unsigned Out, Cycle Ready, uint32_t Cycles,
            const PayloadT &Payload) {
    Input &I = Queues[In];
    if (I.Packets.empty())
      I.HeadAt = std::max(I.Free, Ready);
    I.Packets.push_back({Payload, Ready, Cycles, Out});
  }

  /// When the first packet may go; NeverCycle if there is none.
  Cycle nextEvent() const {
    Cycle Next = NeverCycle;
    for (const Input &I : Queues)
      if (!I.Packets.empty())
        Next = std::min(Next, I.HeadAt);
    return Next;
  }

  /// Settles every packet that comes to the head of its queue before \p Until:
  /// calls Deliver(Payload, In, Start) in the order of coming there.
  template <typename DeliverT> void advance(Cycle Until, DeliverT &&Deliver) {
    const Cycle Base = nextEvent();
    if (Base >= Until)
      return;
    Buckets.assign(size_t(Until - Base), {None, None});
    for (uint32_t In = 0; In != Queues.size(); ++In)
      enqueue(In, Base, Until);
    for (size_t At = 0; At != Buckets.size(); ++At)
      while (Buckets[At].First != None) {
        const uint32_t In = Buckets[At].First;
        Input &I = Queues[In];
        Buckets[At].First = I.NextInBucket;
        const Packet P = I.Packets.front();
        I.Packets.pop_front();
        const Cycle Start = std::max(Base + At, OutFree[P.Out]);
        OutFree[P.Out] = I.Free = Start + P.Cycles;
        Deliver(P.Payload, In, Start);
        if (!I.Packets.empty()) {
          I.HeadAt = std::max(I.Free, I.Packets.front().Ready);
          enqueue(In, Base, Until);
        }
      }
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Queues, OutFree, Buckets] = *this;
    A(Queues, OutFree);
  }

private:
  static constexpr uint32_t None = ~0u;
  struct Packet {
    PayloadT Payload;
    Cycle Ready;
    uint32_t Cycles;
    uint32_t Out;

    template <class Archive> void serialize(Archive &A) {
      auto &[Payload, Ready, Cycles, Out] = *this;
      A(Payload, Ready, Cycles, Out);
    }
  };
  struct Input {
    RingBuffer<Packet> Packets;
    Cycle Free = 0;
    Cycle HeadAt = 0; ///< if there are packets
    uint32_t NextInBucket = None;

    template <class Archive> void serialize(Archive &A) {
      auto &[Packets, Free, HeadAt, NextInBucket] = *this;
      A(Packets, Free, HeadAt); // the last is of advance()
    }
  };
  struct Bucket {
    uint32_t First, Last;
  };

  /// Files an input under the cycle of its head, if that is before \p Until.
  void enqueue(uint32_t In, Cycle Base, Cycle Until) {
    Input &I = Queues[In];
    if (I.Packets.empty() || I.HeadAt >= Until)
      return;
    Bucket &B = Buckets[size_t(I.HeadAt - Base)];
    I.NextInBucket = None;
    if (B.First == None)
      B.First = In;
    else
      Queues[B.Last].NextInBucket = In;
    B.Last = In;
  }

  std::vector<Input> Queues;
  std::vector<Cycle> OutFree;
  std::vector<Bucket> Buckets; ///< scratch of advance()
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_CROSSBAR_H
