//===- UserObjects.cpp - What graphs keep for programs, and their text ----===//

#include "Graphs.h"

#include <fmt/format.h>

#include <climits>
#include <fstream>
#include <set>

using namespace heddle;
using namespace heddle::cuda;

static std::set<UserObject *> &userObjects() {
  static auto *All = new std::set<UserObject *>;
  return *All;
}
static UserObject *objectOf(cudaUserObject_t Handle) {
  auto *Object = reinterpret_cast<UserObject *>(Handle);
  return userObjects().contains(Object) ? Object : nullptr;
}

/// With the last reference the object goes.
static void release(UserObject *Object, uint64_t Count) {
  if ((Object->Count -= Count) != 0)
    return;
  userObjects().erase(Object);
  Object->Destroy(Object->Data);
  delete Object;
}

namespace heddle::cuda {

UserReferences::UserReferences(const UserReferences &Other) : Held(Other.Held) {
  for (const auto &[Object, Count] : Held)
    Object->Count += Count;
}
UserReferences &UserReferences::operator=(UserReferences Other) {
  std::swap(Held, Other.Held);
  return *this;
}
UserReferences::~UserReferences() {
  for (const auto &[Object, Count] : Held)
    release(Object, Count);
}
bool UserReferences::remove(UserObject *Object, uint64_t Count) {
  const auto It = Held.find(Object);
  if (It == Held.end() || It->second < Count)
    return false;
  if ((It->second -= Count) == 0)
    Held.erase(It);
  release(Object, Count);
  return true;
}

} // namespace heddle::cuda

