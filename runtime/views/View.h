//===- View.h - One aspect of a result, as text and as JSON -----*- C++ -*-===//

#ifndef HEDDLE_VIEWS_VIEW_H
#define HEDDLE_VIEWS_VIEW_H

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace heddle::views {

/// Keys keep the order in which they are set, so that output is the same bytes
/// every time.
using JSON = nlohmann::ordered_json;

/// A row of a summary that lists the fields of the machine that the user set
/// and the model does not read; its key in JSON is "ignored".
std::string ignoredText(const std::vector<std::string> &Fields);

/// A view sums a result up in a struct of its own when it is made, and prints
/// that struct in two forms.
class View {
public:
  virtual ~View() = default;
  /// A paragraph with its heading, ending in a newline; empty if there is
  /// nothing to tell.
  virtual std::string text() const = 0;
  /// Adds this view's keys to the object \p Out.
  virtual void addTo(JSON &Out) const = 0;
};

} // namespace heddle::views

#endif // HEDDLE_VIEWS_VIEW_H
