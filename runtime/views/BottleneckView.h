//===- BottleneckView.h - What to change first ------------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_BOTTLENECKVIEW_H
#define HEDDLE_VIEWS_BOTTLENECKVIEW_H

#include "timing/SimulationResult.h"
#include "trace/CodeTable.h"
#include "views/DependenceGraph.h"
#include "views/View.h"

#include <vector>

namespace heddle::views {

/// The costliest waits of a launch, each traced back to its cause: from the
/// instructions that wait along the registers to the load that they wait for
/// and on to what that load's address waits for (DependenceGraph.h). A wait at
/// a barrier leads to the costliest wait of the warps that come late.
///
/// The gain is a bound: warp cycles without the waits, but no less time than
/// the busiest unit needs. JSON key: bottlenecks.
class BottleneckView : public View {
public:
  static constexpr unsigned MaxBottlenecks = 5;
  static constexpr unsigned MaxChain = 12;
  /// Below this share of warp cycles nothing is reported.
  static constexpr double LeastShare = 0.01;

  /// The two must outlive the view. \p Expands: DependenceGraph's.
  BottleneckView(const timing::SimulationResult &Result,
                 const trace::CodeTable &Code, bool Expands);
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  struct Link {
    uint32_t Inst = 0;
    std::string Role; ///< "waits", "cause", "address", "late warps", ...
    double Share = 0; ///< of warp cycles that this instruction waits
    std::vector<uint32_t> After; ///< instructions of the chain it depends on
  };
  struct Bottleneck {
    std::string What;  ///< e.g. "global load"
    std::string Place; ///< of the cause, empty if that is a whole unit
    timing::Stall State = timing::Stall::Wait;
    uint32_t Cause = 0;
    uint64_t Cycles = 0;           ///< warp cycles
    double Share = 0;              ///< of all warp cycles
    std::vector<uint32_t> Waiting; ///< instructions, costliest first
    std::vector<Link> Chain;
    double Gain = 0;       ///< upper bound of the share of time saved, 0..1
    std::string ThenLimit; ///< what would limit the launch then
    bool LoopCarried = false;
  };

  void find();
  void trace(Bottleneck &B) const;
  void estimate(Bottleneck &B) const;

  const timing::SimulationResult &Result;
  const trace::CodeTable &Code;
  const DependenceGraph Graph;
  std::vector<Bottleneck> Found;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_BOTTLENECKVIEW_H
