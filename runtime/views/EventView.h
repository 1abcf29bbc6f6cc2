//===- EventView.h - Views that listen while a launch runs ------*- C++ -*-===//
//
// A question about what happens in a simulation is one file and one row: a
// class in NAME.cpp that counts events, createNAME(), and
// HEDDLE_EVENT_VIEW(NAME, ...) in EventViews.def. `heddle simulate --view` then
// has it, in text and JSON; SM, result and command stay as they are.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_VIEWS_EVENTVIEW_H
#define HEDDLE_VIEWS_EVENTVIEW_H

#include "timing/TimingListener.h"
#include "views/View.h"

#include <memory>
#include <span>
#include <string_view>

namespace heddle::views {

/// Sees the events that it wants() and, where others listen too, events that it
/// has to pass over. Printed after the launch has ended.
class EventView : public View, public timing::TimingListener {};

#define HEDDLE_EVENT_VIEW(NAME, SPELLING, SHOWS)                               \
  std::unique_ptr<EventView> create##NAME();
#include "views/EventViews.def"

struct EventViewRow {
  std::string_view Name, Shows;
  std::unique_ptr<EventView> (*Create)();
};

/// All that there are, by name.
inline std::span<const EventViewRow> eventViews() {
  static constexpr EventViewRow Rows[] = {
#define HEDDLE_EVENT_VIEW(NAME, SPELLING, SHOWS)                               \
  {SPELLING, SHOWS, create##NAME},
#include "views/EventViews.def"
  };
  return Rows;
}

} // namespace heddle::views

#endif // HEDDLE_VIEWS_EVENTVIEW_H
