//===- Progress.cpp - Progress bar and interrupts -------------------------===//

#include "Progress.h"

#include "Commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include <pthread.h>
#include <unistd.h>

namespace heddle::tool {

/// A handler sets it, in any thread, and threads read it.
static std::atomic<bool> Interrupts = false;
static_assert(std::atomic<bool>::is_always_lock_free);
static std::atomic<bool> Noticed = false; ///< by the command
static std::atomic<bool> Ending = false;  ///< the attendant ends the process

/// The first signal asks the command to end, the second ends it.
static void onInterrupt(int Signal) {
  if (Interrupts) {
    std::signal(Signal, SIG_DFL);
    std::raise(Signal);
  }
  Interrupts = true;
}

std::string withPrefix(double Value) {
  static constexpr const char *Prefixes[] = {"", "k", "M", "G", "T"};
  unsigned P = 0;
  while (Value >= 999.5 && P + 1 < std::size(Prefixes)) {
    Value /= 1000;
    ++P;
  }
  return fmt::format("{:.3g} {}", Value, Prefixes[P]);
}

std::string asDuration(double Seconds) {
  uint64_t S = uint64_t(std::max(0.0, Seconds) + 0.5);
  if (S >= 3600)
    return fmt::format("{}:{:02}:{:02}", S / 3600, S / 60 % 60, S % 60);
  return fmt::format("{}:{:02}", S / 60, S % 60);
}

/// The thread that draws progress and sees to it that an interrupted process
/// ends. It writes to the descriptor itself: a fork of the process must find
/// the lock of stderr free.
class Attendant {
public:
  static Attendant &get() {
    static auto *A = new Attendant; // outlives all threads
    return *A;
  }
  void add(Progress *P) {
    std::lock_guard Guard(Lock);
    Shown.push_back(P);
  }
  void remove(Progress *P) {
    std::lock_guard Guard(Lock);
    std::erase(Shown, P);
    clear();
  }
  void showPhase(std::string_view Name, uint64_t Done, uint64_t Total);
  void clearLine() {
    std::lock_guard Guard(Lock);
    clear();
  }
  void keep(Progress &P, std::function<void()> Write) {
    std::lock_guard Guard(Lock);
    P.WritePartial = std::move(Write);
  }
  [[noreturn]] void run();

  std::atomic<bool> HidesPhases = false;

private:
  void draw();
  void clear();
  void endUnnoticed();

