//===- Timeline.h - Warps of one SM, cycle by cycle -------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_TIMELINE_H
#define HEDDLE_VIEWS_TIMELINE_H

#include "timing/TimingListener.h"
#include "trace/CodeTable.h"
#include "views/View.h"

#include <map>
#include <vector>

namespace heddle::views {

/// What the timeline shows: some warps of one SM for a number of cycles.
struct TimelineWindow {
  static constexpr unsigned MaxWarps = 64;
  static constexpr uint64_t MaxCycles = 2000;
  static constexpr uint64_t Busiest = ~uint64_t(0);

  unsigned SM = 0;
  unsigned Warps = 16;
  uint64_t Cycles = 100;
  /// Cycle of the launch at which it begins. Busiest: where these warps issue
  /// most, among the SM's first Horizon cycles.
  uint64_t Begin = Busiest;
};

/// Records the states of the warps that are resident in a window of time. The
/// rows are the warps in the order of their first event within the window.
class Timeline : public timing::TimingListener {
public:
  static constexpr uint8_t Absent = timing::NumStalls;
  static constexpr uint64_t Horizon = 1 << 16; ///< cycles

  explicit Timeline(const TimelineWindow &Window) : Window(Window) {}
  void onEvents(std::span<const timing::Event> Events) override;
  /// Once, after the simulation: settles the window.
  void finish();

  struct Row {
    uint64_t Block = 0;
    unsigned Warp = 0;
    std::vector<uint8_t> States; ///< Stall by cycle, Absent where not resident
    /// Instructions that issued within the window: cycle from its begin, index.
    std::vector<std::pair<uint32_t, uint32_t>> Issues;
  };
  const TimelineWindow &window() const { return Window; }
  const std::vector<Row> &rows() const { return Rows; }

private:
  Row *rowOf(const timing::Event &E);
  void fill(Row &R, uint64_t From, uint64_t To, timing::Stall State);

  TimelineWindow Window;
  uint64_t Begin = 0, End = 0; ///< of what is recorded; equal: nothing yet
  std::map<std::pair<uint64_t, unsigned>, size_t> Index; ///< block, warp
  std::vector<Row> Rows;
};

/// A timeline in the manner of llvm-mca: rows are warps, columns cycles, one
/// letter per state. JSON key: timeline.
class TimelineView : public View {
public:
  /// \p T must outlive the view.
  explicit TimelineView(const Timeline &T) : T(T) {}
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  const Timeline &T;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_TIMELINE_H
