//===- GraphMemory.cpp - Nodes of graphs that allocate and free -----------===//
//
// An address is the node's as long as it lives, so memory is allocated with the
// node. Launches only say when it is used.
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"

#include <fmt/format.h>

#include <map>

using namespace heddle;
using namespace heddle::cuda;

namespace {
struct Usage {
  uint64_t Now = 0, High = 0; ///< bytes

  void add(uint64_t Bytes) {
    Now += Bytes;
    High = std::max(High, Now);
  }
};
struct Memories {
  Usage Used, Reserved;
  std::map<const void *, std::weak_ptr<GraphMemory>> All; ///< by address
  /// Used after the graph is gone, until it is freed.
  std::map<const void *, std::shared_ptr<GraphMemory>> InUse;
};
Memories &memories() {
  static auto *All = new Memories;
  return *All;
}
} // namespace

static std::shared_ptr<GraphMemory> memoryAt(const void *At) {
  const auto It = memories().All.find(At);
  return It == memories().All.end() ? nullptr : It->second.lock();
}

namespace heddle::cuda {

GraphMemory::~GraphMemory() {
  Device &D = Device::get();
  if (!At)
    return;
  memories().All.erase(At);
  if (Reserved)
    memories().Reserved.Now -= Bytes;
  const InStream Here(D, nullptr); // does not wait for the GPU
  D.release(At, /*OfHost=*/false, D.call());
}

cudaError_t allocNode(const Call &Enter, const GraphState &Owner,
                      const cudaMemAllocNodeParams &P, AllocNode &To) {
  const cudaMemPoolProps &Pool = P.poolProps;
  const bool Fits = Pool.allocType == cudaMemAllocationTypePinned &&
                    Pool.location.type == cudaMemLocationTypeDevice &&
                    P.bytesize && (!P.accessDescCount || P.accessDescs);
  if (!Fits)
    return Enter.refuse(Status::InvalidValue,
                        "give a size, and memory of a device");
  if (Pool.handleTypes != cudaMemHandleTypeNone)
    return Enter.refuse(Status::NotSupported,
                        "memory that processes share is not supported");
  To.Access.assign(P.accessDescs, P.accessDescs + P.accessDescCount);
  const auto IsOther = [](const cudaMemAccessDesc &A) {
    return A.location.type != cudaMemLocationTypeDevice || A.location.id != 0;
  };
  if (Pool.location.id != 0 || std::ranges::any_of(To.Access, IsOther))
    return Enter.refuse(Status::InvalidDevice, "there is only device 0");
  To.Memory = std::make_shared<GraphMemory>();
  if (Status S = Enter.device().allocate(&To.Memory->At, P.bytesize,
                                         MemoryKind::Device, Enter.name());
      S != Status::Success)
    return Enter(S);
  To.Memory->Bytes = P.bytesize;
  To.Memory->Owner = &Owner;
  memories().All[To.Memory->At] = To.Memory;
  To.Params = P;
  To.Params.dptr = To.Memory->At;
  return cudaSuccess;
}

cudaError_t freeNode(const Call &Enter, const GraphState &G, const void *At,
                     FreeNode &To) {
  To.Memory = memoryAt(At);
  if (!To.Memory)
    return Enter.refuse(Status::InvalidValue,
                        fmt::format("{}: no node allocates it",
                                    Enter.device().heap().describe(
                                        reinterpret_cast<uint64_t>(At))));
  const bool Twice = std::ranges::any_of(G.Nodes, [&](const auto &N) {
    const auto *F = std::get_if<FreeNode>(&N->Params);
    return F && F->Memory == To.Memory;
  });
  const bool IsOwner = To.Memory->Owner == &G;
  if (Twice || (IsOwner ? To.Memory->FreedByOthers : To.Memory->FreedByOwner))
    return Enter.refuse(Status::InvalidValue, "a node frees it already");
  (IsOwner ? To.Memory->FreedByOwner : To.Memory->FreedByOthers) = true;
  return cudaSuccess;
}

cudaError_t useMemory(const Call &Enter,
                      const std::shared_ptr<GraphMemory> &M) {
  if (M->Used)
    return Enter.refuse(Status::InvalidValue,
                        "the memory is allocated and was not freed");
  memories().Used.add(M->Bytes);
  if (!M->Reserved)
    memories().Reserved.add(M->Bytes);
  M->Used = M->Reserved = true;
  memories().InUse[M->At] = M;
  return Enter.done();
}

cudaError_t freeMemory(const Call &Enter, GraphMemory &M) {
  if (!M.Used)
    return Enter.refuse(Status::InvalidValue, "the memory is not allocated");
  M.Used = false;
  memories().Used.Now -= M.Bytes;
  memories().InUse.erase(M.At); // perhaps the last to have it
  return Enter.done();
}

std::optional<cudaError_t> freeOfGraph(const Call &Enter, const void *At) {
  const std::shared_ptr<GraphMemory> M = memoryAt(At);
  if (!M)
    return std::nullopt;
  if (M->FreedByOwner)
    return Enter.refuse(Status::InvalidValue,
                        "a node of the memory's own graph frees it");
  return freeMemory(Enter, *M);
}

} // namespace heddle::cuda

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

