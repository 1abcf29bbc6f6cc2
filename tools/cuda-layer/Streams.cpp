//===- Streams.cpp - Streams and events of the runtime API ----------------===//
//
// Every operation is done when its call returns, so there is nothing to wait
// for: streams are names, and an event is a time, on the host's clock or where
// the model places the operations of all streams.
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

using namespace heddle;
using namespace heddle::cuda;

namespace heddle::cuda {

/// Declares \p Handle, and gives the key that stands for it in recordings: the
/// legacy stream has two names, the per-thread one is another in each thread.
static const void *declare(record::StreamOrder &Order, const void *Handle) {
  thread_local char OfThisThread;
  if (!Handle || Handle == cudaStreamLegacy)
    return nullptr;
  if (Handle == cudaStreamPerThread) {
    Order.stream(&OfThisThread, record::StreamKind::Blocking);
    return &OfThisThread;
  }
  if (!liveHandles().contains(Handle))
    return nullptr;
  const auto *S = static_cast<const StreamState *>(Handle);
  Order.stream(Handle,
               S->Flags & cudaStreamNonBlocking
                   ? record::StreamKind::NonBlocking
                   : record::StreamKind::Blocking,
               unsigned(std::max(0, -S->Priority)));
  return Handle;
}

InStream::InStream(Device &D, const void *Stream) : Issued(D.timeline()) {
  if (Issued)
    Outer =
        std::exchange(Issued->lane(), {declare(Issued->order(), Stream), true});
}
InStream::~InStream() {
  if (Issued)
    Issued->lane() = std::move(Outer);
}
record::OperationSet InStream::before() const {
  if (!Issued)
    return {};
  const Timeline::Lane &Now = Issued->lane();
  return Now.Node ? *Now.Node : Issued->order().before(Now.Stream);
}
void InStream::wait(const record::OperationSet &Events) const {
  if (!Issued)
    return;
  Timeline::Lane &Now = Issued->lane();
  if (Now.Node)
    Now.Node->insert(Now.Node->end(), Events.begin(), Events.end());
  else
    Issued->order().wait(Now.Stream, Events);
}

std::set<const void *> &liveHandles() {
  static auto *Live = new std::set<const void *>;
  return *Live;
}

static std::set<const void *> &liveStreams() {
  static auto *Live = new std::set<const void *>;
  return *Live;
}
bool isStream(const void *Handle) { return liveStreams().contains(Handle); }

Status checkStream(const void *Stream) {
  // The legacy and the per-thread stream have numbers.
  return reinterpret_cast<uintptr_t>(Stream) <= 2 || isStream(Stream)
             ? Status::Success
             : Status::InvalidHandle;
}

StreamState *newStream(unsigned Flags, int Priority) {
  auto *S = new StreamState{Flags, Priority};
  liveHandles().insert(S);
  liveStreams().insert(S);
  return S;
}
EventState *newEvent(unsigned Flags) {
  auto *E = new EventState{Flags, false, 0, {}};
  liveHandles().insert(E);
  return E;
}
EventState *eventOf(const void *Handle) {
  return liveHandles().contains(Handle) && !isStream(Handle)
             ? static_cast<EventState *>(const_cast<void *>(Handle))
             : nullptr;
}

void recordEvent(Device &D, EventState &E, const record::OperationSet &After) {
  using namespace std::chrono;
  E.Recorded = true;
  E.HostMs =
      duration<double, std::milli>(steady_clock::now().time_since_epoch())
          .count();
  if (Timeline *Issued = D.timeline())
    E.At = Issued->point(After);
}

/// Milliseconds on the host's clock, or on the model's (HEDDLE_TIMING).
static double timeOf(Device &D, const EventState &E) {
  return D.clock() == Timing::Host ? E.HostMs : D.timeline()->us(E.At) / 1000;
}

static Status elapsed(Device &D, float *To, const EventState *From,
                      const EventState *Until) {
  if (!To || !From || !Until || !From->Recorded || !Until->Recorded ||
      ((From->Flags | Until->Flags) & cudaEventDisableTiming))
    return Status::InvalidHandle;
  *To = float(timeOf(D, *Until) - timeOf(D, *From));
  return Status::Success;
}

} // namespace heddle::cuda

//===----------------------------------------------------------------------===//
// Streams
//===----------------------------------------------------------------------===//

