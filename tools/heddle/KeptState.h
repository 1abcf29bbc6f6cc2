//===- KeptState.h - The simulation that --resume goes on from --*- C++ -*-===//

#ifndef HEDDLE_TOOLS_KEPTSTATE_H
#define HEDDLE_TOOLS_KEPTSTATE_H

#include "timing/SavedState.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace heddle::tool {

/// The state of the timing model in a file, which is replaced as a whole from
/// time to time: when a pause has passed, but never for more than a fiftieth of
/// the time. The file says what decided the simulation, and has a checksum.
class KeptState : public timing::StateKeeper {
public:
  using Seconds = std::chrono::duration<double>;

  /// \p Identity: all that decides the simulation. A file \p Path that is
  /// damaged, or has another identity, is refused; one of another \p Launch of
  /// the same recording is left over and does not count. Throws CommandError.
  KeptState(std::string Path, std::string Identity, Seconds Pause,
            size_t Launch = 0);

  /// The cycle of the state that the file has; 0: there is none.
  Cycle cycle() const { return At; }
  /// CPU time of the model before it.
  double secondsBefore() const { return Before; }
  /// The simulation is done: nothing goes on from here.
  void remove() const;

  std::span<const uint8_t> kept() override { return State; }
  bool wants() override {
    Asked = Clock::now();
    return Asked - Last >= Pause;
  }
  void keep(Cycle Now, std::vector<uint8_t> NewState) override;

private:
  using Clock = std::chrono::steady_clock;
  void read();

  const std::string Path, Identity;
  const size_t Launch;
  const Seconds LeastPause;
  Seconds Pause;
  std::vector<uint8_t> State; ///< of the file, as it was found
  Cycle At = 0;
  double Before = 0;
  const double Begin; ///< CPU time of the process
  Clock::time_point Last = Clock::now(), Asked = Last;
  bool Warned = false; ///< that it could not be written
};

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_KEPTSTATE_H
