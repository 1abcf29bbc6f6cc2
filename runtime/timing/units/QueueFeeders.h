//===- QueueFeeders.h - The pipes in front of a memory queue ----*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_QUEUEFEEDERS_H
#define HEDDLE_TIMING_UNITS_QUEUEFEEDERS_H

#include "timing/units/SMState.h"

#include <initializer_list>
#include <vector>

namespace heddle::timing {

/// The units of the pipes that send their instructions to one queue. It holds
/// as many as the pipes' queues are deep; while it is full nothing more is
/// issued to them.
class QueueFeeders {
public:
  /// \p Classes: of the instructions that come (HeddleOpClass).
  QueueFeeders(SMState &S, std::initializer_list<unsigned> Classes);

  /// The queue holds \p Queued since \p Now: one more, or one less.
  void grown(size_t Queued, Cycle Now) {
    if (Queued >= Capacity && !Full) {
      Full = true;
      setBlocked(true, Now + 1);
    }
  }
  void shrunk(size_t Queued, Cycle Now) {
    if (Full && Queued < Capacity) {
      Full = false;
      setBlocked(false, Now);
    }
  }
  /// An instruction has taken its unit for \p Cycles more than its row of the
  /// machine file says: for reports.
  void busyFor(Cycle Cycles) {
    if (!Units.empty())
      Units.front().Group->BusyCycles += Cycles;
  }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[S, Units, Capacity, Full] = *this;
    A(Full);
  }

private:
  struct Unit {
    uint8_t Pipe;
    uint8_t Scheduler; ///< the first that issues to it
    PipeGroup *Group;
  };
  void setBlocked(bool Block, Cycle At);

  SMState &S;
  std::vector<Unit> Units;
  size_t Capacity = 0;
  bool Full = false;
};

inline QueueFeeders::QueueFeeders(SMState &S,
                                  std::initializer_list<unsigned> Classes)
    : S(S) {
  for (unsigned P = 0; P < S.Pipes.numPipes(); ++P) {
    bool Used = false;
    for (unsigned Class : Classes)
      for (unsigned Type = 0; Type < HEDDLE_NUM_DATA_TYPES; ++Type)
        Used |= S.M.Spec.Ops.at(Class, Type).Pipe == P;
    if (!Used)
      continue;
    for (unsigned Sch = 0; Sch < S.Schedulers.size(); ++Sch)
      if (!Sch || &S.Pipes.group(Sch, P) != Units.back().Group)
        Units.push_back({uint8_t(P), uint8_t(Sch), &S.Pipes.group(Sch, P)});
    Capacity +=
        S.Pipes.units(P) * std::max<size_t>(1, S.M.Spec.Pipes[P].QueueInsts);
  }
}

inline void QueueFeeders::setBlocked(bool Block, Cycle At) {
  for (const Unit &U : Units) {
    if (Block)
      U.Group->Issue.block(At);
    else
      U.Group->Issue.unblock(At);
    S.Schedulers.pipeChanged(U.Pipe, *U.Group, S.Schedulers[U.Scheduler]);
  }
}

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_QUEUEFEEDERS_H
