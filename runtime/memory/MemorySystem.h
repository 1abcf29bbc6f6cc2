//===- MemorySystem.h - All memory behind the SMs ---------------*- C++ -*-===//
//
// Interconnect, L2 slices and DRAM channels. Nothing in it is faster than
// minRoundTrip(), so SMs run alone in windows of that length: what an SM sends
// within a window is answered after the window ends. Between windows the
// requests of all SMs are sorted and handed over, and the memory system moves
// on to the end of the window.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_MEMORY_MEMORYSYSTEM_H
#define HEDDLE_MEMORY_MEMORYSYSTEM_H

#include "arch/GPUSpec.h"
#include "base/Result.h"
#include "base/Units.h"
#include "memory/Cache.h"
#include "memory/LinkCost.h"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace heddle::memory {

enum class RequestKind : uint8_t {
  Read,
  Write,     ///< answered when L2 (or DRAM without L2) has taken it
  Atomic,    ///< answered with the old value
  Reduction, ///< an atomic without result: answered like a write
};

/// Some sectors of one line, from one SM.
struct MemoryRequest {
  uint64_t Line = 0;     ///< address of the line, a multiple of L2's line size
  Cycle Sent = 0;        ///< when it left the SM's port
  uint64_t Token = 0;    ///< the SM's own, comes back with the response
  uint32_t Sequence = 0; ///< per SM, in sending order
  uint16_t SM = 0;
  uint16_t SectorMask = 0; ///< sectors of L2's sector size
  RequestKind Kind = RequestKind::Read;
  uint8_t Lanes = 0;       ///< atomics: lane operations
  uint8_t SameAddress = 0; ///< atomics: most lanes on one address
  bool FullSectors = true; ///< writes: every byte of the sectors is written
  bool BySector = false;   ///< reads: L2 takes it apart and answers each sector
  bool Common = false;     ///< reads of code and constants
  uint32_t Inst = NoInst;  ///< whose access it is, by the code table

  static constexpr uint32_t NoInst = ~0u; ///< fetches of code

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Line, Sent, Token, Sequence, SM, SectorMask, Kind, Lanes,
           SameAddress, FullSectors, BySector, Common, Inst] = *this;
    A(Line, Sent, Token, Sequence, SM, SectorMask, Kind, Lanes, SameAddress,
      FullSectors, BySector, Common, Inst);
  }

  /// The order in which the memory system sees requests.
  friend bool operator<(const MemoryRequest &A, const MemoryRequest &B) {
    if (A.Sent != B.Sent)
      return A.Sent < B.Sent;
    if (A.SM != B.SM)
      return A.SM < B.SM;
    return A.Sequence < B.Sequence;
  }
};

/// Calls \p Do with each request that L2 answers for \p R: one for each sector
/// if it takes \p R apart.
template <class Callback>
void forEachPart(const MemoryRequest &R, Callback Do) {
  if (!R.BySector)
    return Do(R);
  MemoryRequest Part = R;
  for (uint32_t Rest = R.SectorMask; Rest; Rest &= Rest - 1) {
    Part.SectorMask = uint16_t(Rest & -Rest);
    Do(Part);
  }
}

struct MemoryResponse {
  uint64_t Token = 0;
  Cycle Due = 0; ///< when the SM has it
  uint16_t SM = 0;
  RequestKind Kind = RequestKind::Read;
  bool FromDRAM = false; ///< L2 did not have all of it

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Token, Due, SM, Kind, FromDRAM] = *this;
    A(Token, Due, SM, Kind, FromDRAM);
  }
};

struct MemoryCounters {
  // Sectors, by what the first look into L2 found.
  uint64_t L2Reads = 0, L2Writes = 0, L2Atomics = 0;
  uint64_t L2Hits = 0, L2PendingHits = 0, L2Misses = 0;
  uint64_t L2Evictions = 0;       ///< lines
  uint64_t L2Writebacks = 0;      ///< sectors
  uint64_t L2MSHRStallCycles = 0; ///< a slice waited for an MSHR or a way
  uint64_t L2BusyCycles = 0;      ///< summed over slices
  uint64_t DRAMReads = 0, DRAMWrites = 0; ///< column commands
  uint64_t DRAMReadBytes = 0, DRAMWriteBytes = 0;
  uint64_t DRAMActivates = 0, DRAMRowHits = 0;
  uint64_t DRAMBusyCycles = 0;  ///< DRAM clock, summed over channels
  uint64_t DRAMQueueCycles = 0; ///< DRAM clock, summed over requests
  Cycle DRAMEnd = 0;            ///< DRAM clock, of the last data
  uint64_t IcntRequestPackets = 0, IcntReplyPackets = 0;
  uint64_t IcntBytes = 0;
  uint64_t IcntQueueCycles = 0; ///< L2 clock, summed over replies

