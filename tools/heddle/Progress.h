//===- Progress.h - Progress bar and interrupts -----------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_PROGRESS_H
#define HEDDLE_TOOLS_PROGRESS_H

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace heddle::tool {

/// One line on stderr with bar, rate and time left, drawn by a thread of its
/// own four times a second and gone when the object is. Says nothing in the
/// first half second, or if stderr is no terminal or \p Quiet. Of several, the
/// one made last is shown that has been there for so long.
class Progress {
public:
  /// \p Unit names what the rate counts, e.g. "warp instructions".
  Progress(std::string Task, std::string Unit, bool Quiet);
  ~Progress();
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;

  /// \p Done of \p Total steps, \p Work units of work so far; \p Total is 0
  /// where the end is not known. False if the user wants to stop.
  bool update(uint64_t Done, uint64_t Total, uint64_t Work);
  /// From now on there is a partial result, for which an interrupt waits until
  /// update() was told of it.
  void keepPartialResult() { HasResult = true; }
  /// The same where nothing may ask for an interrupt in time: then \p Write is
  /// called, in another thread, and the process ends. It shares nothing with
  /// the command but what it holds.
  void keepPartialResult(std::function<void()> Write);

  /// Whether the process got SIGINT or SIGTERM. Who asks has to end soon.
  static bool interrupted();
  /// Shows what goes on before a launch runs (SessionOptions::OnPhase).
  static bool showPhase(std::string_view Phase, uint64_t Done, uint64_t Total);
  /// -q: phases are not shown.
  static void hidePhases();
  /// Takes what is drawn off the terminal, before something else is printed.
  static void clearLine();

private:
  friend class Attendant;
  using Clock = std::chrono::steady_clock;
  std::string line(Clock::time_point Now) const;

  const std::string Task, Unit;
  const bool Visible;
  const Clock::time_point Start = Clock::now();
  std::atomic<uint64_t> Done = 0, Total = 0, Work = 0;
  std::atomic<bool> HasResult = false;
  std::function<void()> WritePartial; ///< under the attendant's lock
};

/// Watches for SIGINT and SIGTERM from now on, and draws progress. The first
/// signal asks the command to end; where nothing asks for it within half a
/// second and there is no partial result, the process ends with a message and
/// the status Interrupted. The second ends it at once. Signals that the caller
/// ignores stay ignored. Called once, before the command starts.
void attend();

/// "1.2 M", "830 k": three digits and a prefix.
std::string withPrefix(double Value);
/// "2:05" or "1:02:05".
std::string asDuration(double Seconds);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_PROGRESS_H
