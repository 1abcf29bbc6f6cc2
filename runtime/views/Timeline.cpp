//===- Timeline.cpp - Warps of one SM, cycle by cycle ---------------------===//

#include "views/Timeline.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

using namespace heddle::timing;

namespace heddle::views {

//===----------------------------------------------------------------------===//
// Recording
//===----------------------------------------------------------------------===//

Timeline::Row *Timeline::rowOf(const Event &E) {
  auto [It, IsNew] = Index.try_emplace({E.Block, E.Warp}, Rows.size());
  if (!IsNew)
    return &Rows[It->second];
  if (Rows.size() >= Window.Warps) {
    Index.erase(It);
    return nullptr;
  }
  Row New;
  New.Block = E.Block;
  New.Warp = E.Warp;
  Rows.push_back(std::move(New));
  return &Rows.back();
}

void Timeline::fill(Row &R, uint64_t From, uint64_t To, Stall State) {
  From = std::max(From, Begin) - Begin;
  To = std::min(To, End) - Begin;
  if (R.States.size() < To)
    R.States.resize(To, Absent);
  std::fill(R.States.begin() + From, R.States.begin() + To, uint8_t(State));
}

void Timeline::onEvents(std::span<const Event> Events) {
  if (Events.empty() || Events.front().SM != Window.SM)
    return;
  for (const Event &E : Events) {
    bool IsIssue = E.Kind == EventKind::Issue;
    if (!IsIssue && E.Kind != EventKind::StallInterval)
      continue;
    if (End == Begin) {
      bool Search = Window.Begin == TimelineWindow::Busiest;
      if (Search && !IsIssue)
        continue;
      Begin = Search ? E.Time : Window.Begin;
      End = Begin + (Search ? Horizon : Window.Cycles);
    }
    uint64_t From = E.Time - std::min(E.Time, E.Duration);
    // An interval that ends where the recording begins does not touch it.
    if (From >= End || E.Time + IsIssue <= Begin)
      continue;
    Row *R = rowOf(E);
    if (!R)
      continue;
    if (IsIssue) {
      fill(*R, E.Time, E.Time + 1, Stall::Selected);
      R->Issues.emplace_back(E.Time - Begin, E.Inst);
    } else {
      fill(*R, From, E.Time, E.Reason);
    }
  }
}

void Timeline::finish() {
  uint64_t Offset = 0;
  if (Window.Begin == TimelineWindow::Busiest) {
    // Issues before each cycle; the first of the busiest windows.
    size_t Length = 0;
    for (const Row &R : Rows)
      Length = std::max(Length, R.States.size());
    std::vector<uint64_t> Before(Length + 1);
    for (const Row &R : Rows)
      for (auto [Cycle, Inst] : R.Issues)
        ++Before[Cycle + 1];
    for (size_t C = 0; C < Length; ++C)
      Before[C + 1] += Before[C];
    uint64_t Most = 0;
    for (size_t C = 0; C < Length; ++C) {
      uint64_t Issues =
          Before[std::min<size_t>(C + Window.Cycles, Length)] - Before[C];
      if (Issues > Most) {
        Most = Issues;
        Offset = C;
      }
    }
    Window.Begin = Begin + Offset;
  }
  for (Row &R : Rows) {
    R.States.resize(std::max<size_t>(R.States.size(), Offset), Absent);
    R.States.erase(R.States.begin(), R.States.begin() + Offset);
    R.States.resize(Window.Cycles, Absent);
    std::erase_if(R.Issues, [&](auto &I) {
      bool Outside = I.first < Offset || I.first >= Offset + Window.Cycles;
      I.first -= Offset;
      return Outside;
    });
  }
  std::erase_if(Rows, [](const Row &R) {
    return std::ranges::all_of(R.States, [](uint8_t S) { return S == Absent; });
  });
}

//===----------------------------------------------------------------------===//
// Printing
//===----------------------------------------------------------------------===//

/// By Stall; capitals are memory and synchronisation.
static constexpr std::array<char, NumStalls> Letters = {
    'I', '=', 'e', 'L', 'S', 'B', 'F', 'p', 'g',
    'm', 't', 'c', 'n', 'b', 'd', 'D', 'z'};

static char letterOf(uint8_t State) {
  return State < NumStalls ? Letters[State] : ' ';
}

static std::string legend(Stall State) {
  switch (State) {
  case Stall::Selected:
    return "issues (selected)";
  case Stall::NotSelected:
    return "ready, another warp issues (not_selected)";
  case Stall::Wait:
    return "executes: a result of fixed latency is awaited (wait)";
  default:
    return "waits: " + std::string(stallName(State));
  }
}

/// A mark and the cycle at every tenth column.
static std::string ruler(uint64_t Begin, uint64_t Cycles) {
  static constexpr unsigned Step = 10;
  std::string Text;
  while (Text.size() < Cycles) {
    std::string Mark = "|" + std::to_string(Begin + Text.size());
    Text += Mark;
    Text.append(Step - Mark.size() % Step, ' ');
  }
  Text.erase(Text.find_last_not_of(' ') + 1);
  return Text;
}

std::string TimelineView::text() const {
  const TimelineWindow &W = T.window();
  if (T.rows().empty())
    return fmt::format("Timeline: SM {} has no warps in this window\n", W.SM);
  std::string Text = fmt::format("Timeline of SM {}, cycles {} to {}\n", W.SM,
                                 W.Begin, W.Begin + W.Cycles - 1);
  Text += fmt::format("  {:<14} {}\n", "block.warp", ruler(W.Begin, W.Cycles));
  std::array<bool, NumStalls> Used{};
  for (const Timeline::Row &R : T.rows()) {
    std::string Line =
        fmt::format("  {:<14} ", fmt::format("{}.{}", R.Block, R.Warp));
    for (uint8_t State : R.States) {
      Line += letterOf(State);
      if (State < NumStalls)
        Used[State] = true;
    }
    Line.erase(Line.find_last_not_of(' ') + 1);
    Text += Line + "\n";
  }
  for (unsigned S = 0; S < NumStalls; ++S)
    if (Used[S])
      Text += fmt::format("  {}  {}\n", Letters[S], legend(Stall(S)));
  return Text;
}

void TimelineView::addTo(JSON &Out) const {
  const TimelineWindow &W = T.window();
  JSON &Table = Out["timeline"] = JSON::object();
  Table["sm"] = W.SM;
  Table["begin"] = T.rows().empty() ? 0 : W.Begin;
  Table["cycles"] = W.Cycles;
  JSON &Legend = Table["legend"] = JSON::object();
  for (unsigned S = 0; S < NumStalls; ++S)
    Legend[std::string(1, Letters[S])] = std::string(stallName(Stall(S)));
  JSON &Rows = Table["warps"] = JSON::array();
  for (const Timeline::Row &R : T.rows()) {
    std::string States;
    for (uint8_t State : R.States)
      States += letterOf(State);
    JSON Issues = JSON::array();
    for (auto [Cycle, Inst] : R.Issues)
      Issues.push_back(JSON::array({Cycle, Inst}));
    Rows.push_back({{"block", R.Block},
                    {"warp", R.Warp},
                    {"states", States},
                    {"issues", Issues}});
  }
}

} // namespace heddle::views
