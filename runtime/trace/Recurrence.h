//===- Recurrence.h - Whether numbers come again ----------------*- C++ -*-===//

#ifndef HEDDLE_TRACE_RECURRENCE_H
#define HEDDLE_TRACE_RECURRENCE_H

#include <algorithm>
#include <cstdint>

namespace heddle::trace {

/// Watches the numbers of one place in a kernel. Those that come again and
/// again, such as the steps of nested loops, belong into the control stream:
/// what is around them folds all the same. Those that data decide do not.
class Recurrence {
public:
  /// Notes \p Key; whether it was one of the last different ones.
  bool note(uint64_t Key) {
    const auto Short = uint32_t((Key * 0x9e3779b97f4a7c15) >> 32 | 1);
    uint32_t *End = Recent + NumRecent;
    uint32_t *At = std::find(Recent, End, Short);
    const bool Hit = At != End;
    if (!Hit) {
      Surprises = std::min<uint8_t>(Surprises + 2, MaxSurprises);
      --At;
    } else if (Surprises) {
      --Surprises;
    }
    std::copy_backward(Recent, At, At + 1);
    Recent[0] = Short;
    return Hit;
  }
  /// Whether most of them are new.
  bool decidedByData() const { return Surprises > MaxSurprises / 2; }

private:
  /// Loops nest about as deep.
  static constexpr unsigned NumRecent = 4;
  static constexpr uint8_t MaxSurprises = 8;

  uint32_t Recent[NumRecent] = {}; ///< latest first; 0: none
  uint8_t Surprises = 0;
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_RECURRENCE_H
