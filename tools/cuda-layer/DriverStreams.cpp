//===- DriverStreams.cpp - Streams and events of the driver API ---------===//

#include "DriverCalls.h"

#include <fmt/format.h>

#include <cstring>

using namespace heddle;
using namespace heddle::cuda;

//===----------------------------------------------------------------------===//
// Streams and events
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuStreamCreate(CUstream *To, unsigned Flags) {
  ENTER;
  return result(
      cudaStreamCreateWithFlags(reinterpret_cast<cudaStream_t *>(To), Flags));
}
EXPORTED CUresult cuStreamCreateWithPriority(CUstream *To, unsigned Flags,
                                             int Priority) {
  ENTER;
  return result(cudaStreamCreateWithPriority(
      reinterpret_cast<cudaStream_t *>(To), Flags, Priority));
}
EXPORTED CUresult cuStreamQuery(CUstream S) {
  ENTER;
  return result(cudaStreamQuery(S));
}
EXPORTED CUresult cuStreamWaitEvent(CUstream S, CUevent E, unsigned Flags) {
  ENTER;
  return result(cudaStreamWaitEvent(S, E, Flags));
}
EXPORTED CUresult cuLaunchHostFunc(CUstream S, CUhostFn Function, void *Data) {
  ENTER;
  return result(cudaLaunchHostFunc(S, Function, Data));
}
EXPORTED CUresult cuStreamBeginCapture_v2(CUstream S,
                                          CUstreamCaptureMode Mode) {
  ENTER;
  return result(cudaStreamBeginCapture(S, cudaStreamCaptureMode(Mode)));
}
EXPORTED CUresult cuStreamEndCapture(CUstream S, CUgraph *To) {
  ENTER;
  return result(cudaStreamEndCapture(S, To));
}
EXPORTED CUresult cuEventQuery(CUevent E) {
  ENTER;
  return result(cudaEventQuery(E));
}
EXPORTED CUresult cuStreamDestroy_v2(CUstream S) {
  ENTER;
  return result(cudaStreamDestroy(S));
}
EXPORTED CUresult cuStreamSynchronize(CUstream S) {
  ENTER;
  return result(cudaStreamSynchronize(S));
}
EXPORTED CUresult cuEventCreate(CUevent *To, unsigned Flags) {
  ENTER;
  return result(
      cudaEventCreateWithFlags(reinterpret_cast<cudaEvent_t *>(To), Flags));
}
EXPORTED CUresult cuEventDestroy_v2(CUevent E) {
  ENTER;
  return result(cudaEventDestroy(E));
}
EXPORTED CUresult cuEventRecord(CUevent E, CUstream S) {
  ENTER;
  return result(cudaEventRecord(E, S));
}
EXPORTED CUresult cuEventSynchronize(CUevent E) {
  ENTER;
  return result(cudaEventSynchronize(E));
}
EXPORTED CUresult cuEventElapsedTime(float *To, CUevent From, CUevent Until) {
  ENTER;
  return result(cudaEventElapsedTime(To, From, Until));
}
// As CUDA 12.8 and later link it.
EXPORTED CUresult cuEventElapsedTime_v2(float *To, CUevent From,
                                        CUevent Until) {
  ENTER;
  return result(cudaEventElapsedTime(To, From, Until));
}
EXPORTED CUresult cuEventRecordWithFlags(CUevent E, CUstream S,
                                         unsigned Flags) {
  ENTER;
  return result(cudaEventRecordWithFlags(E, S, Flags));
}
EXPORTED CUresult cuStreamAttachMemAsync(CUstream, CUdeviceptr, size_t,
                                         unsigned) {
  ENTER;
  return result(Enter.done());
}
EXPORTED CUresult cuStreamAddCallback(CUstream S, CUstreamCallback Function,
                                      void *Data, unsigned Flags) {
  ENTER;
  return result(cudaStreamAddCallback(
      S, reinterpret_cast<cudaStreamCallback_t>(Function), Data, Flags));
}
EXPORTED CUresult cuStreamGetFlags(CUstream S, unsigned *To) {
  ENTER;
  return result(cudaStreamGetFlags(S, To));
}
EXPORTED CUresult cuStreamGetPriority(CUstream S, int *To) {
  ENTER;
  return result(cudaStreamGetPriority(S, To));
}
EXPORTED CUresult cuStreamGetId(CUstream S, unsigned long long *To) {
  ENTER;
  return result(cudaStreamGetId(S, To));
}
EXPORTED CUresult cuStreamGetDevice(CUstream S, CUdevice *To) {
  ENTER;
  return result(cudaStreamGetDevice(S, To));
}
EXPORTED CUresult cuStreamGetCtx(CUstream S, CUcontext *To) {
  ENTER;
  if (cudaError_t E = checkStream(Enter, S))
    return result(E);
  return result(Enter.give(To, context()));
}
EXPORTED CUresult cuStreamIsCapturing(CUstream S, CUstreamCaptureStatus *To) {
  ENTER;
  return result(cudaStreamIsCapturing(
      S, reinterpret_cast<cudaStreamCaptureStatus *>(To)));
}
EXPORTED CUresult cuStreamGetCaptureInfo(CUstream S, CUstreamCaptureStatus *To,
                                         unsigned long long *Id) {
  ENTER;
  return result(cudaStreamGetCaptureInfo(
      S, reinterpret_cast<cudaStreamCaptureStatus *>(To), Id));
}
EXPORTED CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *Mode) {
  ENTER;
  return result(cudaThreadExchangeStreamCaptureMode(
      reinterpret_cast<cudaStreamCaptureMode *>(Mode)));
}

