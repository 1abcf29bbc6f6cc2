//===- Recorder.h - What the layer knows of the program ---------*- C++ -*-===//
//
// The layer stands between the program and its OpenCL device. Every function
// that it replaces calls the device's, and then tells the recorder what has
// happened. The recorder keeps what launches need: programs, kernels with their
// arguments, and the writes to buffers that no launch has read yet.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_OPENCL_LAYER_RECORDER_H
#define HEDDLE_OPENCL_LAYER_RECORDER_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl_icd.h>
#include <CL/cl_layer.h>

#include "launch/HostStep.h"
#include "record/RecordingWriter.h"
#include "record/StreamOrder.h"

#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace heddle::layer {

using launch::Region;

/// Indices of the functions in Calls.def.
enum Call : unsigned {
#define CALL(Name) Call_##Name,
#include "Calls.def"
  NumCalls
};

/// Where a buffer, or a part of it, lies.
struct Place {
  uint64_t Buffer = 0; ///< number of the buffer, itself no sub-buffer
  uint64_t Offset = 0, SizeBytes = 0;
};

/// One argument of a kernel, as clSetKernelArg left it.
struct KernelArgument {
  enum Kind { Bytes, Memory, Local, Refused } What = Bytes;
  /// What the kernel declares; empty if unknown.
  std::optional<Kind> Declared;
  std::vector<uint8_t> Value;
  std::optional<Place> At; ///< Memory; nothing for a null pointer
  uint64_t LocalBytes = 0;
  std::string Reason; ///< Refused
};

/// How a command was enqueued.
struct Enqueued {
  cl_command_queue Queue;
  cl_uint NumEvents;
  const cl_event *Events; ///< that it waits for
  cl_event Done;          ///< null if the program has none
  bool Blocking = false;
};

class Recorder {
public:
  /// The recorder of this process: HEDDLE_RECORDING names the folder. Null if
  /// it is not set, in a process that was forked, and at the program's end.
  static Recorder *get();
  /// Starts and ends it; the layer's library does both.
  static void start(const cl_icd_dispatch &Device);
  static void stop();

  const cl_icd_dispatch &device() const { return Device; }
  void count(Call C) { Counts[C].fetch_add(1, std::memory_order_relaxed); }

  // Programs and kernels.
  void source(cl_program P, std::string Text);
  void refuseProgram(cl_program P, const std::string &Reason);
  void built(cl_program P, const char *Options);
  void kernel(cl_kernel K, cl_program P);
  void cloned(cl_kernel From, cl_kernel To);
  void setArgument(cl_kernel K, cl_uint Index, size_t Size, const void *Value);
  void refuseArgument(cl_kernel K, cl_uint Index, const std::string &Reason);
  /// The local size to launch with where the program leaves it open.
  std::array<size_t, 3> localSize(cl_command_queue Q, cl_kernel K,
                                  cl_uint Dimensions, const size_t *Global);
  void launched(const Enqueued &How, cl_kernel K, cl_uint Dimensions,
                const size_t *Offset, const size_t *Global,
                const size_t *Local);

  // Order.
  void operation(const Enqueued &How, launch::OperationKind Kind,
                 uint64_t Bytes);
  /// A marker or, with \p Barrier, what all later commands wait for.
  void marker(const Enqueued &How, bool Barrier);
  /// The host waits.
  void waitedFor(cl_command_queue Q);
  void waitedFor(cl_uint Count, const cl_event *Events);

  // Buffers.
  void buffer(cl_mem M, cl_mem_flags Flags, size_t Size, const void *Host);
  void part(cl_mem M, cl_mem Whole, size_t Offset, size_t Size);
  void dropped(uint64_t Buffer);
  /// An image, pipe or sampler; launches that take one cannot be replayed.
  void foreign(const void *Handle, const char *What);
  /// The region lies in the part of a buffer that \p M is.
  void written(cl_mem M, const Region &At, const void *Host,
               const Region &HostAt);
  void filled(cl_mem M, const void *Pattern, size_t PatternSize, size_t Offset,
              size_t Size);
  void copied(cl_mem From, const Region &FromAt, cl_mem To, const Region &ToAt);
  /// Fetches what the device holds there, once \p Q is done: after operations
  /// that the recording lacks.
  void fetch(cl_command_queue Q, cl_mem M, size_t Offset, size_t Size);

