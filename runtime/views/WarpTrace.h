//===- WarpTrace.h - A simulation as a Chrome trace -------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_WARPTRACE_H
#define HEDDLE_VIEWS_WARPTRACE_H

#include "base/Result.h"
#include "timing/TimingListener.h"
#include "trace/CodeTable.h"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace heddle::views {

/// Records what every warp does and writes it in the Chrome trace event format
/// (JSON), which Perfetto and chrome://tracing open: a process is an SM, a
/// thread one of its warp slots, a slice the state of a warp (Stall.h), a
/// counter the instructions that the SM issues per cycle. One microsecond of
/// the trace is one core cycle.
///
/// Neither memory nor file grow with the launch. Where the slices would become
/// too many the resolution is halved: a bin of 2, 4, ... cycles shows the state
/// that most of it was spent in. From 64 cycles on SMs are left out instead,
/// every second one each time, and time is halved again once one is left.
class WarpTrace : public timing::TimingListener {
public:
  /// \p MaxBytes bounds the file; below 64 KiB counts as that.
  explicit WarpTrace(uint64_t MaxBytes);
  void onEvents(std::span<const timing::Event> Events) override;

  using Sink = std::function<Result<void>(std::string_view)>;
  /// Once, after the simulation.
  Result<void> write(const trace::CodeTable &Code, const std::string &Kernel,
                     const std::string &GPU, const Sink &Out);

  uint64_t resolutionCycles() const { return Resolution; }
  /// 1: all SMs are in the trace, 2: every second one, ...
  unsigned everyNthSM() const { return EveryNth; }

private:
  static constexpr uint32_t Mixed = ~uint32_t(0);
  struct Slice {
    uint64_t Begin = 0, Cycles = 0, Block = 0;
    uint32_t Inst = 0; ///< Mixed: several
    uint16_t Warp = 0;
    timing::Stall State = timing::Stall::Selected;

    uint64_t end() const { return Begin + Cycles; }
    bool sameAs(const Slice &S) const {
      return Block == S.Block && Warp == S.Warp && State == S.State;
    }
  };
  /// One warp slot of an SM.
  struct Lane {
    std::vector<Slice> Slices;
    bool Taken = false;
  };
  struct SM {
    std::vector<Lane> Lanes;
    std::map<std::pair<uint64_t, unsigned>, unsigned> Slots; ///< block, warp
    std::vector<uint32_t> Issued;                            ///< by bin of time
  };

  Lane &laneOf(SM &S, const timing::Event &E);
  void endBlock(SM &S, uint64_t Block);
  void append(Lane &L, const Slice &New);
  void countIssue(SM &S, uint64_t Time);
  void coarsen();
  void resampleAll();
  void resample(Lane &L);
  void recount();

  uint64_t MaxSlices;
  uint64_t NumSlices = 0;
  uint64_t Resolution = 1;
  unsigned EveryNth = 1;
  uint64_t BinCycles = 1; ///< of SM::Issued
  std::map<unsigned, SM> SMs;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_WARPTRACE_H
