//===- StreamSchedule.cpp - Operations on the model's clock ---------------===//

#include "streams/StreamSchedule.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <iterator>
#include <limits>
#include <tuple>

namespace heddle::streams {

using launch::Operation;
using launch::OperationKind;

namespace {

/// Parts of what limits residency: warps, CTA slots, registers, shared memory.
constexpr size_t NumRoom = 4;
using Room = std::array<double, NumRoom>;

/// An operation that has not ended, with what it needs at a time.
struct Task {
  size_t Number = 0; ///< of the operation
  double AloneUs = 0;
  const BusyShares *Busy = nullptr;
  bool IsLaunch = false;
  Room Whole{};      ///< of the GPU, by what is resident
  double Blocks = 0; ///< resident then
  /// From this share of its work on it has only this share of the blocks.
  double LastWaveAt = 1, LastWave = 1;

  bool Started = false;
  double Done = 0;  ///< share of its work
  double Rate = 0;  ///< of its speed alone
  double Limit = 0; ///< of the rate, by the room that it got

  double roomShare() const { return Done < LastWaveAt ? 1 : LastWave; }
  /// Until it ends, or needs less room.
  double untilChangeUs() const {
    if (Rate <= 0)
      return std::numeric_limits<double>::infinity();
    return ((Done < LastWaveAt ? LastWaveAt : 1) - Done) * AloneUs / Rate;
  }
};

/// Shares of work closer than this are the same.
constexpr double Rounding = 1e-9;

class Scheduler {
public:
  Scheduler(const launch::Operations &Operations,
            std::span<const LaunchUse> Launches, const arch::GPUSpec &Spec)
      : Operations(Operations), Launches(Launches), Spec(Spec),
        Left(Operations.All.size()), After(Operations.All.size()) {}

  StreamSchedule run();

private:
  Task taskOf(size_t Number);
  void setRoom(Task &T, const LaunchUse &L) const;
  void ready(size_t Number);
  void end(size_t Number);
  void giveRoom();
  void shareResources();
  void advance();
  uint32_t priority(size_t Number) const {
    return Operations.Streams[Operations.All[Number].Stream].Priority;
  }

