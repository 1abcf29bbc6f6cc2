//===- JSONText.h - JSON as text and as others wrote it ----------*- C++
//-*-===//

#ifndef HEDDLE_BASE_JSONTEXT_H
#define HEDDLE_BASE_JSONTEXT_H

#include <nlohmann/json_fwd.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace heddle {

/// Whether lists and objects of \p Text stand in each other deeper than any
/// file of ours: what walks them by recursion would need as deep a stack.
inline bool nestsTooDeep(std::string_view Text) {
  constexpr unsigned MaxDepth = 256;
  unsigned Depth = 0;
  bool Quoted = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    const char C = Text[I];
    if (Quoted && C == '\\')
      ++I;
    else if (C == '"')
      Quoted = !Quoted;
    else if (!Quoted && (C == '[' || C == '{') && ++Depth > MaxDepth)
      return true;
    else if (!Quoted && (C == ']' || C == '}'))
      Depth -= Depth != 0;
  }
  return false;
}

/// The message for it, behind the name of the file.
inline constexpr char NestsTooDeep[] =
    ": lists stand in each other more than 256 deep";

/// \p J as text. Paths are bytes and JSON is UTF-8: what is none is replaced.
template <typename JSON = nlohmann::ordered_json>
std::string jsonText(const JSON &J, int Indent = -1) {
  return J.dump(Indent, ' ', false, JSON::error_handler_t::replace);
}

/// A value as a message quotes it: its beginning, where it is long.
template <typename JSON> std::string quotedValue(const JSON &Value) {
  constexpr size_t Most = 60;
  const std::string Text = Value.dump();
  return Text.size() > Most ? Text.substr(0, Most) + "..." : Text;
}

} // namespace heddle

#endif // HEDDLE_BASE_JSONTEXT_H
