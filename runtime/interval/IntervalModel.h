//===- IntervalModel.h - Time of a launch from its intervals ----*- C++ -*-===//
//
// docs/IntervalModel.md has the equations.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_INTERVAL_INTERVALMODEL_H
#define HEDDLE_INTERVAL_INTERVALMODEL_H

#include "arch/ModelContract.h"
#include "arch/Roofline.h"
#include "base/Result.h"
#include "interval/CPIStack.h"
#include "interval/IntervalProfile.h"

#include <optional>
#include <string>
#include <string_view>

namespace heddle::interval {

/// The five of GPUMech (table II) and Heddle's own.
enum class Model : uint8_t { Naive, Markov, MT, MTMSHR, GPUMech, Heddle };
inline constexpr unsigned NumModels = 6;
std::string_view modelName(Model M);
std::optional<Model> modelOf(std::string_view Name);

struct IntervalEstimate {
  Model Which = Model::Heddle;
  std::string GPU;
  /// Fields of the machine that the user set and that the model does not read.
  std::vector<std::string> Ignored;
  double Cycles = 0;        ///< of the kernel, and CountedLaunch
  double LaunchCycles = 0;  ///< launch overhead
  double CountedLaunch = 0; ///< of it, in Cycles (launch.in_cycles)
  double TimeUs = 0, CoreMHz = 0;
  double IPC = 0;     ///< warp instructions per cycle, whole GPU
  double CoreCPI = 0; ///< cycles of a busy SM per warp instruction on it
  CPIStack Stack{};   ///< sums to CoreCPI
  CategoryStack Categories{}; ///< the same cycles; Heddle's model only
  /// Warp-cycles per warp instruction by timing::Stall; the same.
  std::array<double, timing::NumStalls> States{};
  uint64_t Intervals = 0;                      ///< of the representative warp
  double IntervalInsts = 0, IntervalStall = 0; ///< means
  uint64_t RepresentativeInsts = 0;
  double DRAMBusy = 0, L2Busy = 0; ///< 0..1
  uint64_t ReplayedInsts = 0;
  uint64_t TraceInsts = 0; ///< that the trace of these holds: as many
  uint64_t IssueSlots = 0; ///< that the replayed ones took
  size_t LastSM =
      0; ///< of those that the profile keeps, the one that ends last
  arch::Roofline Roof;
};

struct EstimateSettings {
  /// Warp instructions of an SM that Heddle's model replays; the rest goes on
  /// at their rate. 0: as many as the profile holds for it.
  uint64_t ReplayInsts = 0;
  /// Of the SMs that the profile keeps, the only one to replay.
  std::optional<size_t> OnlySM = std::nullopt;
};

/// What each model reads of a machine.
extern const arch::ModelContract Contracts[NumModels];

/// Estimates the launch of \p Profile on \p Spec, which may differ from the
/// machine of collection in all but the fields of collectionKey(). Fails,
/// naming the field, for machines on which the model has no meaning.
Result<IntervalEstimate> estimate(const IntervalProfile &Profile,
                                  const arch::GPUSpec &Spec, Model Which,
                                  const EstimateSettings &Settings = {});

/// Estimates by Heddle's model on machine after machine with one profile: the
/// first as estimate() does, each further one by how its time relates to the
/// first's over a short part of the launch that is replayed on both, on the SM
/// that ends last on the first. The error of a part, which leaves out what
/// comes later, is about the same on both.
class MachineComparison {
public:
  /// \p Profile must outlive this.
  MachineComparison(const IntervalProfile &Profile, const arch::GPUSpec &First)
      : Profile(Profile), First(First) {}
  Result<IntervalEstimate> first();
  Result<IntervalEstimate> further(const arch::GPUSpec &Spec);

private:
  /// Warp instructions of an SM that are replayed on both machines.
  static constexpr uint64_t PartInsts = 10'000;

  const IntervalProfile &Profile;
  arch::GPUSpec First;
  std::optional<IntervalEstimate> Whole, Part; ///< of First
};

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_INTERVALMODEL_H
