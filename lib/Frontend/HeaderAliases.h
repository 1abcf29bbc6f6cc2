//===- HeaderAliases.h - Headers that another one stands for ----*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_HEADERALIASES_H
#define HEDDLE_LIB_FRONTEND_HEADERALIASES_H

#include <span>
#include <string_view>

namespace heddle {

/// A library that programs include piece by piece and that Heddle holds in one
/// header: including Prefix + Name + Suffix includes Target.
struct HeaderAliases {
  std::string_view Prefix;
  std::string_view Suffix;
  std::string_view Names; ///< separated by blanks
  std::string_view Target;
  /// The C++ library's header of that name comes first.
  bool IsOfLibrary = false;
};

std::span<const HeaderAliases> headerAliases();

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_HEADERALIASES_H
