//===- Device.h - The GPU that a program sees -------------------*- C++ -*-===//
//
// What libcudart and libcuda (tools/cuda-layer) do, below their calls: device
// code, memory and launches. Every operation is done when its call returns, in
// the order of the calls, whatever stream it names.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CUDA_DEVICE_H
#define HEDDLE_CUDA_DEVICE_H

#include "cuda/DeviceHeap.h"
#include "cuda/Engine.h"
#include "cuda/FatBinary.h"
#include "cuda/HostAccess.h"
#include "cuda/Recorder.h"
#include "cuda/Status.h"
#include "cuda/Timeline.h"
#include "heddle/ABI/MallocHeap.h"

#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace heddle::cuda {

/// Device code that was registered or loaded, compiled when it is needed.
struct CodeModule {
  uint64_t Number = 0;
  std::vector<std::vector<DeviceImage>> Binaries; ///< that are linked together
  std::string Broken; ///< why a binary cannot be read
  /// The toolkit's libraries are among the binaries; what they have for other
  /// devices is not needed.
  bool HasLibraries = false;
  std::unique_ptr<Program> Loaded;
  Status Failed = Status::Success; ///< of loading
  std::map<std::string, const Allocation *> Variables;
  std::set<std::string> Managed; ///< names of variables that the host shares
  /// Where the host looks for those of nvcc's code.
  std::map<std::string, void **> ManagedPlaces;
};

struct LaunchShape {
  Dim3 Grid, Block;
  uint64_t DynamicShared = 0;
  bool Cooperative = false;
  std::optional<Dim3> Cluster = {}; ///< blocks
};

struct KernelHandle {
  CodeModule *Module = nullptr;
  std::string Name;
  /// In the loaded module, once it was looked up.
  const exec::KernelInterface *Interface = nullptr;
  uint64_t MaxDynamicShared = 0; ///< that was asked for; 0: the default
  bool LargeClusters = false;    ///< of more blocks than every GPU launches
  unsigned FittingThreads = 0;   ///< whose registers a block has
  /// Of the last launches; the shape's grid does not matter.
  std::vector<std::pair<LaunchShape, std::unique_ptr<ReadyLaunch>>> Ready = {};
};

/// What to say of a kernel \p Name that \p M has not: there is none in the
/// \p Where, or why it was not compiled.
std::string missingKernel(const CodeModule &M, const std::string &Name,
                          const char *Where);

class Device {
public:
  /// The process's only one; made by the first call.
  static Device &get();
  /// Null before that.
  static Device *&made();
  /// Held by every call of the API.
  std::recursive_mutex &lock() { return Lock; }
  /// A call begins, or ends, perhaps within another one. Whether it is not.
  bool enter(const char *Name);
  /// What the program called: the outermost call.
  const char *call() const { return Outermost.c_str(); }
  void leave() {
    if (--Depth == 0 && Gate)
      Gate->close();
  }

  const arch::GPUSpec &machine() const { return Machine; }
  unsigned capability() const; ///< 70 for sm_70
  /// Whether a toolkit of release 13 or later has built the program: some calls
  /// and structs are others since then.
  bool isRelease13() const { return Release13; }
  DeviceHeap &heap() { return *Heap; }
  Recorder *recorder() { return Log.get(); }
  Timing clock() const { return Clock; }
  /// Null where the program is not recorded and events have the host's time.
  Timeline *timeline() { return Issued.get(); }

  // Errors.
  /// A line on stderr, "heddle: CALL: MESSAGE (error N)", and \p S.
  Status report(Status S, const std::string &Call, const std::string &Message);
  /// After a kernel has faulted every call gives this.
  Status sticky() const { return Sticky; }

  /// Of the heap of malloc in device code that is loaded from now on.
  uint64_t mallocBytes() const { return MallocBytes; }
  /// False if device code that is loaded has such a heap.
  bool setMallocBytes(uint64_t Bytes);

  // Device code. Registration compiles nothing.
  CodeModule *addBinary(const void *FatBinary, size_t Bytes = PTRDIFF_MAX);
  /// Several that are one module, up to a null.
  CodeModule *addParts(const void *const *FatBinaries);
  CodeModule *addCode(std::string PTXOrBitcode, unsigned Capability);
  /// That of the code of \p M which fits the device: 70 for PTX for sm_70.
  unsigned capabilityOf(const CodeModule &M) const;
  void dropModule(CodeModule *M);
  /// The module that \p Handle is; null if there is none, or no more.
  CodeModule *module(const void *Handle);
  /// One image of several: text of PTX, or a fat binary of `heddle cc`.
  Status link(const std::vector<std::string> &Codes, std::string &Image,
              const char *Call);
  void registerKernel(CodeModule *M, const void *Host, std::string Name);
  void registerVariable(CodeModule *M, const void *Host, std::string Name);
  Status load(CodeModule &M, const char *Call);
  /// All of \p M is registered. Variables that the host shares need their
  /// first values now; else a module is loaded when it is used.
  void registered(CodeModule &M);
  /// The kernel that was registered with the address \p Host, or that the
  /// handle \p Host is; null if there is none.
  KernelHandle *kernel(const void *Host);
  /// The kernel \p Name of \p M; null if there is none. \p M is loaded.
  KernelHandle *kernel(CodeModule &M, const std::string &Name);
  /// Where the variable is that \p Host stands for; loads its module.
  Status variable(const void *Host, const std::string &Call,
                  const Allocation *&At);

