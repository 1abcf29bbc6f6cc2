//===- PageFiles.h - What every report page carries -------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_PAGEFILES_H
#define HEDDLE_VIEWS_PAGEFILES_H

#include <string_view>

namespace heddle::views {

/// Texts that travel inside the binary, so that a page needs nothing else.
struct PageFiles {
  std::string_view Style;
  std::string_view ChartJS;
  std::string_view Base, Sections, Source, Roofline,
      Page; ///< scripts, in this order
};

const PageFiles &pageFiles();

} // namespace heddle::views

#endif // HEDDLE_VIEWS_PAGEFILES_H
