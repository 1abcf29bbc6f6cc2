//===- AdviceView.h - What lifting each limit would bring -------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_ADVICEVIEW_H
#define HEDDLE_VIEWS_ADVICEVIEW_H

#include "views/View.h"

#include <cstdint>

namespace heddle::views {

/// One limit of the machine, lifted alone.
struct Lift {
  std::string Limit;             ///< e.g. "uncoalesced accesses"
  std::vector<std::string> Sets; ///< FIELD=VALUE: what the model ran with
  std::string Hint;              ///< what a programmer can do about it
  uint64_t Cycles = 0;           ///< without the limit
  std::string File;              ///< of the line that pays most for the limit
  uint32_t Line = 0;             ///< 0: not known
};

/// The lifts, the largest gain first. A gain is an upper bound: a change of the
/// code seldom lifts a limit as a whole, and gains do not add up. JSON key:
/// advice.
class AdviceView : public View {
public:
  AdviceView(std::string Model, uint64_t Cycles, std::vector<Lift> Lifts,
             std::vector<std::string> NotModelled,
             std::vector<std::string> NotTried = {});
  /// Whether all limits were tried.
  bool isWhole() const { return NotTried.empty(); }
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  double speedUp(const Lift &L) const {
    return L.Cycles ? double(Cycles) / double(L.Cycles) : 1;
  }

  std::string Model;
  uint64_t Cycles; ///< with all limits
  std::vector<Lift> Lifts;
  std::vector<std::string> NotModelled; ///< limits that the model does not have
  std::vector<std::string> NotTried;    ///< for want of time
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_ADVICEVIEW_H