  // Results. A blocking read has no event.
  void reads(cl_mem M, const Region &At, const void *Host, const Region &HostAt,
             cl_event Done);
  void mapped(cl_mem M, void *Host, size_t Offset, size_t Size, cl_map_flags F,
              cl_event Done);
  /// The bytes that the program may have written there.
  uint64_t unmapped(void *Host);
  /// Takes the results of completed reads. Called after each call that waits,
  /// before the program can see them.
  void collect();
  /// The program learns of an event in another thread, so its read cannot be
  /// taken in time.
  void forget(cl_event E);

  void synchronised(const char *Call);
  void unsupported(const std::string &What);

private:
  struct Pending { // what no launch has read yet
    std::optional<Region> At;
    std::vector<uint8_t> Bytes;
    uint64_t Offset = 0, SizeBytes = 0; // a fill with Bytes
  };
  struct Buffer {
    uint64_t SizeBytes = 0;
    bool Declared = false, Launched = false;
    std::vector<Pending> Waiting;
  };
  struct Program {
    std::string Source, Refused;
    std::optional<uint64_t> Number;
  };
  struct Kernel {
    std::string Name, Refused;
    uint64_t Number = 0;
    std::vector<KernelArgument> Arguments;
  };
  struct PendingRead {
    uint64_t Number;
    const uint8_t *Host;
    Region HostAt;
    cl_event Done;
  };
  struct Mapping {
    Place At;
    bool Writes;
  };

  Recorder(const cl_icd_dispatch &Device,
           std::unique_ptr<record::RecordingWriter> Writer);
  void info(cl_program P);
  void writeCalls();
  std::optional<Place> place(cl_mem M) const;
  const void *queue(cl_command_queue Q);
  record::OperationSet after(cl_uint Count, const cl_event *Events) const;
  void addOperation(const Enqueued &How, launch::OperationKind Kind,
                    uint64_t Bytes);
  void declare(uint64_t Number);
  void flush(uint64_t Number);
  void add(uint64_t Number, Pending P);
  void describeArguments(cl_kernel Handle, Kernel &K);
  std::string whyNot(const Kernel &K, cl_uint Dimensions, const size_t *Global,
                     const size_t *Local) const;
  void fetchAfter(cl_command_queue Q, const Kernel &K);
  void appendLaunch(const Enqueued &How, const Kernel &K, cl_uint Dimensions,
                    const size_t *Offset, const size_t *Global,
                    const size_t *Local);

  const cl_icd_dispatch Device;
  const std::unique_ptr<record::RecordingWriter> Log;
  std::array<std::atomic<uint64_t>, NumCalls> Counts{};
  bool Informed = false;
  std::mutex Lock; // of all below
  uint64_t NextBuffer = 0, NextProgram = 0, NextKernel = 0, NextRead = 0;
  uint64_t Launches = 0;
  std::map<cl_program, Program> Programs;
  std::map<cl_kernel, Kernel> Kernels;
  std::map<cl_mem, Place> Places;
  std::map<const void *, std::string> Foreign; // what each is
  std::map<uint64_t, Buffer> Buffers;
  std::vector<PendingRead> Reads;
  std::map<void *, std::vector<Mapping>> Mappings;
  record::StreamOrder Order;
  std::map<cl_event, record::OperationSet> Ends; ///< what each event tells
};

/// The bytes of \p At, packed.
std::vector<uint8_t> pack(const void *Host, const Region &At);
/// The region of [Offset, Offset + Size).
Region linear(uint64_t Offset, uint64_t Size);

/// Replace the functions of the device in \p Table.
void wrapBuffers(cl_icd_dispatch &Table);
void wrapDevices(cl_icd_dispatch &Table);
void wrapKernels(cl_icd_dispatch &Table);
void wrapOrder(cl_icd_dispatch &Table);
void wrapTransfers(cl_icd_dispatch &Table);

/// Counts the call and returns the recorder, or null.
inline Recorder *enter(Call C) {
  Recorder *R = Recorder::get();
  if (R)
    R->count(C);
  return R;
}
/// The functions of the device, also where nothing is recorded.
const cl_icd_dispatch &device();

} // namespace heddle::layer

#endif // HEDDLE_OPENCL_LAYER_RECORDER_H
