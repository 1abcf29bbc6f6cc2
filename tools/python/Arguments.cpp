//===- Arguments.cpp - Python values as arguments of a launch -------------===//

#include "Arguments.h"

#include <fmt/format.h>

#include <array>

namespace py = pybind11;

namespace heddle::python {

namespace {

/// NumPy's character and size of each launch::ScalarType.
constexpr std::array<std::pair<char, unsigned>, 11> Types = {{{'i', 1},
                                                              {'u', 1},
                                                              {'i', 2},
                                                              {'u', 2},
                                                              {'i', 4},
                                                              {'u', 4},
                                                              {'i', 8},
                                                              {'u', 8},
                                                              {'f', 2},
                                                              {'f', 4},
                                                              {'f', 8}}};

std::optional<launch::ScalarType> scalarType(char Kind, uint64_t Size) {
  if (Kind == 'b')
    Kind = 'u';
  for (size_t I = 0; I < Types.size(); ++I)
    if (Types[I] == std::pair(Kind, unsigned(Size)))
      return launch::ScalarType(I);
  return std::nullopt;
}

Dim3 dim3(py::handle Value, const char *What) {
  auto OutOf = [&] {
    return py::value_error(
        fmt::format("{} is one to three positive numbers", What));
  };
  std::array<uint32_t, 3> D = {1, 1, 1};
  if (py::isinstance<py::int_>(Value)) {
    D[0] = Value.cast<uint32_t>();
  } else {
    auto Sequence = Value.cast<py::sequence>();
    if (Sequence.empty() || Sequence.size() > 3)
      throw OutOf();
    for (size_t I = 0; I < Sequence.size(); ++I)
      D[I] = Sequence[I].cast<uint32_t>();
  }
  if (!D[0] || !D[1] || !D[2])
    throw OutOf();
  return {D[0], D[1], D[2]};
}

launch::BufferArg bufferOf(py::array Array, const Kernel::Argument &To) {
  const auto Type = scalarType(Array.dtype().kind(), Array.itemsize());
  if (!Type)
    throw py::type_error(
        fmt::format("{}: kernels take no elements of type {}", To.Name,
                    py::str(static_cast<const py::object &>(Array.dtype()))
                        .cast<std::string>()));
  if (!(Array.flags() & py::array::c_style))
    throw py::value_error(fmt::format(
        "{}: the array is not contiguous; pass numpy.ascontiguousarray of it",
        To.Name));
  launch::BufferArg B;
  B.Name = To.Name;
  B.Type = *Type;
  B.Count = uint64_t(Array.size());
  B.Init = launch::InitMemory{
      {static_cast<const uint8_t *>(Array.data()), size_t(Array.nbytes())}};
  return B;
}

launch::ScalarArg scalarOf(py::handle Value, const Kernel::Argument &To) {
  launch::ScalarArg S;
  auto Given = scalarType(To.IsFloat ? 'f' : 'i', To.SizeBytes);
  if (py::hasattr(Value, "dtype")) { // a number of NumPy has a type
    auto Type = Value.attr("dtype").cast<py::dtype>();
    Given = scalarType(Type.kind(), Type.itemsize());
  }
  if (!Given)
    throw py::type_error(
        fmt::format("{}: a '{}' is no number; pass it as text, e.g. "
                    "\"struct=i32=1;f32=2\"",
                    To.Name, To.Type));
  S.Type = *Given;
  if (Types[size_t(S.Type)].first == 'f')
    S.Float = py::float_(py::reinterpret_borrow<py::object>(Value));
  else if (py::isinstance<py::float_>(Value))
    throw py::type_error(fmt::format("{}: '{}' takes an integer, not {}",
                                     To.Name, To.Type,
                                     py::repr(Value).cast<std::string>()));
  else
    S.Integer = int64_t(PyLong_AsUnsignedLongLongMask(
        py::int_(py::reinterpret_borrow<py::object>(Value)).ptr()));
  return S;
}

launch::Argument argumentOf(py::handle Value, const Kernel::Argument &To,
                            LaunchValues &Out) {
  if (py::isinstance<py::str>(Value)) {
    auto Parsed = launch::parseArgument(Value.cast<std::string>());
    if (!Parsed)
      throw py::value_error(To.Name + ": " + Parsed.error().Message);
    if (auto *B = std::get_if<launch::BufferArg>(&Parsed->Value))
      if (B->Name.empty())
        B->Name = To.Name;
    return *Parsed;
  }
  if (!To.IsPointer)
    return {scalarOf(Value, To)};
  if (!py::isinstance<py::array>(Value))
    throw py::type_error(
        fmt::format("{}: '{}' takes an array of NumPy, or text as "
                    "\"f32[1024]=zero\"",
                    To.Name, To.Type));
  auto Array = py::reinterpret_borrow<py::array>(Value);
  Out.Kept.push_back(Array);
  return {bufferOf(Array, To)};
}

} // namespace

LaunchValues makeLaunch(const Kernel &K, py::handle Grid, py::handle Block,
                        py::handle Args, uint64_t DynamicSharedBytes) {
  LaunchValues Out;
  Out.Launch.Kernel = K.Name;
  Out.Launch.Grid = dim3(Grid, "grid");
  Out.Launch.Block = dim3(Block, "block");
  Out.Launch.DynamicSharedBytes = DynamicSharedBytes;
  if (py::isinstance<py::dict>(Args)) {
    auto ByName = py::reinterpret_borrow<py::dict>(Args);
    for (const Kernel::Argument &A : K.Arguments) {
      if (!ByName.contains(A.Name))
        throw py::value_error(
            fmt::format("{} has no value for '{}'", K.Name, A.Name));
      Out.Launch.Args.push_back(argumentOf(ByName[py::str(A.Name)], A, Out));
    }
    if (ByName.size() != K.Arguments.size())
      throw py::value_error(
          fmt::format("{} has {} parameters, but {} values were given", K.Name,
                      K.Arguments.size(), ByName.size()));
    return Out;
  }
  auto ByPlace = Args.cast<py::sequence>();
  if (ByPlace.size() != K.Arguments.size())
    throw py::value_error(
        fmt::format("{} has {} parameters, but {} values were given", K.Name,
                    K.Arguments.size(), ByPlace.size()));
  for (size_t I = 0; I < K.Arguments.size(); ++I)
    Out.Launch.Args.push_back(argumentOf(ByPlace[I], K.Arguments[I], Out));
  return Out;
}

py::dtype dtypeOf(std::optional<launch::ScalarType> Type) {
  const auto [Kind, Size] = Type ? Types[size_t(*Type)] : std::pair('u', 1u);
  return py::dtype(fmt::format("{}{}", Kind, Size));
}

} // namespace heddle::python
