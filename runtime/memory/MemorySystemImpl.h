//===- MemorySystemImpl.h - The parts of a MemorySystem ---------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_MEMORYSYSTEMIMPL_H
#define HEDDLE_MEMORY_MEMORYSYSTEMIMPL_H

#include "memory/Crossbar.h"
#include "memory/GPCCache.h"
#include "memory/MemorySystem.h"
#include "memory/Partition.h"

#include <utility>
#include <vector>

namespace heddle::memory {

/// The network, and the partitions behind it.
struct MemorySystem::Impl {
  explicit Impl(const arch::GPUSpec &S)
      : Spec(S), Map(Spec), ToL2(Spec.Clock.Core, Spec.Clock.L2),
        ToCore(Spec.Clock.L2, Spec.Clock.Core),
        ReplyPorts(Spec.SM.Count, Port(Spec.Icnt.ReplyBytes)), Cost(Spec),
        GPCs(Spec), RequestNet(Spec.SM.Count, Spec.L2.Slices),
        ReplyNet(Spec.L2.Slices + Spec.Cluster.GPCs, Spec.SM.Count) {
    const unsigned Count = Spec.DRAM.Channels / Spec.L2.Halves;
    Partitions.reserve(Count);
    for (unsigned I = 0; I != Count; ++I)
      Partitions.emplace_back(Spec, Map, I);
    const unsigned PerChannel = Spec.L2.Slices / Spec.DRAM.Channels;
    for (unsigned Slice = 0; Slice != Spec.L2.Slices; ++Slice) {
      const unsigned Channel = Slice / PerChannel;
      SlicePlaces.push_back(
          {&Partitions[Channel % Count],
           Channel / Count * PerChannel + Slice % PerChannel});
    }
  }

  /// First moment at which a slice may handle a request sent at \p Sent.
  Cycle atSlice(Cycle Sent) const {
    return ToL2.up(Sent) + Spec.Icnt.Latency + Spec.L2.Latency;
  }
  void route(const MemoryRequest &R);
  void deliver(const MemoryRequest &R, Cycle Arrival);
  /// Calls \p Do(partition, slice, line there, sectors) for the lines of a
  /// range.
  template <typename Fn>
  void forEachLine(uint64_t Address, uint64_t Bytes, Fn Do);
  /// Calls \p Do with each list of replies that have not reached the SMs.
  template <typename Fn> void forEachReplies(Fn Do) {
    for (Partition &P : Partitions)
      Do(P.Replies);
    Do(GPCs.hits());
  }
  void collect(Cycle Until, std::vector<MemoryResponse> &Out);
  void toSM(const SliceReply &R, std::vector<MemoryResponse> &Out);
  void answer(const SliceReply &R, Cycle Start,
              std::vector<MemoryResponse> &Out);

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Spec, Map, ToL2, ToCore, Partitions, SlicePlaces, ReplyPorts,
           Horizon, ReplyQueueCycles, Cost, GPCs, RequestNet, ReplyNet, Starts,
           Ordered] = *this;
    A(ReplyPorts, Horizon, ReplyQueueCycles, GPCs, RequestNet, ReplyNet);
    for (Partition &Each : Partitions)
      A(Each);
  }

  const arch::GPUSpec Spec;
  const AddressMap Map;
  const ClockRatio ToL2, ToCore;
  std::vector<Partition> Partitions;
  struct SlicePlace {
    Partition *Its;
    unsigned Slice; ///< there
  };
  std::vector<SlicePlace> SlicePlaces; ///< by slice of the machine
  std::vector<Port> ReplyPorts;        ///< into each SM
  Cycle Horizon = 0; ///< L2 clock: all before has been handled
  uint64_t ReplyQueueCycles = 0;
  const LinkCost Cost;
  GPCCaches GPCs;
  // Used where icnt.head_of_line is true; else queues form at the outputs.
  Crossbar<MemoryRequest> RequestNet;
  Crossbar<SliceReply> ReplyNet;

  // Scratch of collect(): replies by the cycle in which they left.
  std::vector<uint32_t> Starts;
  std::vector<SliceReply> Ordered;
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_MEMORYSYSTEMIMPL_H