/// Attributes concern caches and priorities, which change nothing here.
static std::map<std::pair<const void *, int>, cudaStreamAttrValue> &
attributes() {
  static auto *All =
      new std::map<std::pair<const void *, int>, cudaStreamAttrValue>;
  return *All;
}
EXPORTED cudaError_t cudaStreamCreateWithPriority(cudaStream_t *To,
                                                  unsigned Flags,
                                                  int Priority) {
  ENTER;
  if (!To)
    return Enter(Status::InvalidValue);
  return Enter.give(To,
                    reinterpret_cast<cudaStream_t>(newStream(Flags, Priority)));
}
EXPORTED cudaError_t cudaStreamCreate(cudaStream_t *To) {
  ENTER;
  return cudaStreamCreateWithPriority(To, 0, 0);
}
EXPORTED cudaError_t cudaStreamCreateWithFlags(cudaStream_t *To,
                                               unsigned Flags) {
  ENTER;
  return cudaStreamCreateWithPriority(To, Flags, 0);
}
EXPORTED cudaError_t cudaStreamDestroy(cudaStream_t S) {
  ENTER;
  if (!liveStreams().erase(S))
    return Enter.refuse(Status::InvalidHandle, "there is no such stream");
  liveHandles().erase(S);
  if (Timeline *Issued = Enter.device().timeline())
    Issued->order().drop(S);
  std::erase_if(attributes(),
                [S](const auto &A) { return A.first.first == S; });
  delete reinterpret_cast<StreamState *>(S);
  return Enter.done();
}

static cudaError_t waited(const Call &Enter, const void *Stream) {
  if (cudaError_t E = checkStream(Enter, Stream))
    return E;
  if (isCapturing(Stream))
    return Enter.refuse(refuseWait(Stream), "the stream captures a graph");
  Enter.device().synchronise(Enter.name());
  if (Timeline *Issued = Enter.device().timeline())
    Issued->order().hostWaits(InStream(Enter.device(), Stream).before());
  return Enter.done();
}
EXPORTED cudaError_t cudaStreamSynchronize(cudaStream_t S) {
  ENTER;
  return waited(Enter, S);
}
EXPORTED cudaError_t cudaStreamQuery(cudaStream_t S) {
  ENTER;
  return waited(Enter, S);
}
EXPORTED cudaError_t cudaStreamWaitEvent(cudaStream_t S, cudaEvent_t E,
                                         unsigned) {
  ENTER;
  if (captureWait(S, E))
    return Enter.done();
  if (!eventOf(E) || checkStream(S) != Status::Success)
    return Enter.refuse(Status::InvalidHandle,
                        "there is no such stream or event");
  InStream(Enter.device(), S).wait(eventOf(E)->At.After);
  return Enter.done();
}
EXPORTED cudaError_t cudaStreamGetFlags(cudaStream_t S, unsigned *To) {
  ENTER;
  if (cudaError_t E = checkStream(Enter, S))
    return E;
  return Enter.give(To, liveHandles().contains(S)
                            ? reinterpret_cast<const StreamState *>(S)->Flags
                            : 0);
}
EXPORTED cudaError_t cudaStreamGetPriority(cudaStream_t S, int *To) {
  ENTER;
  if (cudaError_t E = checkStream(Enter, S))
    return E;
  return Enter.give(To, liveHandles().contains(S)
                            ? reinterpret_cast<const StreamState *>(S)->Priority
                            : 0);
}
/// The streams with numbers have these; others a number of their own.
EXPORTED cudaError_t cudaStreamGetId(cudaStream_t S, unsigned long long *To) {
  ENTER;
  if (cudaError_t E = checkStream(Enter, S))
    return E;
  return Enter.give(To, reinterpret_cast<uintptr_t>(S));
}
EXPORTED cudaError_t cudaStreamGetDevice(cudaStream_t S, int *To) {
  ENTER;
  if (cudaError_t E = checkStream(Enter, S))
    return E;
  return Enter.give(To, 0);
}
EXPORTED cudaError_t cudaStreamSetAttribute(cudaStream_t S,
                                            cudaStreamAttrID Which,
                                            const cudaStreamAttrValue *Value) {
  ENTER;
  if (cudaError_t E = checkStream(Enter, S))
    return E;
  if (!Value)
    return Enter.refuseNull();
  attributes()[{S, Which}] = *Value;
  return Enter.done();
}
EXPORTED cudaError_t cudaStreamGetAttribute(cudaStream_t S,
                                            cudaStreamAttrID Which,
                                            cudaStreamAttrValue *To) {
  ENTER;
  if (cudaError_t E = checkStream(Enter, S))
    return E;
  if (!To)
    return Enter.refuseNull();
  auto It = attributes().find({S, Which});
  *To = It == attributes().end() ? cudaStreamAttrValue() : It->second;
  if (It == attributes().end() && Which == cudaLaunchAttributePriority)
    return cudaStreamGetPriority(S, &To->priority);
  return Enter.done();
}
EXPORTED cudaError_t cudaStreamCopyAttributes(cudaStream_t To,
                                              cudaStream_t From) {
  ENTER;
  for (const void *S : {To, From})
    if (cudaError_t E = checkStream(Enter, S))
      return E;
  auto Copy = attributes();
  for (const auto &[Key, Value] : Copy)
    if (Key.first == From)
      attributes()[{To, Key.second}] = Value;
  return Enter.done();
}
/// A function of the host comes next in \p Stream.
static cudaError_t hostFunction(const Call &Enter, const void *Stream,
                                const void *Function) {
  if (!Function)
    return Enter.refuseNull();
  IN_STREAM(Stream);
  Enter.device().synchronise(Enter.name());
  if (Timeline *Issued = Enter.device().timeline())
    Issued->operation(launch::OperationKind::Host, 0);
  return cudaSuccess;
}
EXPORTED cudaError_t cudaStreamAddCallback(cudaStream_t S,
                                           cudaStreamCallback_t Function,
                                           void *Data, unsigned) {
  ENTER;
  if (isCapturing(S))
    return Enter.refuse(refuseWait(S),
                        "the stream captures a graph; use cudaLaunchHostFunc");
  if (cudaError_t E =
          hostFunction(Enter, S, reinterpret_cast<const void *>(Function)))
    return E;
  Function(S, cudaError_t(Enter.device().sticky()), Data);
  return Enter.done();
}
EXPORTED cudaError_t cudaLaunchHostFunc(cudaStream_t S, cudaHostFn_t Function,
                                        void *Data) {
  ENTER;
  if (isCapturing(S))
    return capture(Enter, S, cudaHostNodeParams{Function, Data});
  if (cudaError_t E =
          hostFunction(Enter, S, reinterpret_cast<const void *>(Function)))
    return E;
  Function(Data);
  return Enter.done();
}
EXPORTED cudaError_t cudaStreamAttachMemAsync(cudaStream_t, void *, size_t,
                                              unsigned) {
  ENTER;
  return Enter.done();
}