  /// The parameters at \p Args, one pointer for each, as a block of bytes.
  /// Checks the shape of a launch first.
  Status pack(KernelHandle &K, const LaunchShape &Shape, void **Args,
              std::vector<uint8_t> &To, const char *Call);
  /// Launches with \p Args, or else with what is \p Packed.
  Status launch(KernelHandle &K, const LaunchShape &Shape, void **Args,
                const std::vector<uint8_t> *Packed, const char *Call);
  Result<KernelResources> resources(KernelHandle &K);
  /// Blocks of \p Threads threads and \p Shared bytes of dynamic shared memory
  /// that an SM holds at once.
  Result<unsigned> blocksPerSM(KernelHandle &K, unsigned Threads,
                               uint64_t Shared);
  /// Dynamic shared memory that a block of \p K may have.
  uint64_t maxDynamicShared(const KernelHandle &K) const;

  // Memory.
  Status allocate(void **To, uint64_t Bytes, MemoryKind Kind,
                  const std::string &Call);
  Status release(void *At, bool OfHost, const std::string &Call);
  /// Memory of the host's own, which kernels then reach by its address.
  Status registerHost(void *At, uint64_t Bytes, const std::string &Call);
  Status unregisterHost(void *At, const std::string &Call);
  /// Copies the box, which both sides have in their own pitches. Addresses say
  /// whose memory it is; \p ToDevice and \p FromDevice, if given, must agree.
  Status copy(void *To, const launch::Region &ToAt, const void *From,
              const launch::Region &FromAt, std::optional<bool> ToDevice,
              std::optional<bool> FromDevice, const std::string &Call);
  Status fill(void *To, const launch::Region &At,
              const std::vector<uint8_t> &Pattern, const std::string &Call);
  void synchronise(const char *Call);
  /// Ends the recording. At the program's end.
  void finish();

private:
  Device();
  Status images(const CodeModule &M, std::vector<std::string> &To,
                std::string &Why) const;
  void addImages(CodeModule &M, std::vector<DeviceImage> Images);
  Status checkRegisters(KernelHandle &K, unsigned Threads, const char *Call);
  Status checkShape(KernelHandle &K, const LaunchShape &Shape,
                    const exec::KernelInterface &I, const char *Call);
  Status execute(KernelHandle &K, const LaunchShape &Shape, const char *Call);
  Result<LaunchReport> run(KernelHandle &K, const LaunchShape &Shape);
  launch::Launch launchOf(const KernelHandle &K,
                          const LaunchShape &Shape) const;
  Engine *engine(std::string &Why);
  void tell(const HostAccess::Access &A);
  void tellLeaks();
  /// Whether a module has it, so that no program frees it.
  bool isVariable(const Allocation &A) const;
  Result<uint64_t> place(CodeModule &M, const Variable &V);
  void sizeHeap(CodeModule &M);
  bool inDevice(const void *At, uint64_t Bytes, const Allocation *&A) const;
  /// Whether \p Bytes at \p At lie in several pieces of memory that the
  /// program has mapped side by side.
  bool isInPieces(const void *At, uint64_t Bytes) const;
  /// Bytes of a row at \p At that lie in one of them.
  uint64_t pieceAt(const void *At, uint64_t Bytes) const;
  Status copyPieces(void *To, const launch::Region &ToAt, const void *From,
                    const launch::Region &FromAt, std::optional<bool> ToDevice,
                    std::optional<bool> FromDevice, const std::string &Call);
  Status fillPieces(void *To, const launch::Region &At,
                    const std::vector<uint8_t> &Pattern,
                    const std::string &Call);

  std::recursive_mutex Lock;
  arch::GPUSpec Machine;
  uint64_t MallocBytes = HEDDLE_HEAP_DEFAULT;
  bool HasMalloc = false; ///< device code that is loaded
  Timing Clock = Timing::Host;
  std::vector<uint8_t> Params; ///< of the launch under way
  std::shared_ptr<exec::DeviceMemory> Memory;
  std::unique_ptr<DeviceHeap> Heap;
  std::unique_ptr<HostAccess> Gate; ///< with HEDDLE_CHECK
  unsigned Depth = 0;               ///< of calls
  bool InPieces = false;            ///< of one operation, which is issued once
  std::string Outermost;
  std::unique_ptr<Recorder> Log;
  std::unique_ptr<Timeline> Issued;
  Engine *Compiler = nullptr;
  Status Sticky = Status::Success;
  std::deque<CodeModule> Modules;
  CodeModule *Linked = nullptr; ///< of all relocatable binaries
  bool Release13 = false;
  std::unordered_map<const void *, KernelHandle> Kernels; ///< by host address
  std::map<std::pair<const CodeModule *, std::string>, KernelHandle> Named;
  std::set<const void *> Handles; ///< of all kernels that programs may name
  std::unordered_map<const void *, KernelHandle> Variables;
};

/// [0, Bytes) in one row.
launch::Region linear(uint64_t Bytes);

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_DEVICE_H
