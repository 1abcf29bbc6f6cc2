//===- BlockView.cpp - How long thread blocks run -------------------------===//

#include "views/EventView.h"
#include "views/TextTable.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

using namespace heddle;
using timing::Event;
using timing::EventKind;

namespace {

/// Shortest, median and longest time of a block, and the tail: what remains
/// when the last block has started, while SMs run empty. JSON key: blocks.
class BlockView final : public views::EventView {
public:
  timing::EventSet wants() const override {
    return only(EventKind::BlockStart) | only(EventKind::BlockEnd);
  }
  void onEvents(std::span<const Event> Events) override {
    for (const Event &E : Events)
      if (E.Kind == EventKind::BlockStart) {
        Starts[E.Block] = E.Time;
        LastStart = std::max(LastStart, E.Time);
      } else if (E.Kind == EventKind::BlockEnd) {
        Durations.push_back(E.Time - Starts[E.Block]);
        LastEnd = std::max(LastEnd, E.Time);
      }
  }

  std::string text() const override {
    if (Durations.empty())
      return "";
    const std::vector<uint64_t> Sorted = sorted();
    views::TextTable Table("ll");
    Table.line("duration", "{} to {} cycles, median {}",
               views::grouped(Sorted.front()), views::grouped(Sorted.back()),
               views::grouped(Sorted[Sorted.size() / 2]));
    Table.line("tail", "{} of {} cycles, after the last start",
               views::grouped(tail()), views::grouped(LastEnd));
    return "Thread blocks\n" + Table.str();
  }
  void addTo(views::JSON &Out) const override {
    const std::vector<uint64_t> Sorted = sorted();
    Out["blocks"] = {{"count", Sorted.size()}};
    if (!Sorted.empty())
      Out["blocks"].update({{"shortest", Sorted.front()},
                            {"median", Sorted[Sorted.size() / 2]},
                            {"longest", Sorted.back()},
                            {"tail", tail()}});
  }

private:
  /// Of a launch that was cut short, blocks may start after the last end.
  uint64_t tail() const { return LastEnd - std::min(LastEnd, LastStart); }
  std::vector<uint64_t> sorted() const {
    std::vector<uint64_t> Out = Durations;
    std::ranges::sort(Out);
    return Out;
  }

  std::unordered_map<uint64_t, uint64_t> Starts; ///< cycle, by block
  std::vector<uint64_t> Durations;               ///< cycles
  uint64_t LastStart = 0, LastEnd = 0;
};

} // namespace

std::unique_ptr<views::EventView> views::createBlockView() {
  return std::make_unique<BlockView>();
}
