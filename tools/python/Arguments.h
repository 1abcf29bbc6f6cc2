//===- Arguments.h - Python values as arguments of a launch -----*- C++ -*-===//

#ifndef HEDDLE_PYTHON_ARGUMENTS_H
#define HEDDLE_PYTHON_ARGUMENTS_H

#include "heddle/Heddle.h"

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <vector>

namespace heddle::python {

/// A launch, and the arrays whose bytes it reads when its buffers are filled.
struct LaunchValues {
  launch::Launch Launch;
  std::vector<pybind11::object> Kept;
};

/// Grid and block are an int or up to three of them. \p Args has a value for
/// each parameter, by place or by name: an array of NumPy for a pointer, which
/// is not copied before the launch fills its buffers; a number for a scalar;
/// a string as --arg takes it. Throws ValueError or TypeError, which name the
/// parameter.
LaunchValues makeLaunch(const Kernel &K, pybind11::handle Grid,
                        pybind11::handle Block, pybind11::handle Args,
                        uint64_t DynamicSharedBytes);

/// NumPy's type of a buffer's elements; bytes if it has none.
pybind11::dtype dtypeOf(std::optional<launch::ScalarType> Type);

} // namespace heddle::python

#endif // HEDDLE_PYTHON_ARGUMENTS_H
