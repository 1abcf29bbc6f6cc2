//===- MemoryPath.h - From an SM's port to DRAM and back --------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_MEMORYPATH_H
#define HEDDLE_INTERVAL_MEMORYPATH_H

#include "interval/IntervalProfile.h"
#include "memory/CommonLines.h"
#include "memory/LinkCost.h"
#include "memory/WriteBatches.h"
#include "timing/SMGroup.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace heddle::interval {

/// What an SM of the timing model, or those of one cluster, find behind their
/// ports, without the other SMs: their share of interconnect, L2 and DRAM as
/// servers that know when they are free again. Whether L2 or DRAM has a sector
/// is the profile's knowledge. All busy SMs, or groups of them, are taken to do
/// the same at the same time, as long as they have anything to do.
class MemoryPath final : public timing::FarMemory {
public:
  MemoryPath(const IntervalProfile &Profile, std::span<const SMStream> Group,
             const arch::GPUSpec &Spec);

  memory::MemoryResponse serve(const memory::MemoryRequest &R) override;
  Cycle minRoundTrip() const override { return RoundTrip; }

  /// This SM, or group, has issued so many instructions: of it and of others
  /// only those CTA slots ask for anything that have more to do.
  void setProgress(uint64_t Issued);

  /// Requests are those of the whole launch from its beginning on, when nothing
  /// is dirty in L2; else of any part of it.
  void beginWithCleanL2() { HeldBack = Profile.HeldBackSectors; }

  double dramWork() const { return DRAMWork; } ///< cycles
  double l2Work() const { return std::ranges::max(L2.Work); }
  double atomicWork() const { return std::ranges::max(Atomics.Work); }
  /// When what the first atomic asks for may be back; 0 without one. All others
  /// of its place wait for their turn after it.
  double firstAtomic() const { return FirstAtomic; }

private:
  struct Server {
    double FreeAt = 0;
    /// Serves one request of this SM, for which \p Cycles are taken; returns
    /// the wait.
    double serve(double At, double Cycles) {
      double Wait = std::max(0.0, FreeAt - At);
      FreeAt = At + Wait + Cycles;
      return Wait;
    }
    /// The same where the others came earlier; returns when half of the cycles
    /// are over, or \p At.
    double serve(double At, double Cycles, memory::HeadStart &Before) {
      FreeAt = Before.begin(FreeAt, At, Cycles) + Cycles;
      return std::max(At, FreeAt - Cycles / 2);
    }
  };
  /// The busiest slice of L2 with its links. What comes in, what is looked up
  /// and what goes out have a queue each, so that reads and writes do not hold
  /// each other up. Queues in a row add up to that of the slowest, since what
  /// it lets through does not pile up behind it.
  struct SliceQueue {
    std::array<Server, 3> Steps;
    std::array<double, 3> Work{};
    /// Serves \p Requests that take so many cycles at each step; returns the
    /// time until half of them have passed.
    double serve(double At, double Requests,
                 const std::array<double, 3> &Cycles);
  };
  /// The same for requests that do not come in order: time in bins, each of
  /// which holds as much work as it is long.
  class Calendar {
  public:
    double serve(double At, double Cycles);

  private:
    static constexpr double BinCycles = 16;
    static constexpr size_t NumBins = 4096;
    std::vector<float> Used = std::vector<float>(NumBins, 0.0f);
    std::vector<uint64_t> Of = std::vector<uint64_t>(NumBins, 0);
  };

  /// What DRAM has to do for a request, in sectors of L2.
  struct Traffic {
    double Awaited = 0; ///< delivered to the SM
    double Across = 0;  ///< share of requests that go to the other half of L2
    double Read = 0, Written = 0; ///< by DRAM, on average
    bool Common = false;          ///< all SMs ask for the line
  };
  Traffic trafficOf(const memory::MemoryRequest &R);
  double writtenBack(double Sectors);
  bool goesAcross(uint64_t Line, bool FromDRAM);
  /// As many SMs as this one as there are others' requests.
  double busySMs() const { return BusyGroups * double(Fetches.size()); }
  double throughDRAM(double Now, const memory::MemoryRequest &R,
                     const Traffic &T);

  const arch::GPUSpec &Spec;
  const IntervalProfile &Profile;
  const unsigned First;               ///< number of the group's first SM
  const std::vector<uint64_t> &Slots; ///< instructions of its CTA slots
  size_t Ended = 0;                   ///< of these
  double OwnRequests = 0, Sent = 0;   ///< of the group for L2; so far
  uint64_t Reached = 0;  ///< instructions that the others have had then ...
  uint64_t Together = 0; ///< and that all have had together
  std::vector<FetchTable::Cursor> Fetches; ///< by SM of the group
  memory::AddressMap Map;
  memory::LinkCost Cost;
  double PerL2Cycle; ///< core cycles of one of L2's
  Cycle RoundTrip;
  double BusyGroups = 1;   ///< that ask as this one does
  double AtomicGroups = 1; ///< turns of all atomics over this one's
  double SliceShare = 1, AtomicShare = 1; ///< of the busiest slice
  double ChannelExcess = 1;               ///< busiest DRAM channel over mean
  double DRAMBytesPerCycle = 1;           ///< all channels, core cycles
  double DRAMExtra = 0; ///< core cycles in the DRAM itself, without queue
  double WriteQueueCycles = 0; ///< of writes that wait behind L2
  double ReplyPerByte = 0, SlicePerByte = 0;
  /// Cycles of the busiest slice's port for what comes in, over those of all
  /// that it serves.
  double ComingIn = 1, AtomicsComingIn = 1;
  SliceQueue L2, Atomics;
  Server DRAM;
  memory::WriteBatches Batches;
  std::vector<Calendar> Reply;             ///< by SM of the group
  std::vector<memory::CommonLines> Common; ///< by SM of the group
  memory::HeadStart Before;
  double DRAMWork = 0, FirstAtomic = 0;
  /// Share of what this SM reads near by that another has in the other half of
  /// L2, and what is left over of such reads.
  double Farther = 0, AcrossDebt = 0;
  /// Sectors that all SMs write before L2 writes back, of those left.
  std::optional<double> HeldBack;
};

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_MEMORYPATH_H
