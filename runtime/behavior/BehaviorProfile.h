//===- BehaviorProfile.h - What a kernel did, without its data --*- C++ -*-===//
//
// The profile that a synthetic kernel is made of (Yu et al., GPGPU-MiniBench,
// IEEE TC 2015, section 4.1): thread hierarchy, the divergence flow statistics
// graph (DFSG), opcode chains with their dependences, and arrays with the
// functions by which they are accessed. No value, constant, name or address of
// the original is in it.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_BEHAVIOR_BEHAVIORPROFILE_H
#define HEDDLE_BEHAVIOR_BEHAVIORPROFILE_H

#include "base/Dim3.h"

#include <array>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace heddle::behavior {

/// What an access function or a branch may depend on.
enum Key : unsigned {
  ThreadX,
  ThreadY,
  ThreadZ,
  BlockX,
  BlockY,
  BlockZ,
  Iteration0, ///< of the outermost loop around; more follow
  MaxLoopDepth = 4,
  /// Iterations of the thread in Loop::After of the innermost loop around that
  /// has one. Only accesses depend on it.
  EarlierTrips = Iteration0 + MaxLoopDepth,
  NumKeys,
};
using Keys = std::array<int64_t, NumKeys>;

inline constexpr unsigned None = UINT32_MAX;

/// A number times some bits of a thread or block index, (Key >> Shift) mod
/// 2^Bits: what remainders, quotients and exclusive ors with powers of two make
/// of an index.
struct Field {
  unsigned Key = ThreadX;
  unsigned Shift = 0, Bits = 1;
  int64_t Factor = 0;
  int64_t valueOf(int64_t Index) const {
    return Factor * (Index >> Shift & ((int64_t(1) << Bits) - 1));
  }
  std::tuple<unsigned, unsigned, unsigned, int64_t> tie() const {
    return {Key, Shift, Bits, Factor};
  }
  bool operator==(const Field &O) const { return tie() == O.tie(); }
  bool operator<(const Field &O) const { return tie() < O.tie(); }
};

/// Sum of Coefficients[k] * Keys[k] and of all fields.
int64_t valueOf(const Keys &Coefficients, const std::vector<Field> &Fields,
                const Keys &Where);

/// One instruction of a block's opcode chain. Registers are dense numbers that
/// say which instruction depends on which.
struct Instruction {
  std::string Opcode; ///< "fma.rn.f32"
  std::vector<unsigned> Defs, Uses;
  unsigned Access = None; ///< into Profile::Accesses
  int ByteOffset = 0;
  bool IsSpecial = false; ///< reads a special register
  unsigned Issued = 1;    ///< instructions that hardware issues for it
};

struct Block {
  uint64_t ECount = 0; ///< executions by all threads
  uint64_t WarpCount = 0;
  uint64_t SCount = 0; ///< executed barriers, by warps
  uint64_t LCount = 0; ///< iterations of its innermost loop, by all threads
  unsigned Loop = None;
  std::vector<Instruction> Chain;
  /// Executions by number of active lanes: 0, 1-8, 9-16, 17-24, 25-31, 32.
  std::array<uint64_t, 6> Lanes = {};
};

struct Edge {
  unsigned From = 0, To = 0;
  uint64_t Count = 0;     ///< OECount and IECount: times taken by all threads
  uint64_t WarpCount = 0; ///< times taken by at least one lane of a warp
  uint64_t TCount = 0;    ///< threads that took it at least once
};

/// How the lanes of a block divide between two successors.
struct Branch {
  unsigned Block = 0;
  unsigned Taken = 0, Other = 0; ///< successors
  /// If IsFixed, lanes with Lower <= V < Upper go to Taken, where V is the sum
  /// of Coefficients[k] * Keys[k], modulo Modulus unless that is 0.
  bool IsFixed = false;
  Keys Coefficients = {};
  int64_t Modulus = 0;
  int64_t Lower = 0, Upper = 0;
  /// Unless all are 0, a second sum, for which AlsoLower <= V < AlsoUpper too.
  Keys AlsoCoefficients = {};
  int64_t AlsoLower = 0, AlsoUpper = 0;
  /// Otherwise: shares of the warp executions in which all lanes, or some,
  /// take it, and the share of lanes of those.
  double AllTaken = 0, Mixed = 0, MixedLanes = 0;
};

