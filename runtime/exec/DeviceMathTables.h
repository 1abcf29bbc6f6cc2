//===- DeviceMathTables.h - The parts of the function table -----*- C++ -*-===//

#ifndef HEDDLE_EXEC_DEVICEMATHTABLES_H
#define HEDDLE_EXEC_DEVICEMATHTABLES_H

#include "heddle/ABI/DeviceMath.h"

#include <span>

namespace heddle::exec {

std::span<const HeddleMathEntry> libraryMath();      // DeviceMath.cpp
std::span<const HeddleMathEntry> singleMath();       // DeviceMathSingle.cpp
std::span<const HeddleMathEntry> deviceIntrinsics(); // DeviceIntrinsics.cpp

/// Applies a scalar function to every lane. F is a stateless callable.
template <auto F, typename R, typename... A, typename... P>
inline void lanes(void *Result, P... Args) {
  for (unsigned L = 0; L < 32; ++L)
    static_cast<R *>(Result)[L] = F(static_cast<const A *>(Args)[L]...);
}

/// The HeddleMathFunction of a scalar function.
template <auto F, typename R, typename A>
void unary(void *Out, const void *X, const void *, const void *) {
  lanes<F, R, A>(Out, X);
}
template <auto F, typename R, typename A, typename B>
void binary(void *Out, const void *X, const void *Y, const void *) {
  lanes<F, R, A, B>(Out, X, Y);
}
template <auto F, typename R, typename A, typename B, typename C>
void ternary(void *Out, const void *X, const void *Y, const void *Z) {
  lanes<F, R, A, B, C>(Out, X, Y, Z);
}

} // namespace heddle::exec

#endif // HEDDLE_EXEC_DEVICEMATHTABLES_H
