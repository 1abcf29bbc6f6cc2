//===- Order.cpp - Queues, events and what waits for what -----------------===//

#include "Recorder.h"

namespace heddle::layer {

using launch::OperationKind;

/// Declares the queue.
const void *Recorder::queue(cl_command_queue Q) {
  cl_command_queue_properties Properties = 0;
  device().clGetCommandQueueInfo(Q, CL_QUEUE_PROPERTIES, sizeof(Properties),
                                 &Properties, nullptr);
  const bool InOrder = !(Properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  Order.stream(Q, InOrder ? record::StreamKind::InOrder
                          : record::StreamKind::OutOfOrder);
  return Q;
}

record::OperationSet Recorder::after(cl_uint Count,
                                     const cl_event *Events) const {
  record::OperationSet Set;
  for (cl_uint I = 0; Events && I < Count; ++I)
    if (auto It = Ends.find(Events[I]); It != Ends.end())
      Set.insert(Set.end(), It->second.begin(), It->second.end());
  return Set;
}

void Recorder::addOperation(const Enqueued &How, OperationKind Kind,
                            uint64_t Bytes) {
  const uint64_t Number = Order.operation(queue(How.Queue), Kind, Bytes,
                                          after(How.NumEvents, How.Events));
  if (How.Done)
    Ends[How.Done] = {Number};
  if (How.Blocking)
    Order.hostWaits({Number});
}

void Recorder::operation(const Enqueued &How, OperationKind Kind,
                         uint64_t Bytes) {
  std::lock_guard Guard(Lock);
  addOperation(How, Kind, Bytes);
}

void Recorder::marker(const Enqueued &How, bool Barrier) {
  std::lock_guard Guard(Lock);
  const void *Q = queue(How.Queue);
  const record::OperationSet Set =
      How.NumEvents ? after(How.NumEvents, How.Events) : Order.issued(Q);
  if (How.Done)
    Ends[How.Done] = Set;
  if (Barrier && !How.NumEvents)
    Order.barrier(Q);
  else if (Barrier || Order.isInOrder(Q))
    Order.wait(Q, Set);
}

void Recorder::waitedFor(cl_command_queue Q) {
  std::lock_guard Guard(Lock);
  Order.hostWaits(Order.issued(queue(Q)));
}

void Recorder::waitedFor(cl_uint Count, const cl_event *Events) {
  std::lock_guard Guard(Lock);
  Order.hostWaits(after(Count, Events));
}

// The functions of OpenCL.

static cl_int enqueueMarkerWithWaitList(cl_command_queue Q, cl_uint NumEvents,
                                        const cl_event *Events,
                                        cl_event *Done) {
  Recorder *R = enter(Call_clEnqueueMarkerWithWaitList);
  const cl_int Status =
      device().clEnqueueMarkerWithWaitList(Q, NumEvents, Events, Done);
  if (R && Status == CL_SUCCESS)
    R->marker({Q, NumEvents, Events, Done ? *Done : nullptr},
              /*Barrier=*/false);
  return Status;
}

static cl_int enqueueMarker(cl_command_queue Q, cl_event *Done) {
  Recorder *R = enter(Call_clEnqueueMarker);
  const cl_int Status = device().clEnqueueMarker(Q, Done);
  if (R && Status == CL_SUCCESS)
    R->marker({Q, 0, nullptr, Done ? *Done : nullptr}, /*Barrier=*/false);
  return Status;
}

static cl_int enqueueBarrierWithWaitList(cl_command_queue Q, cl_uint NumEvents,
                                         const cl_event *Events,
                                         cl_event *Done) {
  Recorder *R = enter(Call_clEnqueueBarrierWithWaitList);
  const cl_int Status =
      device().clEnqueueBarrierWithWaitList(Q, NumEvents, Events, Done);
  if (R && Status == CL_SUCCESS)
    R->marker({Q, NumEvents, Events, Done ? *Done : nullptr},
              /*Barrier=*/true);
  return Status;
}

static cl_int enqueueBarrier(cl_command_queue Q) {
  Recorder *R = enter(Call_clEnqueueBarrier);
  const cl_int Status = device().clEnqueueBarrier(Q);
  if (R && Status == CL_SUCCESS)
    R->marker({Q, 0, nullptr, nullptr}, /*Barrier=*/true);
  return Status;
}

static cl_int enqueueWaitForEvents(cl_command_queue Q, cl_uint NumEvents,
                                   const cl_event *Events) {
  Recorder *R = enter(Call_clEnqueueWaitForEvents);
  const cl_int Status = device().clEnqueueWaitForEvents(Q, NumEvents, Events);
  if (R && Status == CL_SUCCESS)
    R->marker({Q, NumEvents, Events, nullptr}, /*Barrier=*/true);
  return Status;
}

void wrapOrder(cl_icd_dispatch &Table) {
  if (Table.clEnqueueMarkerWithWaitList)
    Table.clEnqueueMarkerWithWaitList = enqueueMarkerWithWaitList;
  if (Table.clEnqueueBarrierWithWaitList)
    Table.clEnqueueBarrierWithWaitList = enqueueBarrierWithWaitList;
  Table.clEnqueueMarker = enqueueMarker;
  Table.clEnqueueBarrier = enqueueBarrier;
  Table.clEnqueueWaitForEvents = enqueueWaitForEvents;
}

} // namespace heddle::layer
