//===- StreamView.h - A program's operations on the clock -------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_STREAMVIEW_H
#define HEDDLE_VIEWS_STREAMVIEW_H

#include "streams/StreamSchedule.h"
#include "views/View.h"

namespace heddle::views {

/// How launches and copies overlap. JSON: the object "overlap".
class StreamView : public View {
public:
  StreamView(const launch::Operations &Operations,
             const streams::StreamSchedule &Schedule)
      : Operations(Operations), Schedule(Schedule) {}
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  struct Sums {
    uint64_t Launches = 0, Copies = 0, Bytes = 0;
    double BusyUs = 0; ///< with at least one operation
  };
  void add(size_t Number, Sums &To, std::vector<streams::Span> &Spans) const;
  std::vector<Sums> sums() const;
  /// Of each range, and those inside of it.
  std::vector<Sums> rangeSums() const;
  std::string ranges() const;

  const launch::Operations &Operations;
  const streams::StreamSchedule &Schedule;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_STREAMVIEW_H