//===----------------------------------------------------------------------===//
// Values in memory
//===----------------------------------------------------------------------===//

template <typename T>
static CUresult writeValue(const Call &Enter, CUstream S, CUdeviceptr To,
                           T Value) {
  if (cudaError_t E = checkStream(Enter, S))
    return result(E);
  const InStream Here(Enter.device(), S);
  std::vector<uint8_t> Pattern(sizeof(T));
  std::memcpy(Pattern.data(), &Value, sizeof(T));
  return result(Enter(Enter.device().fill(pointer(To), linear(sizeof(T)),
                                          Pattern, Enter.name())));
}

/// What comes before the wait is done, so the value is there or never comes.
template <typename T>
static CUresult waitValue(const Call &Enter, CUstream S, CUdeviceptr At,
                          T Value, unsigned Flags) {
  if (cudaError_t E = checkStream(Enter, S))
    return result(E);
  if (!Enter.device().heap().find(At) ||
      !Enter.device().heap().find(At + sizeof(T) - 1))
    return result(
        Enter.refuse(Status::InvalidValue, Enter.device().heap().describe(At)));
  T Now;
  std::memcpy(&Now, pointer(At), sizeof(T));
  const unsigned How = Flags & 3;
  const bool IsThere =
      How == CU_STREAM_WAIT_VALUE_GEQ  ? std::make_signed_t<T>(Now - Value) >= 0
      : How == CU_STREAM_WAIT_VALUE_EQ ? Now == Value
      : How == CU_STREAM_WAIT_VALUE_AND ? (Now & Value) != 0
                                        : T(~(Now | Value)) != 0;
  return result(
      IsThere ? Enter.done()
              : Enter.refuse(Status::NotSupported,
                             "nothing before it writes the value; a stream "
                             "here cannot wait for what comes later"));
}
EXPORTED CUresult cuStreamWriteValue32_v2(CUstream S, CUdeviceptr To,
                                          cuuint32_t Value, unsigned) {
  ENTER;
  return writeValue(Enter, S, To, Value);
}
EXPORTED CUresult cuStreamWriteValue64_v2(CUstream S, CUdeviceptr To,
                                          cuuint64_t Value, unsigned) {
  ENTER;
  return writeValue(Enter, S, To, Value);
}
EXPORTED CUresult cuStreamWaitValue32_v2(CUstream S, CUdeviceptr At,
                                         cuuint32_t Value, unsigned Flags) {
  ENTER;
  return waitValue(Enter, S, At, Value, Flags);
}
EXPORTED CUresult cuStreamWaitValue64_v2(CUstream S, CUdeviceptr At,
                                         cuuint64_t Value, unsigned Flags) {
  ENTER;
  return waitValue(Enter, S, At, Value, Flags);
}

