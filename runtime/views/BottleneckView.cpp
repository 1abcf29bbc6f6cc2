//===- BottleneckView.cpp - What to change first --------------------------===//

#include "views/BottleneckView.h"

#include "views/InstructionView.h"
#include "views/TextTable.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include <fmt/format.h>

using namespace heddle::timing;

namespace heddle::views {

static std::string spaceOf(const HeddleInst &I) {
  static constexpr const char *Names[] = {
      "",         "global",  "shared",        "local",  "constant",
      "argument", "texture", "remote shared", "generic"};
  static_assert(std::size(Names) == HEDDLE_NUM_SPACES);
  return I.Space < std::size(Names) ? Names[I.Space] : "";
}

/// What warps wait for, by state; null where it depends on the instruction.
static constexpr const char *Waits[NumStalls] = {
    nullptr,                        // Selected
    nullptr,                        // NotSelected
    "latency of arithmetic",        // Wait
    nullptr,                        // LongScoreboard
    nullptr,                        // ShortScoreboard
    "barrier",                      // Barrier
    "fence",                        // Membar
    "arithmetic pipe",              // MathPipeThrottle
    "queue of global accesses",     // LgThrottle
    "queue of shared memory",       // MioThrottle
    "texture queue",                // TexThrottle
    "arguments and constants",      // ImcMiss
    "instruction fetch",            // NoInstruction
    "branch",                       // BranchResolving
    "operand collection",           // DispatchStall
    "stores that outlive the warp", // Drain
    "start of the block",           // Sleeping
};

/// What \p Cause is to those that wait for it in state \p State.
static std::string describe(const HeddleInst &Cause, Stall State) {
  if (const char *Wait = Waits[unsigned(State)])
    return Wait;
  switch (Cause.Class) {
  case HEDDLE_OP_LOAD:
    return spaceOf(Cause) + " load";
  case HEDDLE_OP_ATOMIC:
    return spaceOf(Cause) + " atomic";
  case HEDDLE_OP_TEXTURE:
    return "texture access";
  case HEDDLE_OP_SHUFFLE:
    return "shuffle";
  case HEDDLE_OP_SFU:
  case HEDDLE_OP_MATH:
    return "special function";
  default:
    return "result of " + std::string(stallName(State));
  }
}

/// States in which a whole kind of instruction waits for one unit: the cause
/// is the unit, so all instructions are counted together.
static bool causedByUnit(Stall State) {
  return State == Stall::MathPipeThrottle || State == Stall::LgThrottle ||
         State == Stall::MioThrottle || State == Stall::TexThrottle ||
         State == Stall::NoInstruction || State == Stall::BranchResolving ||
         State == Stall::DispatchStall || State == Stall::Drain ||
         State == Stall::Sleeping || State == Stall::Wait ||
         State == Stall::ImcMiss;
}

BottleneckView::BottleneckView(const SimulationResult &Result,
                               const trace::CodeTable &Code, bool Expands)
    : Result(Result), Code(Code), Graph(Code, Result, Expands) {
  if (Result.WarpCycles && Result.Insts.size() == Code.Insts.size())
    find();
}

void BottleneckView::find() {
  struct Sum {
    uint64_t Cycles = 0;
    std::map<uint32_t, uint64_t> Waiting;
  };
  std::map<std::pair<unsigned, uint32_t>, Sum> Sums; // by state and cause
  for (uint32_t I = 0; I < Result.Insts.size(); ++I)
    for (unsigned S = unsigned(Stall::Wait); S < NumStalls; ++S) {
      uint64_t Cycles = Graph.waits(I)[S];
      if (!Cycles)
        continue;
      uint32_t Cause = causedByUnit(Stall(S))
                           ? uint32_t(Code.Insts.size())
                           : Graph.culprit(I, Stall(S)).value_or(I);
      Sum &Entry = Sums[{S, Cause}];
      Entry.Cycles += Cycles;
      Entry.Waiting[I] += Cycles;
    }

  for (const auto &[Key, Entry] : Sums) {
    Bottleneck B;
    B.State = Stall(Key.first);
    B.Cycles = Entry.Cycles;
    B.Share = double(Entry.Cycles) / Result.WarpCycles;
    if (B.Share < LeastShare)
      continue;
    for (const auto &[Inst, Cycles] : Entry.Waiting)
      B.Waiting.push_back(Inst);
    std::ranges::sort(B.Waiting, [&](uint32_t X, uint32_t Y) {
      uint64_t XCycles = Entry.Waiting.at(X), YCycles = Entry.Waiting.at(Y);
      return XCycles != YCycles ? XCycles > YCycles : X < Y;
    });
    B.Cause = Key.second < Code.Insts.size() ? Key.second : B.Waiting.front();
    B.What = describe(Code.Insts[B.Cause], B.State);
    if (!causedByUnit(B.State))
      B.Place = placeOf(Code, B.Cause);
    Found.push_back(std::move(B));
  }
  std::ranges::sort(Found, [](const Bottleneck &X, const Bottleneck &Y) {
    return std::tuple(Y.Cycles, X.State, X.Cause) <
           std::tuple(X.Cycles, Y.State, Y.Cause);
  });
  if (Found.size() > MaxBottlenecks)
    Found.resize(MaxBottlenecks);
  for (Bottleneck &B : Found) {
    trace(B);
    estimate(B);
  }
}

/// The costliest wait of the instructions between the barrier before \p Barrier
/// and itself: what the warps that come late did meanwhile.
static std::optional<uint32_t> lateWait(const trace::CodeTable &Code,
                                        const DependenceGraph &Graph,
                                        uint32_t Barrier) {
  std::optional<uint32_t> Most;
  uint64_t MostCycles = 0;
  for (uint32_t I = Barrier; I-- > 0;) {
    if (Code.Insts[I].Class == HEDDLE_OP_BARRIER)
      break;
    const StallCycles &Cycles = Graph.waits(I);
    uint64_t Waits = std::accumulate(Cycles.begin() + unsigned(Stall::Wait),
                                     Cycles.end(), uint64_t(0)) -
                     Cycles[unsigned(Stall::Barrier)];
    if (Waits > MostCycles) {
      MostCycles = Waits;
      Most = I;
    }
  }
  return Most;
}

static Stall costliestWait(const StallCycles &Cycles) {
  auto First = Cycles.begin() + unsigned(Stall::Wait);
  return Stall(std::max_element(First, Cycles.end()) - Cycles.begin());
}

void BottleneckView::trace(Bottleneck &B) const {
  auto share = [this](uint32_t Inst, Stall State) {
    return double(Graph.waits(Inst)[unsigned(State)]) / Result.WarpCycles;
  };
  std::set<uint32_t> Seen;
  auto link = [&] {
    for (Link &L : B.Chain)
      for (uint32_t P : Graph.producers(L.Inst))
        if (Seen.contains(P))
          L.After.push_back(P);
  };
  auto add = [&](uint32_t Inst, std::string Role, double Share = 0) {
    if (B.Chain.size() < MaxChain && Seen.insert(Inst).second)
      B.Chain.push_back({Inst, std::move(Role), Share, {}});
  };
  auto addSlice = [&](uint32_t From, const char *Role) {
    DependenceGraph::Slice S = Graph.sliceOf(From, MaxChain - B.Chain.size());
    for (size_t I = 0; I < S.Insts.size(); ++I)
      add(S.Insts[I], I ? "before it" : Role);
    B.LoopCarried = S.LoopCarried;
  };

  if (B.State == Stall::Barrier) {
    add(B.Waiting.front(), "waits for the other warps",
        share(B.Waiting.front(), B.State));
    if (auto Late = lateWait(Code, Graph, B.Cause)) {
      Stall State = costliestWait(Graph.waits(*Late));
      add(*Late, fmt::format("late warps: {}", stallName(State)),
          share(*Late, State));
      if (auto Cause = Graph.culprit(*Late, State))
        addSlice(*Cause, "what they wait for");
      link();
      if (*Late != B.Chain.front().Inst)
        B.Chain.front().After.push_back(*Late);
    }
    return;
  }
  // The costliest waiting instructions; behind them one cause.
  static constexpr unsigned MaxWaiting = 3;
  for (unsigned I = 0; I < B.Waiting.size() && I < MaxWaiting; ++I)
    add(B.Waiting[I], "waits", share(B.Waiting[I], B.State));
  if (auto Cause = Graph.culprit(B.Waiting.front(), B.State))
    addSlice(*Cause, "cause");
  link();
}

/// Time that is left is at least the time of the busiest unit.
void BottleneckView::estimate(Bottleneck &B) const {
  double Kernel = double(Result.Cycles) - double(Result.CountedLaunch);
  if (Kernel <= 0)
    return;
  double Scale = Result.Cycles / Kernel; // utilisation over the kernel alone
  double Floor = 0;
  auto limit = [&](double Share, const std::string &Name) {
    if (Share > Floor) {
      Floor = Share;
      B.ThenLimit = Name;
    }
  };
  double Rest = std::max(0.0, 1 - B.Share);
  limit(Rest, "the other waits");
  for (const PipeCounters &P : Result.Pipes)
    limit(std::min(1.0, P.Utilization * Scale), "the " + P.Name + " pipe");
  limit(std::min(1.0, Result.DRAM.Utilization * Scale), "DRAM");
  uint64_t Issue = 0, Active = 0;
  for (const SMSummary &S : Result.SMs) {
    Issue += S.IssueCycles;
    Active += S.ActiveCycles;
  }
  if (Active)
    limit(double(Issue) / Active, "instruction issue");
  B.Gain = (1 - std::min(1.0, Floor)) * Kernel / Result.Cycles;
}

std::string BottleneckView::text() const {
  if (Found.empty())
    return "";
  std::string Text = "Bottlenecks (costliest waits, traced back along the "
                     "registers)\n";
  unsigned Number = 0;
  for (const Bottleneck &B : Found) {
    Text += fmt::format("  {}. {}{}: {} of warp cycles ({})\n", ++Number,
                        B.What, B.Place.empty() ? "" : " at " + B.Place,
                        percent(B.Share, 1), stallName(B.State));
    Text += fmt::format("     without it at most {} less time, then {} would "
                        "limit\n",
                        percent(B.Gain, 1), B.ThenLimit);
    TextTable Table("lrlll");
    for (const Link &L : B.Chain) {
      std::string Role = L.Role;
      if (L.Share > 0)
        Role += " " + percent(L.Share, 1);
      if (&L == &B.Chain.back() && B.LoopCarried)
        Role += ", from the iteration before";
      Table.row({"", std::to_string(L.Inst), instructionText(Code, L.Inst),
                 placeOf(Code, L.Inst), Role});
    }
    Text += Table.str();
  }
  return Text;
}

void BottleneckView::addTo(JSON &Out) const {
  JSON &All = Out["bottlenecks"] = JSON::array();
  for (const Bottleneck &B : Found) {
    JSON Chain = JSON::array();
    for (const Link &L : B.Chain)
      Chain.push_back({{"instruction", L.Inst},
                       {"text", instructionText(Code, L.Inst)},
                       {"place", placeOf(Code, L.Inst)},
                       {"role", L.Role},
                       {"after", L.After},
                       {"share", L.Share}});
    All.push_back({{"what", B.What},
                   {"state", std::string(stallName(B.State))},
                   {"place", B.Place},
                   {"instruction", B.Cause},
                   {"share", B.Share},
                   {"gain", B.Gain},
                   {"then_limit", B.ThenLimit},
                   {"loop_carried", B.LoopCarried},
                   {"chain", Chain}});
  }
}

} // namespace heddle::views