  MemoryCounters &operator+=(const MemoryCounters &);

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[L2Reads, L2Writes, L2Atomics, L2Hits, L2PendingHits, L2Misses,
           L2Evictions, L2Writebacks, L2MSHRStallCycles, L2BusyCycles,
           DRAMReads, DRAMWrites, DRAMReadBytes, DRAMWriteBytes, DRAMActivates,
           DRAMRowHits, DRAMBusyCycles, DRAMQueueCycles, DRAMEnd,
           IcntRequestPackets, IcntReplyPackets, IcntBytes, IcntQueueCycles] =
        *this;
    A(L2Reads, L2Writes, L2Atomics, L2Hits, L2PendingHits, L2Misses,
      L2Evictions, L2Writebacks, L2MSHRStallCycles, L2BusyCycles, DRAMReads,
      DRAMWrites, DRAMReadBytes, DRAMWriteBytes, DRAMActivates, DRAMRowHits,
      DRAMBusyCycles, DRAMQueueCycles, DRAMEnd, IcntRequestPackets,
      IcntReplyPackets, IcntBytes, IcntQueueCycles);
  }
};

/// What L2 holds between launches.
struct L2Contents {
  std::vector<Cache> Slices; ///< by partition; none: cold
  std::string Kernel;        ///< whose code it holds
  uint64_t CodeBytes = 0;

  uint64_t fingerprint() const;
  /// All that fingerprint() sees, compressed.
  std::vector<uint8_t> encode() const;
  /// What encode() wrote on a machine like \p Spec. Fails for other bytes, and
  /// where the contents have another \p Fingerprint.
  static Result<L2Contents> decode(std::span<const uint8_t> Bytes,
                                   uint64_t Fingerprint,
                                   const arch::GPUSpec &Spec);
};

class MemorySystem {
public:
  explicit MemorySystem(const arch::GPUSpec &Spec);
  ~MemorySystem();

  /// The length of a window: a request sent at T is never due before
  /// T + minRoundTrip().
  Cycle minRoundTrip() const;

  /// Marks the sectors of [Address, Address + Bytes) clean and valid in L2, as
  /// a copy from the host leaves them, in address order.
  /// Returns how many of them were not there.
  unsigned preload(uint64_t Address, uint64_t Bytes);
  /// The same for what \p SM reads, or writes, there.
  unsigned warm(uint64_t Address, uint64_t Bytes, unsigned SM, bool Writes);
  /// Forgets the sectors of that range.
  void drop(uint64_t Address, uint64_t Bytes);

  /// L2's contents for the next launch; this ends here. Nothing is under way.
  std::vector<Cache> takeL2();
  /// Begins with what takeL2() of the same machine gave.
  void putL2(std::vector<Cache> Slices);

  /// Runs N independent pieces of work, f(0) ... f(N - 1), in any order.
  using Parallel =
      std::function<void(unsigned N, const std::function<void(unsigned)> &)>;

  /// Takes the requests of the window that ends at \p WindowEnd, sorted by
  /// operator<, all with Sent < WindowEnd and none before the last window's
  /// end. Appends the responses that are final to \p Out, those of one SM in
  /// the order in which they are due; each is due at or after WindowEnd.
  /// Responses may come calls later. Windows are minRoundTrip() long at most,
  /// except that an empty one may reach up to nextDue().
  void process(std::span<const MemoryRequest> Requests, Cycle WindowEnd,
               std::vector<MemoryResponse> &Out, const Parallel &Run = {});

  /// No response that is still to come is due before this; NeverCycle if there
  /// is none. Lets a caller whose SMs all wait skip ahead.
  Cycle nextDue() const;
  bool idle() const { return nextDue() == NeverCycle; }

  MemoryCounters counters() const;
  /// Of the caches of all GPCs, in lines.
  CacheCounters gpcCounters() const;

  /// Of a saved state: all that changes while the model runs.
  template <class Archive> void serialize(Archive &A);

private:
  struct Impl;
  std::unique_ptr<Impl> I;
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_MEMORYSYSTEM_H