struct Loop {
  unsigned Header = 0;
  unsigned Parent = None;
  unsigned Depth = 0; ///< 0: outermost
  /// A loop with the same parent that runs before and from which this one goes
  /// on, or None: groups of iterations and what is left over of them, which a
  /// compiler makes of one loop.
  unsigned After = None;
  std::vector<unsigned> Blocks;
  /// Executions of the header per entry of a warp, which runs as long as its
  /// longest thread: quantiles 0, 1/16 ... 1.
  std::array<uint64_t, 17> Trips = {};
  double MeanTrips = 0; ///< per entry of a thread
  bool TripsVaryInWarp = false;
  /// The same per entry of a thread: means of equal shares of all entries, from
  /// the least to the most.
  std::array<double, 64> ThreadTrips = {};
  /// Where the threads of a block make the same trips, but not all blocks do,
  /// and the grid has one dimension: those of each block of an outermost loop.
  std::vector<uint32_t> BlockTrips;
  /// If TripsAffine, a thread's trips are TripConstant + sum
  /// TripCoefficients[k] * Keys[k], of threads, blocks and outer iterations.
  bool TripsAffine = false;
  int64_t TripConstant = 0;
  Keys TripCoefficients = {};
  bool isConstant() const { return Trips.front() == Trips.back(); }
};

enum class Space { Global, Shared, Const, Local };

struct Array {
  Space Where = Space::Global;
  uint64_t SizeBytes = 0;
};

/// Offset = Constant + sum Coefficient[k] * Keys[k] + all fields if affine,
/// else drawn from [Least, Most] so that requests touch as many sectors. With a
/// Modulus the affine sum goes around in Modulus bytes that begin at Least;
/// with Near bytes, where it is not affine, up to so much comes on top.
struct Access {
  unsigned Array = None;
  unsigned Bytes = 4; ///< per lane
  bool IsStore = false;
  uint64_t Requests = 0; ///< by warps
  bool IsAffine = false;
  double Explained = 0; ///< share of the sampled addresses that the fit gives
  int64_t Constant = 0;
  Keys Coefficients = {};
  std::vector<Field> Fields;
  uint64_t Modulus = 0;           ///< a power of two, or 0; not with fields
  uint64_t Near = 0;              ///< 0: no sum is near the offsets
  int64_t Least = 0, Most = 0;    ///< offsets of first bytes
  double SectorsPerRequest = 0;   ///< of 32 bytes
  double ConflictsPerRequest = 0; ///< shared: bank-conflict replays, 32 banks
  /// The commonest distance from a thread's access to its next one in the same
  /// entry of the innermost loop, and how common it is.
  int64_t Step = 0;
  double StepShare = 0;
  /// The same from a lane to the next active one.
  int64_t LaneStride = 0;
  double LaneShare = 0;
  /// An earlier access, of the same block or of one of the loop through which
  /// each iteration passes before, to the same array, that was nearly always
  /// LeaderDistance bytes before this one, in the same lane; or None.
  unsigned Leader = None;
  int64_t LeaderDistance = 0;
  /// Sectors of 32 bytes that were touched at all, and the entropy of the
  /// touches over them, in bits: log2 of FootprintSectors if all are alike.
  uint64_t FootprintSectors = 0;
  double SectorEntropy = 0;
  /// Where a thread, each time that it enters the innermost loop, stays in a
  /// neighbourhood and comes back to its lines of 128 bytes: how many there
  /// are, how many sectors of 32 bytes, and the bytes from the first to the
  /// last address. Else 0.
  double OwnLines = 0, OwnSectors = 0;
  int64_t OwnBytes = 0;
  /// Whether the lanes of a warp move from address to address there by the same
  /// steps.
  bool OwnTogether = false;
};

struct Profile {
  Dim3 Grid, Threads;
  unsigned RegistersPerThread = 0;
  uint64_t SharedBytes = 0; ///< per thread block, static and dynamic
  uint64_t WarpInstructions = 0, ThreadInstructions = 0;
  std::vector<Block> Blocks; ///< executed ones; 0 is the entry
  std::vector<Edge> Edges;
  std::vector<Branch> Branches;
  std::vector<Loop> Loops; ///< outer ones before inner ones
  std::vector<Array> Arrays;
  std::vector<Access> Accesses;
  unsigned NumRegisters = 0;
  /// What the launch depends on that its source does not say, a note each.
  std::vector<std::string> Assumptions;
};

/// Null, or what of \p P is empty, too large or points nowhere.
const char *findFault(const Profile &P);
/// Null, or what lies beyond the memory of any device. \p P has no other fault.
const char *findFarNumber(const Profile &P);

} // namespace heddle::behavior

#endif // HEDDLE_BEHAVIOR_BEHAVIORPROFILE_H
