//===- Call.h - What each function of the API begins with -------*- C++ -*-===//

#ifndef HEDDLE_CUDA_LAYER_CALL_H
#define HEDDLE_CUDA_LAYER_CALL_H

#include "Exported.h"

#include "cuda/Device.h"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

namespace heddle::cuda {

/// Names of the NVTX ranges that are open in the calling thread, outermost
/// first (Ranges.cpp).
std::vector<std::string> openRanges();

/// Whether the library has \p Function only to refuse it (Refused.cpp).
bool isRefused(std::string_view Function);

/// One call: holds the device's lock, counts, and keeps the error. Functions
/// of the API that call others are one call, with the name of the first.
class Call {
public:
  explicit Call(const char *Name)
      : Guard(device().lock()), IsOutermost(device().enter(Name)) {
    if (Recorder *Log = IsOutermost ? device().recorder() : nullptr) {
      Log->count(name());
      Log->inRanges(openRanges());
    }
  }
  ~Call() { device().leave(); }
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;
  static Device &device() { return Device::get(); }
  const char *name() const { return device().call(); }

  /// What the call returns; remembered for cudaGetLastError.
  cudaError_t operator()(Status S) const {
    if (S != Status::Success)
      lastError() = S;
    return cudaError_t(S);
  }
  /// The same with a line on stderr.
  cudaError_t refuse(Status S, const std::string &Message) const {
    return (*this)(device().report(S, name(), Message));
  }
  cudaError_t done() const { return (*this)(device().sticky()); }
  /// Refuses any number but that of the one device.
  cudaError_t checkDevice(int Index) const {
    return Index == 0
               ? done()
               : refuse(Status::InvalidDevice,
                        fmt::format("there is no device {}; only device 0",
                                    Index));
  }
  cudaError_t refuseNull() const {
    return refuse(Status::InvalidValue, "a null pointer");
  }
  /// Done, with \p Value for the program.
  template <typename T, typename U> cudaError_t give(T *To, U Value) const {
    if (!To)
      return refuseNull();
    *To = T(Value);
    return done();
  }

  /// Of the calling thread.
  static Status &lastError() {
    thread_local Status Last = Status::Success;
    return Last;
  }

private:
  std::lock_guard<std::recursive_mutex> Guard;
  const bool IsOutermost;
};

/// Declares `Enter` in a function of the API.
#define ENTER heddle::cuda::Call Enter(__func__)

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_LAYER_CALL_H
