//===- WarpTrace.cpp - A simulation as a Chrome trace ---------------------===//

#include "views/WarpTrace.h"

#include "base/JSONText.h"
#include "views/InstructionView.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

#include <fmt/format.h>

using namespace heddle::timing;

namespace heddle::views {

/// What a slice takes in the file at most: the fixed part with 20-digit
/// numbers, and the name of the instruction.
static constexpr unsigned MaxInstName = 48;
static constexpr uint64_t BytesPerSlice = 150 + MaxInstName;
/// Bins of the counters per SM; with the heads of the rows they take a quarter
/// of the file at most.
static constexpr unsigned MaxBins = 128;
static constexpr uint64_t LeastBytes = 64 << 10;
static constexpr uint64_t CoarsestBeforeSMs = 64; ///< cycles

WarpTrace::WarpTrace(uint64_t MaxBytes)
    : MaxSlices(std::max(MaxBytes, LeastBytes) / 4 * 3 / BytesPerSlice) {}

WarpTrace::Lane &WarpTrace::laneOf(SM &S, const Event &E) {
  auto [It, IsNew] = S.Slots.try_emplace({E.Block, E.Warp}, 0);
  if (IsNew) {
    auto Free = std::ranges::find(S.Lanes, false, &Lane::Taken);
    if (Free == S.Lanes.end())
      Free = S.Lanes.emplace(Free);
    Free->Taken = true;
    It->second = Free - S.Lanes.begin();
  }
  return S.Lanes[It->second];
}

void WarpTrace::endBlock(SM &S, uint64_t Block) {
  auto First = S.Slots.lower_bound({Block, 0});
  auto It = First;
  for (; It != S.Slots.end() && It->first.first == Block; ++It)
    S.Lanes[It->second].Taken = false;
  S.Slots.erase(First, It);
}

void WarpTrace::append(Lane &L, const Slice &New) {
  if (!L.Slices.empty()) {
    Slice &Last = L.Slices.back();
    if (Last.end() == New.Begin && Last.sameAs(New) && Last.Inst == New.Inst) {
      Last.Cycles += New.Cycles;
      return;
    }
  }
  L.Slices.push_back(New);
  ++NumSlices;
}

void WarpTrace::countIssue(SM &S, uint64_t Time) {
  size_t Bin = Time / BinCycles;
  if (Bin >= S.Issued.size())
    S.Issued.resize(Bin + 1);
  ++S.Issued[Bin];
}

void WarpTrace::onEvents(std::span<const Event> Events) {
  if (Events.empty() || Events.front().SM % EveryNth)
    return;
  while (Events.back().Time / BinCycles >= MaxBins)
    recount();
  SM &S = SMs[Events.front().SM];
  for (const Event &E : Events) {
    Slice New{E.Time, 1, E.Block, E.Inst, E.Warp, E.Reason};
    switch (E.Kind) {
    case EventKind::BlockEnd:
      endBlock(S, E.Block);
      continue;
    case EventKind::Issue:
      countIssue(S, E.Time);
      break;
    case EventKind::StallInterval:
      New.Begin = E.Time - E.Duration;
      New.Cycles = E.Duration;
      break;
    default:
      continue;
    }
    append(laneOf(S, E), New);
  }
  if (NumSlices > MaxSlices)
    coarsen();
}

/// Twice as wide bins for the counters.
void WarpTrace::recount() {
  BinCycles *= 2;
  for (auto &[Number, S] : SMs) {
    std::vector<uint32_t> Wider((S.Issued.size() + 1) / 2);
    for (size_t I = 0; I < S.Issued.size(); ++I)
      Wider[I / 2] += S.Issued[I];
    S.Issued = std::move(Wider);
  }
}

/// Makes room: brings what came since the last time to the resolution of the
/// rest, and if that is not enough lowers the resolution.
void WarpTrace::coarsen() {
  resampleAll();
  while (NumSlices > MaxSlices / 2) {
    if (SMs.size() > 1 && Resolution >= CoarsestBeforeSMs) {
      EveryNth *= 2;
      std::erase_if(SMs, [this](const auto &S) { return S.first % EveryNth; });
    } else {
      Resolution *= 2;
    }
    resampleAll();
  }
}

void WarpTrace::resampleAll() {
  NumSlices = 0;
  for (auto &[Number, S] : SMs)
    for (Lane &L : S.Lanes) {
      resample(L);
      NumSlices += L.Slices.size();
    }
}

/// Rewrites a lane as whole bins, each with the state that takes most of it.
void WarpTrace::resample(Lane &L) {
  if (Resolution == 1)
    return;
  std::vector<Slice> Old = std::move(L.Slices);
  L.Slices.clear();
  size_t At = 0;
  while (At < Old.size()) {
    uint64_t Begin = Old[At].Begin / Resolution * Resolution;
    uint64_t End = Begin + Resolution;
    std::array<uint64_t, NumStalls> Cycles{};
    Slice Bin = Old[At];
    for (; At < Old.size() && Old[At].Begin < End; ++At) {
      Slice &S = Old[At];
      uint64_t Part = std::min(S.end(), End) - S.Begin;
      Cycles[unsigned(S.State)] += Part;
      if (S.Inst != Bin.Inst)
        Bin.Inst = Mixed;
      if (S.end() > End) {
        S.Cycles -= Part;
        S.Begin = End;
        break;
      }
    }
    auto Most = std::ranges::max_element(Cycles);
    Bin.State = Stall(Most - Cycles.begin());
    Bin.Begin = Begin;
    Bin.Cycles = Resolution;
    Slice *Last = L.Slices.empty() ? nullptr : &L.Slices.back();
    if (Last && Last->end() == Begin && Last->sameAs(Bin)) {
      Last->Cycles += Resolution;
      if (Last->Inst != Bin.Inst)
        Last->Inst = Mixed;
    } else {
      L.Slices.push_back(Bin);
    }
  }
}

Result<void> WarpTrace::write(const trace::CodeTable &Code,
                              const std::string &Kernel, const std::string &GPU,
                              const Sink &Out) {
  // What came since the last time is finer than the rest.
  resampleAll();

  std::vector<std::string> Names;
  for (size_t I = 0; I < Code.Insts.size(); ++I) {
    std::string Place = placeOf(Code, I);
    std::string Name =
        fmt::format("{} {}{}{}", I, Code.Opcodes[Code.Insts[I].Opcode],
                    Place.empty() ? "" : " ", Place);
    Name.resize(std::min<size_t>(Name.size(), MaxInstName));
    // As a JSON string: file names may hold anything.
    Names.push_back(jsonText(nlohmann::json(Name)));
  }
  nlohmann::ordered_json About = {{"kernel", Kernel},
                                  {"gpu", GPU},
                                  {"time", "1 us is 1 core cycle"},
                                  {"resolution_cycles", Resolution},
                                  {"every_nth_sm", EveryNth}};
  std::string Text = fmt::format(
      "{{\"displayTimeUnit\":\"ns\",\"otherData\":{},\"traceEvents\":[",
      About.dump());
  const char *Separator = "\n";
  auto begin = [&] {
    Text += Separator;
    Separator = ",\n";
  };
  for (const auto &[Number, S] : SMs) {
    auto To = std::back_inserter(Text);
    begin();
    fmt::format_to(To,
                   R"({{"ph":"M","pid":{0},"name":"process_name",)"
                   R"("args":{{"name":"SM {0}"}}}})",
                   Number);
    for (size_t Bin = 0; Bin < S.Issued.size(); ++Bin) {
      begin();
      fmt::format_to(To,
                     R"({{"ph":"C","pid":{},"ts":{},"name":"issued per cycle",)"
                     R"("args":{{"ipc":{:.3f}}}}})",
                     Number, Bin * BinCycles,
                     double(S.Issued[Bin]) / BinCycles);
    }
    for (size_t Slot = 0; Slot < S.Lanes.size(); ++Slot) {
      begin();
      fmt::format_to(To,
                     R"({{"ph":"M","pid":{},"tid":{},"name":"thread_name",)"
                     R"("args":{{"name":"warp slot {}"}}}})",
                     Number, Slot, Slot);
      for (const Slice &I : S.Lanes[Slot].Slices) {
        begin();
        fmt::format_to(
            To,
            R"({{"ph":"X","pid":{},"tid":{},"ts":{},"dur":{},"name":"{}",)"
            R"("args":{{"block":{},"warp":{})",
            Number, Slot, I.Begin, I.Cycles, stallName(I.State), I.Block,
            I.Warp);
        if (I.Inst < Names.size())
          fmt::format_to(To, R"(,"inst":{})", Names[I.Inst]);
        Text += "}}";
      }
      if (Result<void> R = Out(Text); !R)
        return R;
      Text.clear();
    }
  }
  return Out(Text + "\n]}\n");
}

} // namespace heddle::views
