//===- DevicePrint.cpp - Text that a kernel prints ------------------------===//

#include "heddle/ABI/DevicePrint.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

namespace {

/// Bytes that one block may print: CUDA's buffer holds this many for a launch
/// (cudaLimitPrintfFifoSize, 1 MiB by default).
constexpr size_t MaxBytes = size_t(1) << 20;
/// One conversion with any width and precision that the text may ask for.
constexpr size_t MaxConversion = 512;

/// The arguments of one lane, in order.
struct Lane {
  const uint64_t *Arguments;
  uint32_t Number;
  uint64_t next() {
    uint64_t V = Arguments[Number];
    Arguments += HEDDLE_WARP_SIZE;
    return V;
  }
};

template <typename T>
void append(std::string &Out, const std::string &Spec, T Value) {
  char Text[MaxConversion];
  int N = std::snprintf(Text, sizeof(Text), Spec.c_str(), Value);
  Out.append(Text, std::clamp<int>(N, 0, sizeof(Text) - 1));
}

/// One conversion.
struct Conversion {
  std::string Flags, Length;
  char Kind;
  uint64_t Word; ///< its argument

  /// From after '%' on; \p At becomes what follows it.
  Conversion(const char *&At, Lane &L) {
    for (; *At && std::strchr("-+ #0123456789.*", *At); ++At)
      Flags += *At == '*'
                   ? std::to_string(
                         int(std::clamp<int64_t>(int32_t(L.next()), -200, 200)))
                   : std::string(1, *At);
    for (; *At && std::strchr("hljztL", *At); ++At)
      Length += *At;
    Kind = *At ? *At++ : '%';
    // No number is longer than this with a width below it.
    if (Flags.size() > 16)
      Flags.resize(16);
    Word = L.next();
  }

  /// How many bytes of a string are looked at.
  uint64_t precision() const {
    const size_t Dot = Flags.find('.');
    if (Dot == std::string::npos || Flags.substr(Dot).contains('-'))
      return MaxConversion - 1;
    return std::min<uint64_t>(std::strtoul(&Flags[Dot + 1], nullptr, 10),
                              MaxConversion - 1);
  }
};

void convert(std::string &Out, const Conversion &C) {
  const auto &[Flags, Length, Kind, Word] = C;
  const bool Wide = Length == "l" || Length == "ll" || Length == "j" ||
                    Length == "z" || Length == "t";
  switch (Kind) {
  case 'd':
  case 'i': {
    int64_t V = Wide             ? int64_t(Word)
                : Length == "h"  ? int16_t(Word)
                : Length == "hh" ? int8_t(Word)
                                 : int32_t(Word);
    append(Out, "%" + Flags + "lld", static_cast<long long>(V));
    break;
  }
  case 'u':
  case 'o':
  case 'x':
  case 'X': {
    uint64_t V = Wide             ? Word
                 : Length == "h"  ? uint16_t(Word)
                 : Length == "hh" ? uint8_t(Word)
                                  : uint32_t(Word);
    append(Out, "%" + Flags + "ll" + Kind, static_cast<unsigned long long>(V));
    break;
  }
  case 'c':
    append(Out, "%" + Flags + "c", int(uint8_t(Word)));
    break;
  case 'p':
    append(Out, "%" + Flags + "p", std::bit_cast<const void *>(Word));
    break;
  case 's':
    append(Out,
           "%" + Flags.substr(0, Flags.find('.')) + '.' +
               std::to_string(C.precision()) + 's',
           Word ? std::bit_cast<const char *>(Word) : "(null)");
    break;
  default:
    append(Out, "%" + Flags + Kind, std::bit_cast<double>(Word));
    break;
  }
}

std::string position(const HeddleWarp &W, uint32_t Lane) {
  std::string Text = "block: [";
  for (unsigned I = 0; I < 3; ++I)
    Text += (I ? "," : "") + std::to_string(W.BlockIdx[I]);
  return Text + "], thread: [" + std::to_string(W.TidX[Lane]) + "," +
         std::to_string(W.TidY[Lane]) + "," + std::to_string(W.TidZ[Lane]) +
         "]";
}

} // namespace

extern "C" void heddlePrint(HeddleWarp *Warp, const char *Format, uint32_t Mask,
                            const uint64_t *Arguments) {
  auto *Out = static_cast<std::string *>(Warp->Printer);
  if (!Out)
    return;
  for (; Mask && Out->size() < MaxBytes; Mask &= Mask - 1) {
    Lane L{Arguments, uint32_t(std::countr_zero(Mask))};
    for (const char *At = Format; *At;) {
      if (*At != '%') {
        *Out += *At++;
      } else if (*++At == '%') {
        *Out += *At++;
      } else if (*At == '@') {
        *Out += position(*Warp, L.Number);
        ++At;
      } else {
        convert(*Out, Conversion(At, L));
      }
    }
  }
}

extern "C" void heddlePrintedStrings(const char *Format, uint32_t Number,
                                     const uint64_t *Arguments,
                                     HeddleStringVisit Visit, void *Context) {
  Lane L{Arguments, Number};
  for (const char *At = Format; *At;) {
    if (*At++ != '%')
      continue;
    if (*At == '%' || *At == '@') {
      ++At;
      continue;
    }
    const Conversion C(At, L);
    if (C.Kind == 's' && C.Word) // null is "(null)"
      Visit(Context, C.Word, C.precision());
  }
}