//===----------------------------------------------------------------------===//
// Events
//===----------------------------------------------------------------------===//

EXPORTED cudaError_t cudaEventCreateWithFlags(cudaEvent_t *To, unsigned Flags) {
  ENTER;
  if (!To)
    return Enter(Status::InvalidValue);
  return Enter.give(To, reinterpret_cast<cudaEvent_t>(newEvent(Flags)));
}
EXPORTED cudaError_t cudaEventCreate(cudaEvent_t *To) {
  ENTER;
  return cudaEventCreateWithFlags(To, 0);
}
EXPORTED cudaError_t cudaEventDestroy(cudaEvent_t E) {
  ENTER;
  EventState *State = eventOf(E);
  if (!State)
    return Enter.refuse(Status::InvalidHandle, "there is no such event");
  liveHandles().erase(State);
  delete State;
  return Enter.done();
}
EXPORTED cudaError_t cudaEventRecord(cudaEvent_t E, cudaStream_t S) {
  ENTER;
  EventState *State = eventOf(E);
  if (!State || checkStream(S) != Status::Success)
    return Enter.refuse(Status::InvalidHandle,
                        "there is no such stream or event");
  if (isCapturing(S)) {
    captureRecord(S, E);
    return Enter.done();
  }
  recordEvent(Enter.device(), *State, InStream(Enter.device(), S).before());
  return Enter.done();
}
EXPORTED cudaError_t cudaEventRecordWithFlags(cudaEvent_t E, cudaStream_t S,
                                              unsigned) {
  ENTER;
  return cudaEventRecord(E, S);
}
EXPORTED cudaError_t cudaEventSynchronize(cudaEvent_t E) {
  ENTER;
  const EventState *State = eventOf(E);
  if (!State)
    return Enter.refuse(Status::InvalidHandle, "there is no such event");
  Enter.device().synchronise(Enter.name());
  if (Timeline *Issued = Enter.device().timeline())
    Issued->order().hostWaits(State->At.After);
  return Enter.done();
}
EXPORTED cudaError_t cudaEventQuery(cudaEvent_t E) {
  ENTER;
  return cudaEventSynchronize(E);
}
EXPORTED cudaError_t cudaEventElapsedTime(float *To, cudaEvent_t From,
                                          cudaEvent_t Until) {
  ENTER;
  const Status S = elapsed(Enter.device(), To, eventOf(From), eventOf(Until));
  return S == Status::Success
             ? Enter.done()
             : Enter.refuse(S, "an event was not recorded, or made without "
                               "timing");
}