/// Whether a program may add or drop \p Count references to \p Object.
static cudaError_t check(const Call &Enter, const UserObject *Object,
                         unsigned Count) {
  if (!Object)
    return Enter.refuse(Status::InvalidValue, "there is no such object");
  return Count && Count <= INT_MAX ? cudaSuccess : Enter(Status::InvalidValue);
}
EXPORTED cudaError_t cudaUserObjectCreate(cudaUserObject_t *To, void *Data,
                                          cudaHostFn_t Destroy, unsigned Count,
                                          unsigned Flags) {
  ENTER;
  if (!To || !Destroy || !Count || Count > INT_MAX ||
      Flags != cudaUserObjectNoDestructorSync)
    return Enter(Status::InvalidValue);
  auto *Object = new UserObject{Data, Destroy, Count};
  userObjects().insert(Object);
  return Enter.give(To, reinterpret_cast<cudaUserObject_t>(Object));
}
EXPORTED cudaError_t cudaUserObjectRetain(cudaUserObject_t Handle,
                                          unsigned Count) {
  ENTER;
  UserObject *Object = objectOf(Handle);
  if (cudaError_t E = check(Enter, Object, Count))
    return E;
  Object->Count += Count;
  return Enter.done();
}
EXPORTED cudaError_t cudaUserObjectRelease(cudaUserObject_t Handle,
                                           unsigned Count) {
  ENTER;
  UserObject *Object = objectOf(Handle);
  if (cudaError_t E = check(Enter, Object, Count))
    return E;
  if (Object->Count < Count)
    return Enter.refuse(Status::InvalidValue,
                        fmt::format("{} references, and {} are released",
                                    Object->Count, Count));
  release(Object, Count);
  return Enter.done();
}
EXPORTED cudaError_t cudaGraphRetainUserObject(cudaGraph_t Handle,
                                               cudaUserObject_t Of,
                                               unsigned Count, unsigned Flags) {
  ENTER;
  UserObject *Object = objectOf(Of);
  GraphState *G = graphOf(Handle);
  if (!G || Flags > cudaGraphUserObjectMove)
    return Enter(Status::InvalidValue);
  if (cudaError_t E = check(Enter, Object, Count))
    return E;
  const bool Moves = Flags == cudaGraphUserObjectMove;
  if (Moves && Object->Count < Count)
    return Enter(Status::InvalidValue);
  if (!Moves)
    Object->Count += Count;
  G->Objects.add(Object, Count);
  return Enter.done();
}
EXPORTED cudaError_t cudaGraphReleaseUserObject(cudaGraph_t Handle,
                                                cudaUserObject_t Of,
                                                unsigned Count) {
  ENTER;
  UserObject *Object = objectOf(Of);
  GraphState *G = graphOf(Handle);
  if (!G)
    return Enter(Status::InvalidValue);
  if (cudaError_t E = check(Enter, Object, Count))
    return E;
  return G->Objects.remove(Object, Count)
             ? Enter.done()
             : Enter.refuse(Status::InvalidValue,
                            "the graph has fewer references to the object");
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

namespace {
/// A line for a node, and one for its parameters if they are asked for.
struct Label {
  unsigned Flags;

  std::string with(unsigned Flag, const std::string &What,
                   const std::string &More) const {
    const bool Asked = Flags & (Flag | cudaGraphDebugDotFlagsVerbose);
    return Asked ? What + "\\n" + More : What;
  }
  std::string operator()(std::monostate) const { return "empty"; }
  std::string operator()(const KernelNode &K) const {
    const Dim3 &G = K.Shape.Grid, &B = K.Shape.Block;
    return with(cudaGraphDebugDotFlagsKernelNodeParams,
                "kernel " + K.Kernel->Name,
                fmt::format("<<<({}, {}, {}), ({}, {}, {}), {}>>>", G.X, G.Y,
                            G.Z, B.X, B.Y, B.Z, K.Shape.DynamicShared));
  }
  std::string operator()(const cudaMemcpy3DParms &P) const {
    return with(cudaGraphDebugDotFlagsMemcpyNodeParams, "copy",
                fmt::format("{} x {} x {}", P.extent.width, P.extent.height,
                            P.extent.depth));
  }
  std::string operator()(const cudaMemsetParams &P) const {
    return with(cudaGraphDebugDotFlagsMemsetNodeParams, "fill",
                fmt::format("0x{:x}, {} x {} elements of {} bytes", P.value,
                            P.width, P.height, P.elementSize));
  }
  std::string operator()(const cudaHostNodeParams &P) const {
    return with(
        cudaGraphDebugDotFlagsHostNodeParams, "host function",
        fmt::format("{} ({})", reinterpret_cast<void *>(P.fn), P.userData));
  }
  std::string operator()(const std::shared_ptr<GraphState> &) const {
    return "graph";
  }
  std::string operator()(const EventNode &E) const {
    return with(cudaGraphDebugDotFlagsEventNodeParams,
                E.Records ? "record of an event" : "wait for an event",
                fmt::format("{}", static_cast<void *>(E.Event)));
  }
  std::string operator()(const AllocNode &A) const {
    return fmt::format("allocation of {} bytes", A.Memory->Bytes);
  }
  std::string operator()(const FreeNode &F) const {
    return fmt::format("free of {} bytes", F.Memory->Bytes);
  }
};
} // namespace

static void print(std::ostream &To, const GraphState &G, unsigned Flags) {
  for (const auto &N : G.Nodes) {
    std::string Text = std::visit(Label{Flags}, N->Params);
    if (Flags & cudaGraphDebugDotFlagsHandles)
      Text += fmt::format("\\n{}", static_cast<const void *>(N.get()));
    To << fmt::format("  node{} [label=\"{}\"];\n", N->Number, Text);
    for (const GraphNode *B : N->Before)
      To << fmt::format("  node{} -> node{};\n", B->Number, N->Number);
    if (const GraphState *Inner = innerOf(*N)) {
      To << fmt::format("  subgraph cluster{} {{\n", N->Number);
      print(To, *Inner, Flags);
      To << "  }\n";
    }
  }
}
EXPORTED cudaError_t cudaGraphDebugDotPrint(cudaGraph_t Handle,
                                            const char *Path, unsigned Flags) {
  ENTER;
  const GraphState *G = graphOf(Handle);
  if (!G || !Path)
    return Enter(Status::InvalidValue);
  std::ofstream File(Path);
  File << "digraph dot {\n  node [shape=box];\n";
  print(File, *G, Flags);
  File << "}\n";
  File.close();
  return File ? Enter.done()
              : Enter.refuse(Status::OperatingSystem,
                             fmt::format("cannot write '{}'", Path));
}
