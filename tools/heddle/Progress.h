//===- Progress.h - Progress bar on a terminal ------------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_PROGRESS_H
#define HEDDLE_TOOLS_PROGRESS_H

#include <chrono>
#include <cstdint>
#include <string>

namespace heddle::tool {

/// One line on stderr with bar, rate and time left, redrawn at most ten times
/// a second, gone when the object is. Says nothing if stderr is no terminal or
/// \p Quiet. Ctrl-C is caught while it lives: update() then returns false, and
/// the caller ends cleanly.
class Progress {
public:
  /// \p Unit names what the rate counts, e.g. "warp instructions".
  Progress(std::string Task, std::string Unit, bool Quiet);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// \p Done of \p Total steps, \p Work units of work so far. False if the user
  /// wants to stop.
  bool update(uint64_t Done, uint64_t Total, uint64_t Work);
  static bool interrupted();

private:
  void clear();

  using Clock = std::chrono::steady_clock;
  std::string Task, Unit;
  bool Visible;
  bool Drawn = false;
  Clock::time_point Start = Clock::now(), Last{};
  void (*OldHandler)(int);
};

/// "1.2 M", "830 k": three digits and a prefix.
std::string withPrefix(double Value);
/// "2:05" or "1:02:05".
std::string asDuration(double Seconds);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_PROGRESS_H