  const launch::Operations &Operations;
  const std::span<const LaunchUse> Launches;
  const arch::GPUSpec &Spec;
  std::vector<size_t> Left;               ///< operations that each waits for
  std::vector<std::vector<size_t>> After; ///< those that wait for each
  std::vector<Task> Running;  ///< launches in the order in which they get room
  std::deque<size_t> Instant; ///< ready, and take no time
  BusyShares CopyBusy, DeviceBusy = {{"dram", 1}};
  double NowUs = 0;
  StreamSchedule Out;
};

/// GB/s are thousands of bytes per microsecond.
double copyUs(uint64_t Bytes, double GBPerSecond) {
  return GBPerSecond > 0 ? double(Bytes) / GBPerSecond / 1000 : 0;
}

void Scheduler::setRoom(Task &T, const LaunchUse &L) const {
  const arch::Occupancy &O = L.Occupancy;
  const double SMs = Spec.SM.Count, Fit = double(O.BlocksPerSM) * SMs;
  const double Blocks = double(L.Blocks);
  T.Blocks = std::min(Blocks, Fit);
  T.Whole = {T.Blocks / (O.BlocksByWarps * SMs),
             T.Blocks / (O.BlocksBySlots * SMs),
             T.Blocks / (O.BlocksByRegisters * SMs),
             T.Blocks / (O.BlocksByShared * SMs)};
  const double Waves = std::ceil(Blocks / Fit), Full = std::floor(Blocks / Fit);
  if (Full >= 1 && Waves > Full) {
    T.LastWaveAt = Full / Waves;
    T.LastWave = (Blocks - Full * Fit) / Fit;
  }
}

Task Scheduler::taskOf(size_t Number) {
  const Operation &O = Operations.All[Number];
  const double DRAM = Spec.DRAM.Bandwidth * Spec.DRAM.Efficiency;
  Task T;
  T.Number = Number;
  T.Busy = &DeviceBusy;
  switch (O.Kind) {
  case OperationKind::Launch:
    T.IsLaunch = true;
    T.AloneUs = Launches[O.Launch].TimeUs;
    T.Busy = &Launches[O.Launch].Busy;
    setRoom(T, Launches[O.Launch]);
    break;
  case OperationKind::ToDevice:
  case OperationKind::ToHost:
    T.AloneUs = copyUs(O.Bytes, Spec.Host.Bandwidth);
    T.Busy = &CopyBusy;
    break;
  case OperationKind::InDevice: // read and written
    T.AloneUs = copyUs(2 * O.Bytes, DRAM);
    break;
  case OperationKind::Fill:
    T.AloneUs = copyUs(O.Bytes, DRAM);
    break;
  case OperationKind::Host:
    break;
  }
  return T;
}

void Scheduler::ready(size_t Number) {
  const Task T = taskOf(Number);
  Out.SerialUs += T.AloneUs;
  if (T.AloneUs <= 0) {
    Instant.push_back(Number);
    return;
  }
  // Behind all that has begun, those of higher priority and those before it.
  const auto Key = [&](const Task &Other) {
    return std::tuple(!Other.Started, -int64_t(priority(Other.Number)),
                      Other.Number);
  };
  const auto At = std::ranges::find_if(
      Running, [&](const Task &Other) { return Key(T) < Key(Other); });
  Running.insert(At, T);
}

void Scheduler::end(size_t Number) {
  Out.Operations[Number].EndUs = NowUs;
  for (size_t Next : After[Number])
    if (--Left[Next] == 0)
      ready(Next);
}

/// How fast each task may be by the room that those before it leave. What has
/// begun keeps its room.
void Scheduler::giveRoom() {
  std::vector<Task> InOrder;
  for (bool Started : {true, false})
    std::ranges::copy_if(Running, std::back_inserter(InOrder),
                         [&](const Task &T) { return T.Started == Started; });
  Running = std::move(InOrder);
  Room Free;
  Free.fill(1);
  bool Taken[2] = {};   // the ways from and to the host
  bool Blocked = false; // blocks of a launch wait for room
  for (Task &T : Running) {
    const OperationKind Kind = Operations.All[T.Number].Kind;
    T.Limit = 1;
    if (T.IsLaunch) {
      double Share = T.roomShare();
      const double Needed = Share;
      for (size_t I = 0; I < NumRoom; ++I)
        Share = std::min(Share, Free[I] / T.Whole[I]);
      if (Blocked || Share * T.Blocks < 1 - Rounding)
        Share = 0; // not one block
      Blocked |= Share < Needed - Rounding;
      for (size_t I = 0; I < NumRoom; ++I)
        Free[I] = std::max(0.0, Free[I] - Share * T.Whole[I]);
      T.Limit = Share / Needed;
    } else if (Kind == OperationKind::ToDevice ||
               Kind == OperationKind::ToHost) {
      bool &Way = Taken[Kind == OperationKind::ToHost];
      T.Limit = Way ? 0 : 1;
      Way = true;
    }
    if (T.Limit > 0 && !T.Started) {
      T.Started = true;
      Out.Operations[T.Number].BeginUs = NowUs;
    }
  }
}

/// Rates grow together, each in proportion to its limit, until a resource is
/// busy all of the time: its users grow no further.
void Scheduler::shareResources() {
  std::vector<Task *> Growing;
  for (Task &T : Running) {
    T.Rate = 0;
    if (T.Limit > 0)
      Growing.push_back(&T);
  }
  BusyShares Used; // by those that no longer grow
  for (double Level = 0; !Growing.empty();) {
    BusyShares Sum;
    for (const Task *T : Growing)
      for (const auto &[Name, Busy] : *T->Busy)
        Sum[Name] += Busy * T->Limit;
    double Next = 1;
    for (const auto &[Name, Busy] : Sum)
      if (Busy > 0)
        Next = std::min(Next, std::max(Level, (1 - Used[Name]) / Busy));
    const auto IsHeld = [&](const Task *T) {
      return Next >= 1 || std::ranges::any_of(*T->Busy, [&](const auto &Use) {
               const double All = Used[Use.first] + Sum[Use.first] * Next;
               return Use.second > 0 && All >= 1 - Rounding;
             });
    };
    std::vector<Task *> Held;
    std::ranges::copy_if(Growing, std::back_inserter(Held), IsHeld);
    std::erase_if(Growing, IsHeld);
    for (Task *T : Held) {
      T->Rate = T->Limit * Next;
      for (const auto &[Name, Busy] : *T->Busy)
        Used[Name] += Busy * T->Rate;
    }
    Level = Next;
  }
}

/// To the next time at which a task ends or needs less room.
void Scheduler::advance() {
  double Step = std::numeric_limits<double>::infinity();
  for (const Task &T : Running)
    Step = std::min(Step, T.untilChangeUs());
  NowUs += Step;
  std::vector<size_t> Ended;
  for (Task &T : Running) {
    const double Before = T.Done;
    T.Done += Step * T.Rate / T.AloneUs;
    if (Before < T.LastWaveAt && T.Done >= T.LastWaveAt - Rounding)
      T.Done = std::max(T.Done, T.LastWaveAt);
    if (T.Done >= 1 - Rounding)
      Ended.push_back(T.Number);
  }
  std::erase_if(Running, [](const Task &T) { return T.Done >= 1 - Rounding; });
  std::ranges::sort(Ended);
  for (size_t Number : Ended)
    end(Number);
}

StreamSchedule Scheduler::run() {
  const auto &All = Operations.All;
  if (Spec.DRAM.Bandwidth > 0)
    CopyBusy["dram"] = std::min(1.0, Spec.Host.Bandwidth / Spec.DRAM.Bandwidth);
  Out.Operations.resize(All.size());
  for (size_t N = 0; N < All.size(); ++N) {
    Left[N] = All[N].Waits.size();
    for (size_t Before : All[N].Waits)
      After[Before].push_back(N);
  }
  for (size_t N = 0; N < All.size(); ++N)
    if (All[N].Waits.empty())
      ready(N);
  while (!Instant.empty() || !Running.empty()) {
    if (Instant.empty()) {
      giveRoom();
      shareResources();
      advance();
      continue;
    }
    const size_t Number = Instant.front();
    Instant.pop_front();
    Out.Operations[Number].BeginUs = NowUs;
    end(Number);
  }
  Out.EndUs = NowUs;
  return std::move(Out);
}

} // namespace

StreamSchedule scheduleStreams(const launch::Operations &Operations,
                               std::span<const LaunchUse> Launches,
                               const arch::GPUSpec &Spec) {
  return Scheduler(Operations, Launches, Spec).run();
}

} // namespace heddle::streams