EXPORTED cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *To,
                                              cudaGraph_t Handle,
                                              const cudaGraphNode_t *Before,
                                              size_t Count,
                                              cudaMemAllocNodeParams *P) {
  ENTER;
  const GraphState *G = graphOf(Handle);
  if (!G || !To || !P)
    return Enter(Status::InvalidValue);
  AllocNode A;
  if (cudaError_t E = allocNode(Enter, *G, *P, A))
    return E;
  P->dptr = A.Memory->At;
  return addTo(Enter, To, Handle, Before, Count, std::move(A));
}
EXPORTED cudaError_t cudaGraphMemAllocNodeGetParams(
    cudaGraphNode_t Handle, cudaMemAllocNodeParams *To) {
  ENTER;
  const GraphNode *N = nodeOf(Handle);
  const AllocNode *A = N ? std::get_if<AllocNode>(&N->Params) : nullptr;
  if (!A || !To)
    return Enter(Status::InvalidValue);
  *To = A->Params;
  To->accessDescs = A->Access.data();
  return Enter.done();
}
EXPORTED cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *To,
                                             cudaGraph_t Handle,
                                             const cudaGraphNode_t *Before,
                                             size_t Count, void *At) {
  ENTER;
  const GraphState *G = graphOf(Handle);
  if (!G || !To)
    return Enter(Status::InvalidValue);
  FreeNode F;
  if (cudaError_t E = freeNode(Enter, *G, At, F))
    return E;
  return addTo(Enter, To, Handle, Before, Count, std::move(F));
}
EXPORTED cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t Handle,
                                                   void *To) {
  ENTER;
  const GraphNode *N = nodeOf(Handle);
  const FreeNode *F = N ? std::get_if<FreeNode>(&N->Params) : nullptr;
  return F ? Enter.give(static_cast<void **>(To), F->Memory->At)
           : Enter(Status::InvalidValue);
}

//===----------------------------------------------------------------------===//
// What graphs take of the device
//===----------------------------------------------------------------------===//

EXPORTED cudaError_t cudaDeviceGraphMemTrim(int Index) {
  ENTER;
  if (cudaError_t E = Enter.checkDevice(Index))
    return E;
  for (const auto &[At, Weak] : memories().All)
    if (const auto M = Weak.lock(); M && M->Reserved && !M->Used) {
      M->Reserved = false;
      memories().Reserved.Now -= M->Bytes;
    }
  return Enter.done();
}
EXPORTED cudaError_t cudaDeviceGetGraphMemAttribute(
    int Index, cudaGraphMemAttributeType Which, void *To) {
  ENTER;
  if (cudaError_t E = Enter.checkDevice(Index))
    return E;
  const Memories &All = memories();
  const uint64_t Values[] = {All.Used.Now, All.Used.High, All.Reserved.Now,
                             All.Reserved.High};
  return unsigned(Which) < std::size(Values)
             ? Enter.give(static_cast<uint64_t *>(To), Values[Which])
             : Enter(Status::InvalidValue);
}
/// Zero brings a highest value down to what it is now.
EXPORTED cudaError_t cudaDeviceSetGraphMemAttribute(
    int Index, cudaGraphMemAttributeType Which, void *From) {
  ENTER;
  if (cudaError_t E = Enter.checkDevice(Index))
    return E;
  const bool OfUsed = Which == cudaGraphMemAttrUsedMemHigh;
  if (!From || (!OfUsed && Which != cudaGraphMemAttrReservedMemHigh) ||
      *static_cast<const uint64_t *>(From) != 0)
    return Enter(Status::InvalidValue);
  Usage &U = OfUsed ? memories().Used : memories().Reserved;
  U.High = U.Now;
  return Enter.done();
}
