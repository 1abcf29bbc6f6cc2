//===- Progress.cpp - Progress bar on a terminal --------------------------===//

#include "Progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <unistd.h>

using namespace heddle::tool;

static volatile std::sig_atomic_t Interrupts = 0;

/// The first Ctrl-C asks the command to end, the second ends it.
static void onInterrupt(int Signal) {
  if (Interrupts) {
    std::signal(Signal, SIG_DFL);
    std::raise(Signal);
  }
  Interrupts = 1;
}

std::string heddle::tool::withPrefix(double Value) {
  static constexpr const char *Prefixes[] = {"", "k", "M", "G", "T"};
  unsigned P = 0;
  while (Value >= 999.5 && P + 1 < std::size(Prefixes)) {
    Value /= 1000;
    ++P;
  }
  return fmt::format("{:.3g} {}", Value, Prefixes[P]);
}

std::string heddle::tool::asDuration(double Seconds) {
  uint64_t S = uint64_t(std::max(0.0, Seconds) + 0.5);
  if (S >= 3600)
    return fmt::format("{}:{:02}:{:02}", S / 3600, S / 60 % 60, S % 60);
  return fmt::format("{}:{:02}", S / 60, S % 60);
}

Progress::Progress(std::string Task, std::string Unit, bool Quiet)
    : Task(std::move(Task)), Unit(std::move(Unit)),
      Visible(!Quiet && isatty(STDERR_FILENO)),
      OldHandler(std::signal(SIGINT, onInterrupt)) {}

Progress::~Progress() {
  clear();
  std::signal(SIGINT, OldHandler);
}

bool Progress::interrupted() { return Interrupts != 0; }

void Progress::clear() {
  if (Drawn)
    std::fputs("\r\033[K", stderr);
  Drawn = false;
}

bool Progress::update(uint64_t Done, uint64_t Total, uint64_t Work) {
  if (Interrupts)
    return false;
  if (!Visible)
    return true;
  Clock::time_point Now = Clock::now();
  if (Now - Last < std::chrono::milliseconds(100))
    return true;
  Last = Now;
  double Elapsed = std::chrono::duration<double>(Now - Start).count();
  // Fast commands show nothing at all.
  if (Elapsed < 0.5)
    return true;
  constexpr unsigned Width = 24;
  double Share = Total ? std::min(1.0, double(Done) / Total) : 0;
  unsigned Full = unsigned(Share * Width);
  std::string Left =
      Done ? asDuration(Elapsed * (1 - Share) / Share) : std::string("-:--");
  std::string Line =
      fmt::format("{} [{}{}] {:3.0f} %  {}{}/s  {} left", Task,
                  std::string(Full, '#'), std::string(Width - Full, '.'),
                  Share * 100, withPrefix(Work / Elapsed), Unit, Left);
  fmt::print(stderr, "\r\033[K{}", Line);
  std::fflush(stderr);
  Drawn = true;
  return true;
}