/// What one operation of a batch does.
static CUresult memoryOperation(const Call &Enter, CUstream S,
                                const CUstreamBatchMemOpParams &P) {
  switch (P.operation) {
  case CU_STREAM_MEM_OP_WAIT_VALUE_32:
    return waitValue(Enter, S, P.waitValue.address, P.waitValue.value,
                     P.waitValue.flags);
  case CU_STREAM_MEM_OP_WAIT_VALUE_64:
    return waitValue(Enter, S, P.waitValue.address, P.waitValue.value64,
                     P.waitValue.flags);
  case CU_STREAM_MEM_OP_WRITE_VALUE_32:
    return writeValue(Enter, S, P.writeValue.address, P.writeValue.value);
  case CU_STREAM_MEM_OP_WRITE_VALUE_64:
    return writeValue(Enter, S, P.writeValue.address, P.writeValue.value64);
  case CU_STREAM_MEM_OP_BARRIER: // what is issued is done
  case CU_STREAM_MEM_OP_FLUSH_REMOTE_WRITES:
    return result(Enter.done());
  }
  return result(Enter.refuse(Status::InvalidValue,
                             fmt::format("no operation {}", int(P.operation))));
}
EXPORTED CUresult cuStreamBatchMemOp_v2(CUstream S, unsigned Count,
                                        CUstreamBatchMemOpParams *P,
                                        unsigned Flags) {
  ENTER;
  constexpr unsigned Most = 256; // cuda.h: fewer than that
  if (!P || Count >= Most || Flags)
    return result(Enter(Status::InvalidValue));
  for (unsigned I = 0; I < Count; ++I)
    if (CUresult E = memoryOperation(Enter, S, P[I]))
      return E;
  return result(Enter.done());
}

//===----------------------------------------------------------------------===//
// Attributes of streams, and events of all of them
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuStreamGetAttribute(CUstream S, CUstreamAttrID Which,
                                       CUstreamAttrValue *To) {
  ENTER;
  return result(cudaStreamGetAttribute(
      S, cudaStreamAttrID(Which), reinterpret_cast<cudaStreamAttrValue *>(To)));
}
EXPORTED CUresult cuStreamSetAttribute(CUstream S, CUstreamAttrID Which,
                                       const CUstreamAttrValue *From) {
  ENTER;
  return result(cudaStreamSetAttribute(
      S, cudaStreamAttrID(Which),
      reinterpret_cast<const cudaStreamAttrValue *>(From)));
}
EXPORTED CUresult cuStreamCopyAttributes(CUstream To, CUstream From) {
  ENTER;
  return result(cudaStreamCopyAttributes(To, From));
}

/// Whether \p E is an event and \p C the context, in which no stream captures.
static cudaError_t check(const Call &Enter, CUcontext C, CUevent E) {
  if (C != context() || !eventOf(E))
    return Enter.refuse(Status::InvalidHandle,
                        "there is no such context or event");
  const Status S = refuseWait(nullptr);
  return S == Status::Success
             ? cudaSuccess
             : Enter.refuse(S, "a stream of the context captures a graph");
}
EXPORTED CUresult cuCtxRecordEvent(CUcontext C, CUevent E) {
  ENTER;
  if (cudaError_t Error = check(Enter, C, E))
    return result(Error);
  Timeline *Issued = Enter.device().timeline();
  recordEvent(Enter.device(), *eventOf(E),
              Issued ? Issued->order().all() : record::OperationSet());
  return result(Enter.done());
}
EXPORTED CUresult cuCtxWaitEvent(CUcontext C, CUevent E) {
  ENTER;
  if (cudaError_t Error = check(Enter, C, E))
    return result(Error);
  std::vector<const void *> Streams = {nullptr, cudaStreamPerThread};
  for (const void *Handle : liveHandles())
    if (isStream(Handle))
      Streams.push_back(Handle);
  for (const void *S : Streams)
    InStream(Enter.device(), S).wait(eventOf(E)->At.After);
  return result(Enter.done());
}
