//===- Module.cpp - heddle/Heddle.h for Python ----------------------------===//
//
// The compiled half of the package `heddle` (docs/Python.md): thin classes over
// the library. Work runs without Python's global lock; from time to time it
// asks whether there was a Ctrl-C and calls the progress callback.
//
//===----------------------------------------------------------------------===//

#include "exec/DeviceMemory.h"
#include "heddle/Driver/Session.h"
#include "heddle/Heddle.h"
#include "views/MachineView.h"

#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <pybind11/functional.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>
#include <vector>

namespace py = pybind11;

namespace heddle::python {

namespace {
/// A launch, and the arrays whose bytes it reads when its buffers are filled.
struct LaunchValues {
  launch::Launch Launch;
  std::vector<pybind11::object> Kept;
};
} // namespace

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
  auto Size = [&](py::handle Given) {
    try {
      return Given.cast<uint32_t>();
    } catch (const py::cast_error &) { // negative, or too large
      throw OutOf();
    }
  };
  std::array<uint32_t, 3> D = {1, 1, 1};
  if (py::isinstance<py::int_>(Value)) {
    D[0] = Size(Value);
  } else {
    auto Sequence = Value.cast<py::sequence>();
    if (Sequence.empty() || Sequence.size() > 3)
      throw OutOf();
    for (size_t I = 0; I < Sequence.size(); ++I)
      D[I] = Size(Sequence[I]);
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

/// The number \p Given, which fits into \p Bytes with a sign or without.
int64_t integerOf(py::handle Given, const Kernel::Argument &To,
                  unsigned Bytes) {
  const py::int_ Number(py::reinterpret_borrow<py::object>(Given));
  const py::object Top = py::int_(1) << py::int_(8 * Bytes);
  if (Number >= Top || Number < -(Top >> py::int_(1)))
    throw py::value_error(fmt::format(
        "{}: {} does not fit into the {} bytes "
        "of '{}'",
        To.Name, py::str(Number).cast<std::string>(), Bytes, To.Type));
  return int64_t(PyLong_AsUnsignedLongLongMask(Number.ptr()));
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
    S.Integer = integerOf(Value, To, unsigned(Types[size_t(S.Type)].second));
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

/// Grid and block are an int or up to three of them. \p Args has a value for
/// each parameter, by place or by name: an array of NumPy for a pointer, which
/// is not copied before the launch fills its buffers; a number for a scalar;
/// a string as --arg takes it. Throws ValueError or TypeError, which name the
/// parameter.
static LaunchValues makeLaunch(const Kernel &K, py::handle Grid,
                               py::handle Block, py::handle Args,
                               uint64_t DynamicSharedBytes) {
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

/// NumPy's type of a buffer's elements; bytes if it has none.
static py::dtype dtypeOf(std::optional<launch::ScalarType> Type) {
  const auto [Kind, Size] = Type ? Types[size_t(*Type)] : std::pair('u', 1u);
  return py::dtype(fmt::format("{}{}", Kind, Size));
}

namespace {

/// An error of the library on its way to becoming an exception.
struct HeddleError : std::runtime_error {
  Failure::Kind Is;
  HeddleError(Failure::Kind Is, const std::string &Message)
      : std::runtime_error(Message), Is(Is) {}
};

[[noreturn]] void raise(llvm::Error E) {
  Failure::Kind Is = Failure::Input;
  std::string Message;
  llvm::handleAllErrors(
      std::move(E),
      [&](const Failure &F) {
        Is = F.kind();
        Message = F.text();
      },
      [&](const llvm::ErrorInfoBase &Other) { Message = Other.message(); });
  throw HeddleError(Is, Message);
}

template <typename T> T take(llvm::Expected<T> Value) {
  if (!Value)
    raise(Value.takeError());
  return std::move(*Value);
}
template <typename T> T take(Result<T> Value) {
  return take(expected(std::move(Value)));
}

/// Runs \p Work without the global lock and returns what it does, unless the
/// callback raised: then the exception.
template <typename Function> auto unlocked(Function Work) {
  auto Result = [&] {
    py::gil_scoped_release Release;
    return Work();
  }();
  if (!PyErr_Occurred())
    return Result;
  if constexpr (std::is_same_v<decltype(Result), llvm::Error>)
    llvm::consumeError(std::move(Result));
  else
    llvm::consumeError(Result.takeError());
  throw py::error_already_set();
}

/// The library's callback for a function of Python, which may be none. What it
/// raises ends the work and is raised to the caller.
ProgressCallback progress(const py::object &OnProgress) {
  // Copies of the callback are made and dropped without the lock.
  std::shared_ptr<py::object> Held(new py::object(OnProgress),
                                   [](py::object *Object) {
                                     py::gil_scoped_acquire Lock;
                                     delete Object;
                                   });
  return [Held](uint64_t Done, uint64_t Total, uint64_t Work) {
    py::gil_scoped_acquire Lock;
    // It may be told again after it has said no.
    if (PyErr_Occurred() || PyErr_CheckSignals() != 0)
      return false;
    if (Held->is_none())
      return true;
    try {
      py::object Answer = (*Held)(Done, Total, Work);
      return Answer.is_none() || Answer.cast<bool>();
    } catch (py::error_already_set &E) {
      E.restore();
      return false;
    }
  };
}

arch::GPUSpec machine(const std::string &Name,
                      const std::vector<std::string> &Sets) {
  return take(arch::loadMachine(Name, Sets));
}

ModelOptions modelOptions(unsigned Threads, bool WarmL2,
                          const py::object &OnProgress) {
  return {
      .Threads = Threads, .WarmL2 = WarmL2, .OnProgress = progress(OnProgress)};
}

/// A launch and the arrays that fill its buffers.
struct Launch {
  std::vector<py::object> Kept;
  BoundLaunch Bound;

  /// The bytes on the device as an array of NumPy, without a copy. It is valid
  /// as long as the launch, which it keeps, and until the next prediction.
  static py::array view(py::object Self, const std::string &Name) {
    auto &L = Self.cast<Launch &>();
    Session &S = L.Bound.session();
    if (llvm::Error E = S.fill())
      raise(std::move(E));
    const exec::DeviceBuffer *B = S.memory().findArgument(Name);
    if (!B)
      throw py::key_error("the launch has no buffer called '" + Name + "'");
    const py::dtype Type = dtypeOf(B->Type);
    return py::array(Type, {py::ssize_t(B->SizeBytes) / Type.itemsize()},
                     reinterpret_cast<const void *>(B->Address), Self);
  }
};

TraceMode traceMode(const std::string &Name) {
  for (auto [Mode, Text] : {std::pair(TraceMode::Auto, "auto"),
                            std::pair(TraceMode::Executed, "executed"),
                            std::pair(TraceMode::Sliced, "sliced"),
                            std::pair(TraceMode::Static, "static")})
    if (Name == Text)
      return Mode;
  throw py::value_error("mode is auto, executed, sliced or static");
}

} // namespace

PYBIND11_MODULE(_heddle, M) {
  M.attr("__version__") = HEDDLE_VERSION;
  static py::exception<HeddleError> Error(M, "Error", PyExc_RuntimeError);
  static py::exception<HeddleError> Cancelled(M, "Cancelled", Error.ptr());
  py::register_exception_translator([](std::exception_ptr P) {
    try {
      if (P)
        std::rethrow_exception(P);
    } catch (const HeddleError &E) {
      PyErr_SetString(
          E.Is == Failure::Cancelled ? Cancelled.ptr() : Error.ptr(), E.what());
    }
  });

  py::class_<Kernel::Argument>(M, "Argument")
      .def_readonly("name", &Kernel::Argument::Name)
      .def_readonly("type", &Kernel::Argument::Type)
      .def_readonly("is_pointer", &Kernel::Argument::IsPointer);
  py::class_<Kernel>(M, "KernelInfo")
      .def_readonly("name", &Kernel::Name)
      .def_readonly("arguments", &Kernel::Arguments)
      .def_readonly("static_shared_bytes", &Kernel::StaticSharedBytes);

  py::class_<Prediction>(M, "Prediction")
      .def_readonly("text", &Prediction::Text)
      .def_readonly("json", &Prediction::JSON)
      .def_readonly("model", &Prediction::Model)
      .def_readonly("kernel", &Prediction::Kernel)
      .def_readonly("gpu", &Prediction::GPU)
      .def_readonly("cycles", &Prediction::Cycles)
      .def_readonly("time_us", &Prediction::TimeUs)
      .def_readonly("warp_instructions", &Prediction::WarpInstructions)
      .def_readonly("ipc", &Prediction::IPC)
      .def_property_readonly("waits", [](const Prediction &P) {
        py::list Out;
        for (const Prediction::Wait &W : P.Waits)
          Out.append(py::make_tuple(W.Name, W.CyclesPerInst, W.Share));
        return Out;
      });

  py::class_<Trace>(M, "Trace")
      .def_static(
          "open",
          [](const std::string &File) { return take(Trace::open(File)); })
      .def("write",
           [](const Trace &T, const std::string &File) {
             if (auto E = unlocked([&] { return T.write(File); }))
               raise(std::move(E));
           })
      .def("predict", [](const Trace &T, const std::string &GPU,
                         const std::string &Model,
                         const std::vector<std::string> &Sets, unsigned Threads,
                         bool WarmL2, py::object OnProgress) {
        const arch::GPUSpec On = machine(GPU, Sets);
        const ModelOptions Options = modelOptions(Threads, WarmL2, OnProgress);
        return take(unlocked([&] { return predict(T, On, Model, Options); }));
      });

  py::class_<Launch>(M, "Launch")
      .def("run",
           [](Launch &L, py::object OnProgress) {
             const ProgressCallback Tell = progress(OnProgress);
             if (auto E = unlocked([&] { return L.Bound.run(Tell); }))
               raise(std::move(E));
           })
      .def("reset",
           [](Launch &L) {
             if (auto E = L.Bound.reset())
               raise(std::move(E));
           })
      .def("buffer", &Launch::view)
      .def("predict",
           [](Launch &L, const std::string &GPU, const std::string &Model,
              const std::vector<std::string> &Sets, unsigned Threads,
              bool WarmL2, py::object OnProgress) {
             const arch::GPUSpec On = machine(GPU, Sets);
             const ModelOptions Options =
                 modelOptions(Threads, WarmL2, OnProgress);
             return take(
                 unlocked([&] { return L.Bound.predict(On, Model, Options); }));
           })
      .def("trace",
           [](Launch &L, const std::string &Mode, py::object OnProgress) {
             const TraceMode As = traceMode(Mode);
             const ProgressCallback Tell = progress(OnProgress);
             return take(unlocked([&] { return L.Bound.trace(As, Tell); }));
           });

  py::class_<Program>(M, "Program")
      .def_static(
          "compile",
          [](const std::string &Path, const std::string &Arch,
             const std::vector<std::string> &ClangArgs,
             const std::vector<std::string> &LinkWith, unsigned OptLevel) {
            const Source From{Path, Arch, ClangArgs, LinkWith, OptLevel};
            return take(unlocked([&] { return Program::compile(From); }));
          })
      .def("kernels", &Program::kernels)
      .def("notes", &Program::notes)
      .def("launch",
           [](const Program &P, const Kernel &K, py::object Grid,
              py::object Block, py::object Args, uint64_t DynamicShared) {
             LaunchValues V = makeLaunch(K, Grid, Block, Args, DynamicShared);
             return Launch{std::move(V.Kept), take(P.bind(V.Launch))};
           })
      .def("launch_file", [](const Program &P, const std::string &Path) {
        return Launch{{}, take(P.bind(take(launch::readLaunchFile(Path))))};
      });

  M.def("machines", [] {
    std::vector<std::string> Names;
    for (std::string_view Name : arch::builtinMachines())
      Names.emplace_back(Name);
    return Names;
  });
  M.def("machine_json",
        [](const std::string &Name, const std::vector<std::string> &Sets) {
          return views::machineJSON(machine(Name, Sets)).dump();
        });
  M.def("models", &modelNames);
}

} // namespace heddle::python
