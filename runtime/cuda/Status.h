//===- Status.h - Error codes of CUDA ---------------------------*- C++ -*-===//

#ifndef HEDDLE_CUDA_STATUS_H
#define HEDDLE_CUDA_STATUS_H

namespace heddle::cuda {

/// Those of cudaError_t, and as far as they are below 1000 of CUresult, that
/// the library gives.
enum class Status : int {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  NotInitialized = 3,
  InvalidConfiguration = 9,
  InvalidSymbol = 13,
  InvalidMemcpyDirection = 21,
  MissingConfiguration = 52,
  InvalidDeviceFunction = 98,
  InvalidDevice = 101,
  InvalidImage = 200,
  NoImageForDevice = 209,
  InvalidPTX = 218,
  FileNotFound = 301,
  OperatingSystem = 304,
  InvalidHandle = 400,
  IllegalState = 401,
  NotFound = 500,
  IllegalAddress = 700,
  OutOfResources = 701,
  Timeout = 702,
  PeerAccessNotEnabled = 705,
  HostMemoryAlreadyRegistered = 712,
  HostMemoryNotRegistered = 713,
  Assert = 710,
  LaunchFailure = 719,
  CooperativeTooLarge = 720,
  InvalidClusterSize = 912,
  NotSupported = 801,
  CaptureUnsupported = 900,
  CaptureInvalidated = 901,
  CaptureUnmatched = 903,
  CaptureUnjoined = 904,
  GraphUpdateFailed = 910,
  Unknown = 999
};

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_STATUS_H
