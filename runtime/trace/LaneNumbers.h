//===- LaneNumbers.h - One number for each of some lanes --------*- C++ -*-===//

#ifndef HEDDLE_TRACE_LANENUMBERS_H
#define HEDDLE_TRACE_LANENUMBERS_H

#include "trace/ByteCode.h"

#include <algorithm>
#include <limits>

namespace heddle::trace {

/// Up to 32 numbers as bytes of equal size, so that the entropy coder of the
/// file sees how often each value comes: (Least + value) << Shift.
struct LaneNumbers {
  uint64_t Values[32];
  unsigned Count = 0;
  unsigned Shift = 0;
  int64_t Least = 0;
  bool Signed = false; ///< Least counts
  unsigned Size = 0;   ///< bytes of each
  /// What an entropy coder will about take: the bits of each number and one
  /// that says how many these are.
  unsigned CostBits = 0;

  void add(uint64_t V) { Values[Count++] = V; }
  std::span<uint64_t> values() { return {Values, Count}; }

  /// For numbers that are not negative.
  void pack(unsigned MaxShift) {
    shift<uint64_t>(MaxShift);
    measure();
  }
  /// For signed numbers: Least becomes the least of them.
  void packSigned(unsigned MaxShift) {
    shift<int64_t>(MaxShift);
    Signed = true;
    Least = Count ? std::numeric_limits<int64_t>::max() : 0;
    for (uint64_t V : values())
      Least = std::min(Least, int64_t(V));
    for (uint64_t &V : values())
      V -= uint64_t(Least);
    measure();
  }
  /// Another first number; the others are packed.
  void setFirst(uint64_t V) {
    Values[0] = V;
    measure();
  }
  void write(std::vector<uint8_t> &Out) const {
    for (unsigned I = 0; I < Count; ++I)
      bytecode::putNumber(Out, Values[I], Size);
  }

private:
  /// Shifts as far as no number loses bits, at most \p MaxShift.
  template <typename T> void shift(unsigned MaxShift) {
    uint64_t All = 0;
    for (uint64_t V : values())
      All |= V;
    Shift = std::min(unsigned(std::countr_zero(All)), MaxShift);
    for (uint64_t &V : values())
      V = uint64_t(T(V) >> Shift);
  }
  void measure() {
    uint64_t All = 0;
    CostBits = Count +
               (Signed ? unsigned(std::bit_width(bytecode::zigzag(Least))) : 0);
    for (uint64_t V : values()) {
      All |= V;
      CostBits += unsigned(std::bit_width(V));
    }
    Size = bytecode::numberSize(All);
  }
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_LANENUMBERS_H
