//===- Transfers.cpp - Reads, writes, copies, maps, synchronisation -------===//

#include "Recorder.h"

namespace heddle::layer {

using launch::OperationKind;

namespace {
/// An event of our own where the program wants none, so that the end of what it
/// enqueues without waiting can be told.
class EventOf {
public:
  EventOf(Recorder *R, cl_bool Blocking, cl_event *Given)
      : Wanted(R && !Blocking), Given(Given) {}
  ~EventOf() {
    if (Own)
      device().clReleaseEvent(Own);
  }
  EventOf(const EventOf &) = delete;
  EventOf &operator=(const EventOf &) = delete;

  cl_event *target() { return Wanted && !Given ? &Own : Given; }
  /// Null for a blocking call.
  cl_event done() { return Wanted ? *target() : nullptr; }
  /// The program's; null if it wants none.
  cl_event given() const { return Given ? *Given : nullptr; }

private:
  bool Wanted;
  cl_event *Given;
  cl_event Own = nullptr;
};
} // namespace

/// The box of clEnqueue...BufferRect; pitches of 0 mean packed.
static Region box(const size_t *Origin, const size_t *Size, size_t RowPitch,
                  size_t SlicePitch) {
  Region At;
  At.RowBytes = Size[0];
  At.Rows = Size[1];
  At.Slices = Size[2];
  At.RowPitch = RowPitch ? RowPitch : Size[0];
  At.SlicePitch = SlicePitch ? SlicePitch : At.RowPitch * Size[1];
  At.Offset = Origin[0] + Origin[1] * At.RowPitch + Origin[2] * At.SlicePitch;
  return At;
}

static cl_int enqueueReadBuffer(cl_command_queue Q, cl_mem M, cl_bool Blocking,
                                size_t Offset, size_t Size, void *Host,
                                cl_uint NumEvents, const cl_event *Events,
                                cl_event *Done) {
  Recorder *R = enter(Call_clEnqueueReadBuffer);
  EventOf Event(R, Blocking, Done);
  const cl_int Status = device().clEnqueueReadBuffer(
      Q, M, Blocking, Offset, Size, Host, NumEvents, Events, Event.target());
  if (R && Status == CL_SUCCESS) {
    R->operation({Q, NumEvents, Events, Event.given(), Blocking == CL_TRUE},
                 OperationKind::ToHost, Size);
    R->reads(M, linear(Offset, Size), Host, linear(0, Size), Event.done());
    R->synchronised("clEnqueueReadBuffer");
  }
  return Status;
}

static cl_int enqueueReadBufferRect(
    cl_command_queue Q, cl_mem M, cl_bool Blocking, const size_t *Origin,
    const size_t *HostOrigin, const size_t *Size, size_t RowPitch,
    size_t SlicePitch, size_t HostRowPitch, size_t HostSlicePitch, void *Host,
    cl_uint NumEvents, const cl_event *Events, cl_event *Done) {
  Recorder *R = enter(Call_clEnqueueReadBufferRect);
  EventOf Event(R, Blocking, Done);
  const cl_int Status = device().clEnqueueReadBufferRect(
      Q, M, Blocking, Origin, HostOrigin, Size, RowPitch, SlicePitch,
      HostRowPitch, HostSlicePitch, Host, NumEvents, Events, Event.target());
  if (R && Status == CL_SUCCESS) {
    R->operation({Q, NumEvents, Events, Event.given(), Blocking == CL_TRUE},
                 OperationKind::ToHost, Size[0] * Size[1] * Size[2]);
    R->reads(M, box(Origin, Size, RowPitch, SlicePitch), Host,
             box(HostOrigin, Size, HostRowPitch, HostSlicePitch), Event.done());
  }
  return Status;
}

static cl_int enqueueWriteBuffer(cl_command_queue Q, cl_mem M, cl_bool Blocking,
                                 size_t Offset, size_t Size, const void *Host,
                                 cl_uint NumEvents, const cl_event *Events,
                                 cl_event *Done) {
  Recorder *R = enter(Call_clEnqueueWriteBuffer);
  const cl_int Status = device().clEnqueueWriteBuffer(
      Q, M, Blocking, Offset, Size, Host, NumEvents, Events, Done);
  if (R && Status == CL_SUCCESS) {
    R->operation(
        {Q, NumEvents, Events, Done ? *Done : nullptr, Blocking == CL_TRUE},
        OperationKind::ToDevice, Size);
    R->written(M, linear(Offset, Size), Host, linear(0, Size));
  }
  return Status;
}

static cl_int enqueueWriteBufferRect(cl_command_queue Q, cl_mem M,
                                     cl_bool Blocking, const size_t *Origin,
                                     const size_t *HostOrigin,
                                     const size_t *Size, size_t RowPitch,
                                     size_t SlicePitch, size_t HostRowPitch,
                                     size_t HostSlicePitch, const void *Host,
                                     cl_uint NumEvents, const cl_event *Events,
                                     cl_event *Done) {
  Recorder *R = enter(Call_clEnqueueWriteBufferRect);
  const cl_int Status = device().clEnqueueWriteBufferRect(
      Q, M, Blocking, Origin, HostOrigin, Size, RowPitch, SlicePitch,
      HostRowPitch, HostSlicePitch, Host, NumEvents, Events, Done);
  if (R && Status == CL_SUCCESS) {
    R->operation(
        {Q, NumEvents, Events, Done ? *Done : nullptr, Blocking == CL_TRUE},
        OperationKind::ToDevice, Size[0] * Size[1] * Size[2]);
    R->written(M, box(Origin, Size, RowPitch, SlicePitch), Host,
               box(HostOrigin, Size, HostRowPitch, HostSlicePitch));
  }
  return Status;
}

static cl_int enqueueFillBuffer(cl_command_queue Q, cl_mem M,
                                const void *Pattern, size_t PatternSize,
                                size_t Offset, size_t Size, cl_uint NumEvents,
                                const cl_event *Events, cl_event *Done) {
  Recorder *R = enter(Call_clEnqueueFillBuffer);
  const cl_int Status = device().clEnqueueFillBuffer(
      Q, M, Pattern, PatternSize, Offset, Size, NumEvents, Events, Done);
  if (R && Status == CL_SUCCESS) {
    R->operation({Q, NumEvents, Events, Done ? *Done : nullptr},
                 OperationKind::Fill, Size);
    R->filled(M, Pattern, PatternSize, Offset, Size);
  }
  return Status;
}

static cl_int enqueueCopyBuffer(cl_command_queue Q, cl_mem From, cl_mem To,
                                size_t FromOffset, size_t ToOffset, size_t Size,
                                cl_uint NumEvents, const cl_event *Events,
                                cl_event *Done) {
  Recorder *R = enter(Call_clEnqueueCopyBuffer);
  const cl_int Status = device().clEnqueueCopyBuffer(
      Q, From, To, FromOffset, ToOffset, Size, NumEvents, Events, Done);
  if (R && Status == CL_SUCCESS) {
    R->operation({Q, NumEvents, Events, Done ? *Done : nullptr},
                 OperationKind::InDevice, Size);
    R->copied(From, linear(FromOffset, Size), To, linear(ToOffset, Size));
    R->synchronised("clEnqueueCopyBuffer");
  }
  return Status;
}

static cl_int enqueueCopyBufferRect(cl_command_queue Q, cl_mem From, cl_mem To,
                                    const size_t *FromOrigin,
                                    const size_t *ToOrigin, const size_t *Size,
                                    size_t FromRowPitch, size_t FromSlicePitch,
                                    size_t ToRowPitch, size_t ToSlicePitch,
                                    cl_uint NumEvents, const cl_event *Events,
                                    cl_event *Done) {
  Recorder *R = enter(Call_clEnqueueCopyBufferRect);
  const cl_int Status = device().clEnqueueCopyBufferRect(
      Q, From, To, FromOrigin, ToOrigin, Size, FromRowPitch, FromSlicePitch,
      ToRowPitch, ToSlicePitch, NumEvents, Events, Done);
  if (R && Status == CL_SUCCESS) {
    R->operation({Q, NumEvents, Events, Done ? *Done : nullptr},
                 OperationKind::InDevice, Size[0] * Size[1] * Size[2]);
    R->copied(From, box(FromOrigin, Size, FromRowPitch, FromSlicePitch), To,
              box(ToOrigin, Size, ToRowPitch, ToSlicePitch));
  }
  return Status;
}

static cl_int enqueueReadImage(cl_command_queue Q, cl_mem M, cl_bool Blocking,
                               const size_t *Origin, const size_t *Size,
                               size_t RowPitch, size_t SlicePitch, void *Host,
                               cl_uint NumEvents, const cl_event *Events,
                               cl_event *Done) {
  Recorder *R = enter(Call_clEnqueueReadImage);
  const cl_int Status =
      device().clEnqueueReadImage(Q, M, Blocking, Origin, Size, RowPitch,
                                  SlicePitch, Host, NumEvents, Events, Done);
  if (R && Status == CL_SUCCESS)
    R->synchronised("clEnqueueReadImage");
  return Status;
}

static cl_int enqueueCopyImageToBuffer(cl_command_queue Q, cl_mem Image,
                                       cl_mem M, const size_t *Origin,
                                       const size_t *Size, size_t Offset,
                                       cl_uint NumEvents,
                                       const cl_event *Events, cl_event *Done) {
  Recorder *R = enter(Call_clEnqueueCopyImageToBuffer);
  const cl_int Status = device().clEnqueueCopyImageToBuffer(
      Q, Image, M, Origin, Size, Offset, NumEvents, Events, Done);
  size_t Element = 0;
  if (R && Status == CL_SUCCESS) {
    device().clGetImageInfo(Image, CL_IMAGE_ELEMENT_SIZE, sizeof(Element),
                            &Element, nullptr);
    // Images are not recorded, but what comes out of them is.
    R->fetch(Q, M, Offset, Element * Size[0] * Size[1] * Size[2]);
    R->synchronised("clEnqueueCopyImageToBuffer");
  }
  return Status;
}

static void *enqueueMapBuffer(cl_command_queue Q, cl_mem M, cl_bool Blocking,
                              cl_map_flags Flags, size_t Offset, size_t Size,
                              cl_uint NumEvents, const cl_event *Events,
                              cl_event *Done, cl_int *StatusOut) {
  Recorder *R = enter(Call_clEnqueueMapBuffer);
  EventOf Event(R, Blocking, Done);
  void *Host =
      device().clEnqueueMapBuffer(Q, M, Blocking, Flags, Offset, Size,
                                  NumEvents, Events, Event.target(), StatusOut);
  if (R && Host) {
    // What the device has goes to the host, unless it is to be overwritten.
    R->operation({Q, NumEvents, Events, Event.given(), Blocking == CL_TRUE},
                 OperationKind::ToHost,
                 Flags & CL_MAP_WRITE_INVALIDATE_REGION ? 0 : Size);
    R->mapped(M, Host, Offset, Size, Flags, Event.done());
  }
  return Host;
}

static cl_int enqueueUnmapMemObject(cl_command_queue Q, cl_mem M, void *Host,
                                    cl_uint NumEvents, const cl_event *Events,
                                    cl_event *Done) {
  Recorder *R = enter(Call_clEnqueueUnmapMemObject);
  uint64_t Written = 0;
  if (R) { // afterwards the memory may be gone
    R->collect();
    Written = R->unmapped(Host);
  }
  const cl_int Status =
      device().clEnqueueUnmapMemObject(Q, M, Host, NumEvents, Events, Done);
  if (R && Status == CL_SUCCESS)
    R->operation({Q, NumEvents, Events, Done ? *Done : nullptr},
                 OperationKind::ToDevice, Written);
  return Status;
}

static cl_int finish(cl_command_queue Q) {
  Recorder *R = enter(Call_clFinish);
  const cl_int Status = device().clFinish(Q);
  if (R) {
    R->waitedFor(Q);
    R->synchronised("clFinish");
  }
  return Status;
}

static cl_int flush(cl_command_queue Q) {
  Recorder *R = enter(Call_clFlush);
  const cl_int Status = device().clFlush(Q);
  if (R)
    R->synchronised("clFlush");
  return Status;
}

static cl_int waitForEvents(cl_uint Count, const cl_event *Events) {
  Recorder *R = enter(Call_clWaitForEvents);
  const cl_int Status = device().clWaitForEvents(Count, Events);
  if (R) {
    R->waitedFor(Count, Events);
    R->synchronised("clWaitForEvents");
  }
  return Status;
}

static cl_int getEventInfo(cl_event E, cl_event_info Name, size_t Size,
                           void *Value, size_t *SizeOut) {
  Recorder *R = enter(Call_clGetEventInfo);
  const cl_int Status = device().clGetEventInfo(E, Name, Size, Value, SizeOut);
  if (R && Name == CL_EVENT_COMMAND_EXECUTION_STATUS) {
    R->collect();
    if (Status == CL_SUCCESS && Value &&
        *static_cast<const cl_int *>(Value) == CL_COMPLETE)
      R->waitedFor(1, &E);
  }
  return Status;
}

static cl_int setEventCallback(cl_event E, cl_int Type,
                               void (*Notify)(cl_event, cl_int, void *),
                               void *Data) {
  if (Recorder *R = enter(Call_clSetEventCallback)) {
    R->collect();
    R->forget(E);
  }
  return device().clSetEventCallback(E, Type, Notify, Data);
}

static cl_command_queue createQueue(cl_context Context, cl_device_id Device,
                                    const cl_queue_properties *Properties,
                                    cl_int *Status) {
  Recorder *R = enter(Call_clCreateCommandQueueWithProperties);
  for (const cl_queue_properties *P = Properties; R && P && *P; P += 2)
    if (P[0] == CL_QUEUE_PROPERTIES && (P[1] & CL_QUEUE_ON_DEVICE))
      R->unsupported("clCreateCommandQueueWithProperties: a queue on the "
                     "device, for kernels that enqueue kernels");
  return device().clCreateCommandQueueWithProperties(Context, Device,
                                                     Properties, Status);
}

void wrapTransfers(cl_icd_dispatch &Table) {
  Table.clEnqueueReadBuffer = enqueueReadBuffer;
  Table.clEnqueueReadBufferRect = enqueueReadBufferRect;
  Table.clEnqueueWriteBuffer = enqueueWriteBuffer;
  Table.clEnqueueWriteBufferRect = enqueueWriteBufferRect;
  Table.clEnqueueFillBuffer = enqueueFillBuffer;
  Table.clEnqueueCopyBuffer = enqueueCopyBuffer;
  Table.clEnqueueCopyBufferRect = enqueueCopyBufferRect;
  Table.clEnqueueReadImage = enqueueReadImage;
  Table.clEnqueueCopyImageToBuffer = enqueueCopyImageToBuffer;
  Table.clEnqueueMapBuffer = enqueueMapBuffer;
  Table.clEnqueueUnmapMemObject = enqueueUnmapMemObject;
  Table.clFinish = finish;
  Table.clFlush = flush;
  Table.clWaitForEvents = waitForEvents;
  Table.clGetEventInfo = getEventInfo;
  Table.clSetEventCallback = setEventCallback;
  if (Table.clCreateCommandQueueWithProperties)
    Table.clCreateCommandQueueWithProperties = createQueue;
}

} // namespace heddle::layer
