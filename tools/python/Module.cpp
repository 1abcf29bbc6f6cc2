//===- Module.cpp - heddle/Heddle.h for Python ----------------------------===//
//
// The compiled half of the package `heddle` (docs/Python.md): thin classes over
// the library. Work runs without Python's global lock; from time to time it
// asks whether there was a Ctrl-C and calls the progress callback.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"

#include "exec/DeviceMemory.h"
#include "heddle/Driver/Session.h"
#include "views/MachineView.h"

#include <nlohmann/json.hpp>
#include <pybind11/functional.h>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace heddle::python {

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