  std::mutex Lock;
  std::vector<Progress *> Shown;
  std::optional<Progress> Phase; ///< of the one thread that runs the command
  bool Drawn = false, Told = false;
};

static void say(std::string_view Text) {
  (void)!::write(STDERR_FILENO, Text.data(), Text.size());
}

void Attendant::clear() {
  if (std::exchange(Drawn, false))
    say("\r\033[K");
}

void Attendant::draw() {
  const auto Now = Progress::Clock::now();
  std::lock_guard Guard(Lock);
  // Fast commands show nothing at all, and short steps not themselves.
  const auto IsOld = [&](const Progress *P) {
    return Now - P->Start >= std::chrono::milliseconds(500);
  };
  const auto At = std::find_if(Shown.rbegin(), Shown.rend(), IsOld);
  if (At == Shown.rend() || !(*At)->Visible)
    return;
  // What others print begins where the line begins.
  say("\r\033[K" + (*At)->line(Now) + "\r");
  Drawn = true;
}

[[noreturn]] static void endWith(const std::function<void()> &Write) {
  try {
    Write();
    std::fflush(stdout);
  } catch (const CommandError &E) {
    say(fmt::format("heddle: error: {}\n", E.Message));
  }
  ::_exit(Interrupted);
}

/// The command does not look for interrupts where it is now.
void Attendant::endUnnoticed() {
  std::lock_guard Guard(Lock);
  clear();
  const Progress *Now = Shown.empty() ? nullptr : Shown.back();
  const auto Partial = std::ranges::find_if(
      Shown, [](const Progress *P) { return bool(P->WritePartial); });
  if (Partial != Shown.end()) {
    Ending = true;
    if (!Noticed)
      endWith((*Partial)->WritePartial);
    Ending = false;
    return;
  }
  if (Now && Now->HasResult) {
    if (!std::exchange(Told, true))
      say("heddle: the result until now follows when this thread block is "
          "executed; interrupt again to end without it\n");
    return;
  }
  const bool IsStep = Now && !Now->Unit.empty(); // not only the command
  say(fmt::format("heddle: error: interrupted{}{}; there is no result yet\n",
                  IsStep ? " while " : "", IsStep ? Now->Task : ""));
  ::_exit(Interrupted);
}

void Attendant::run() {
  using namespace std::chrono_literals;
  Progress::Clock::time_point Seen{}, LastDrawn{};
  for (;;) {
    std::this_thread::sleep_for(50ms);
    const auto Now = Progress::Clock::now();
    if (Interrupts && Seen == Progress::Clock::time_point{})
      Seen = Now;
    if (Interrupts && !Noticed && Now - Seen > 500ms)
      endUnnoticed();
    if (Now - LastDrawn > 250ms && !Interrupts) {
      draw();
      LastDrawn = Now;
    }
  }
}

void Attendant::showPhase(std::string_view Name, uint64_t Done,
                          uint64_t Total) {
  if (Phase && Phase->Task != Name)
    Phase.reset();
  if (Name.empty())
    return;
  if (!Phase)
    Phase.emplace(std::string(Name), Total ? "B" : "basic blocks", HidesPhases);
  Phase->update(Done, Total, Done);
}

void attend() {
  for (int Signal : {SIGINT, SIGTERM}) {
    struct sigaction Action = {};
    if (::sigaction(Signal, nullptr, &Action) != 0 ||
        Action.sa_handler == SIG_IGN)
      continue;
    Action = {};
    Action.sa_handler = onInterrupt;
    Action.sa_flags = SA_RESTART;
    ::sigaction(Signal, &Action, nullptr);
  }
  Attendant &A = Attendant::get();
  // Signals go to the threads that work.
  sigset_t All, Old;
  sigfillset(&All);
  ::pthread_sigmask(SIG_SETMASK, &All, &Old);
  std::thread([&A] { A.run(); }).detach();
  ::pthread_sigmask(SIG_SETMASK, &Old, nullptr);
}

Progress::Progress(std::string Task, std::string Unit, bool Quiet)
    : Task(std::move(Task)), Unit(std::move(Unit)),
      Visible(!Quiet && isatty(STDERR_FILENO)) {
  Attendant::get().add(this);
}

Progress::~Progress() { Attendant::get().remove(this); }

bool Progress::interrupted() {
  if (Interrupts) {
    Noticed = true;
    while (Ending) // with the partial result, unless it sees that we noticed
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return Interrupts;
}

void Progress::keepPartialResult(std::function<void()> Write) {
  Attendant::get().keep(*this, std::move(Write));
}

void Progress::clearLine() { Attendant::get().clearLine(); }

bool Progress::showPhase(std::string_view Phase, uint64_t Done,
                         uint64_t Total) {
  Attendant::get().showPhase(Phase, Done, Total);
  return !interrupted();
}

void Progress::hidePhases() { Attendant::get().HidesPhases = true; }

bool Progress::update(uint64_t NewDone, uint64_t NewTotal, uint64_t NewWork) {
  Done = NewDone;
  Total = NewTotal;
  Work = NewWork;
  return !interrupted();
}

/// "8.9 M warp instructions/s", "374 MB/s".
static std::string rateText(double PerSecond, const std::string &Unit) {
  const std::string Number = withPrefix(PerSecond);
  const bool IsWord = Unit.size() > 1 && !Number.ends_with(' ');
  return fmt::format("{}{}{}/s", Number, IsWord ? " " : "", Unit);
}

std::string Progress::line(Clock::time_point Now) const {
  const double Elapsed = std::chrono::duration<double>(Now - Start).count();
  const std::string Rate = rateText(double(Work) / Elapsed, Unit);
  if (!Total)
    return fmt::format("{}  {}{}", Task, asDuration(Elapsed),
                       Work ? "  " + Rate : "");
  constexpr unsigned Width = 24;
  const double Share = std::min(1.0, double(Done) / double(Total));
  const unsigned Full = unsigned(Share * Width);
  const std::string Left =
      Done ? asDuration(Elapsed * (1 - Share) / Share) : "-:--";
  return fmt::format("{} [{}{}] {:3.0f} %  {}  {} left", Task,
                     std::string(Full, '#'), std::string(Width - Full, '.'),
                     Share * 100, Rate, Left);
}

} // namespace heddle::tool
