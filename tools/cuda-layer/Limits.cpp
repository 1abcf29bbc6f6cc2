//===- Limits.cpp - Numbers and texts of the APIs -------------------------===//

#include "Limits.h"

#include <cmath>
#include <cuda_runtime_api.h>

#include <algorithm>

namespace heddle::cuda {

/// Of the machine's description, in the units of CUDA.
static std::optional<int> ofMachine(Device &D, int Which) {
  const arch::GPUSpec &M = D.machine();
  constexpr uint32_t DefaultShared = 48 * 1024;
  switch (Which) {
  case cudaDevAttrMaxThreadsPerBlock:
    return int(M.SM.MaxThreadsPerBlock);
  case cudaDevAttrMaxSharedMemoryPerBlock:
    return int(std::min(M.Shared.MaxPerBlock, DefaultShared));
  case cudaDevAttrMaxSharedMemoryPerBlockOptin:
    return int(M.Shared.MaxPerBlock);
  case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
    return int(M.Shared.Size);
  case cudaDevAttrMaxRegistersPerBlock:
  case cudaDevAttrMaxRegistersPerMultiprocessor:
    return int(M.SM.Registers);
  case cudaDevAttrClockRate: // kHz
    return int(M.Clock.Core * 1000);
  case cudaDevAttrMemoryClockRate:
    return int(M.Clock.DRAM * 1000);
  case cudaDevAttrGlobalMemoryBusWidth: // so that 2 x clock x width fits
    return M.Clock.DRAM > 0 ? int(std::lround(M.DRAM.Bandwidth * 1e9 * 8 /
                                              (2 * M.Clock.DRAM * 1e6)))
                            : 0;
  case cudaDevAttrMultiProcessorCount:
    return int(M.SM.Count);
  case cudaDevAttrL2CacheSize:
    return int(M.L2.TotalSize);
  case cudaDevAttrMaxThreadsPerMultiProcessor:
    return int(M.SM.MaxWarps * 32);
  case cudaDevAttrMaxBlocksPerMultiprocessor:
    return int(M.SM.MaxBlocks);
  case cudaDevAttrComputeCapabilityMajor:
    return int(D.capability() / 10);
  case cudaDevAttrComputeCapabilityMinor:
    return int(D.capability() % 10);
  }
  return std::nullopt;
}

/// CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, which the runtime
/// API does not name.
static constexpr int VirtualMemoryManagement = 102;

std::optional<int> deviceAttribute(Device &D, int Which) {
  if (const auto Value = ofMachine(D, Which))
    return Value;
  switch (Which) { // the same of all devices that Heddle describes
  case cudaDevAttrMaxBlockDimX:
  case cudaDevAttrMaxBlockDimY:
    return 1024;
  case cudaDevAttrMaxBlockDimZ:
    return 64;
  case cudaDevAttrClusterLaunch:
    return D.machine().Cluster.MaxBlocks > 0;
  case cudaDevAttrMaxGridDimX:
  case cudaDevAttrMaxPitch:
    return 0x7fffffff;
  case cudaDevAttrMaxGridDimY:
  case cudaDevAttrMaxGridDimZ:
    return 65535;
  case cudaDevAttrWarpSize:
  case cudaDevAttrTexturePitchAlignment:
    return 32;
  case cudaDevAttrTotalConstantMemory:
    return 65536;
  case cudaDevAttrTextureAlignment:
  case cudaDevAttrSurfaceAlignment:
    return 512;
  case cudaDevAttrGpuOverlap:
  case cudaDevAttrCanMapHostMemory:
  case cudaDevAttrConcurrentKernels:
  case cudaDevAttrUnifiedAddressing:
  case cudaDevAttrStreamPrioritiesSupported:
  case cudaDevAttrGlobalL1CacheSupported:
  case cudaDevAttrLocalL1CacheSupported:
  case cudaDevAttrManagedMemory:
  case cudaDevAttrConcurrentManagedAccess:
  case cudaDevAttrCooperativeLaunch:
  case cudaDevAttrMemoryPoolsSupported:
  case cudaDevAttrHostRegisterSupported:
  case cudaDevAttrCanUseHostPointerForRegisteredMem:
  case VirtualMemoryManagement:
    return 1;
  case cudaDevAttrAsyncEngineCount:
    return 2;
  }
  // What devices lack here: peers.
  if (Which > 0 && Which <= cudaDevAttrOnlyPartialHostNativeAtomicSupported)
    return 0;
  return std::nullopt;
}

const ErrorRow &errorRow(int Code) {
  static constexpr ErrorRow Rows[] = {
      {0, "cudaSuccess", "CUDA_SUCCESS", "no error"},
      {1, "cudaErrorInvalidValue", "CUDA_ERROR_INVALID_VALUE",
       "invalid argument"},
      {2, "cudaErrorMemoryAllocation", "CUDA_ERROR_OUT_OF_MEMORY",
       "out of memory"},
      {3, "cudaErrorInitializationError", "CUDA_ERROR_NOT_INITIALIZED",
       "initialization error"},
      {9, "cudaErrorInvalidConfiguration", nullptr,
       "invalid configuration argument"},
      {13, "cudaErrorInvalidSymbol", nullptr, "invalid device symbol"},
      {21, "cudaErrorInvalidMemcpyDirection", nullptr,
       "invalid copy direction for memcpy"},
      {52, "cudaErrorMissingConfiguration", nullptr,
       "__global__ function call is not configured"},
      {98, "cudaErrorInvalidDeviceFunction", nullptr,
       "invalid device function"},
      {100, "cudaErrorNoDevice", "CUDA_ERROR_NO_DEVICE",
       "no CUDA-capable device is detected"},
      {101, "cudaErrorInvalidDevice", "CUDA_ERROR_INVALID_DEVICE",
       "invalid device ordinal"},
      {200, "cudaErrorInvalidKernelImage", "CUDA_ERROR_INVALID_IMAGE",
       "device kernel image is invalid"},
      {209, "cudaErrorNoKernelImageForDevice", "CUDA_ERROR_NO_BINARY_FOR_GPU",
       "no kernel image is available for execution on the device"},
      {218, "cudaErrorInvalidPtx", "CUDA_ERROR_INVALID_PTX",
       "a PTX JIT compilation failed"},
      {301, "cudaErrorFileNotFound", "CUDA_ERROR_FILE_NOT_FOUND",
       "file not found"},
      {304, "cudaErrorOperatingSystem", "CUDA_ERROR_OPERATING_SYSTEM",
       "OS call failed or operation not supported on this OS"},
      {400, "cudaErrorInvalidResourceHandle", "CUDA_ERROR_INVALID_HANDLE",
       "invalid resource handle"},
      {401, "cudaErrorIllegalState", "CUDA_ERROR_ILLEGAL_STATE",
       "the operation cannot be performed in the present state"},
      {500, "cudaErrorSymbolNotFound", "CUDA_ERROR_NOT_FOUND",
       "named symbol not found"},
      {600, "cudaErrorNotReady", "CUDA_ERROR_NOT_READY", "device not ready"},
      {700, "cudaErrorIllegalAddress", "CUDA_ERROR_ILLEGAL_ADDRESS",
       "an illegal memory access was encountered"},
      {701, "cudaErrorLaunchOutOfResources",
       "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
       "too many resources requested for launch"},
      {702, "cudaErrorLaunchTimeout", "CUDA_ERROR_LAUNCH_TIMEOUT",
       "the launch timed out and was terminated"},
      {705, "cudaErrorPeerAccessNotEnabled",
       "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED",
       "peer access has not been enabled"},
      {710, "cudaErrorAssert", "CUDA_ERROR_ASSERT",
       "device-side assert triggered"},
      {712, "cudaErrorHostMemoryAlreadyRegistered",
       "CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED",
       "part or all of the requested memory range is already mapped"},
      {713, "cudaErrorHostMemoryNotRegistered",
       "CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED",
       "pointer does not correspond to a registered memory region"},
      {716, "cudaErrorMisalignedAddress", "CUDA_ERROR_MISALIGNED_ADDRESS",
       "misaligned address"},
      {719, "cudaErrorLaunchFailure", "CUDA_ERROR_LAUNCH_FAILED",
       "unspecified launch failure"},
      {720, "cudaErrorCooperativeLaunchTooLarge",
       "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE",
       "too many blocks in cooperative launch"},
      {801, "cudaErrorNotSupported", "CUDA_ERROR_NOT_SUPPORTED",
       "operation not supported"},
      {912, "cudaErrorInvalidClusterSize", "CUDA_ERROR_INVALID_CLUSTER_SIZE",
       "invalid cluster size"},
      {900, "cudaErrorStreamCaptureUnsupported",
       "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED",
       "operation not permitted when stream is capturing"},
      {901, "cudaErrorStreamCaptureInvalidated",
       "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
       "operation failed due to a previous error during capture"},
      {903, "cudaErrorStreamCaptureUnmatched",
       "CUDA_ERROR_STREAM_CAPTURE_UNMATCHED",
       "capture was not initiated in this stream"},
      {904, "cudaErrorStreamCaptureUnjoined",
       "CUDA_ERROR_STREAM_CAPTURE_UNJOINED",
       "capturing stream has unjoined work"},
      {910, "cudaErrorGraphExecUpdateFailure",
       "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
       "the graph update was not performed because it included changes which "
       "violated constraints specific to instantiated graph update"},
      {999, "cudaErrorUnknown", "CUDA_ERROR_UNKNOWN", "unknown error"},
  };
  const auto *Row = std::ranges::find(Rows, Code, &ErrorRow::Code);
  return Row == std::end(Rows) ? Rows[std::size(Rows) - 1] : *Row;
}

} // namespace heddle::cuda
