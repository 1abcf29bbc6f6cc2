//===- Layer.cpp - What the ICD loader asks for ---------------------------===//

#include "Recorder.h"

#include <cstring>
#include <type_traits>

namespace heddle::layer {

namespace {
/// A function of the device that is only counted.
template <Call Index, auto Member, typename Function> struct Counted;
template <Call Index, auto Member, typename Result, typename... Args>
struct Counted<Index, Member, Result (*)(Args...)> {
  static Result call(Args... A) {
    enter(Index);
    return (device().*Member)(A...);
  }
};
} // namespace

/// The loader's table; the C interface has nowhere else to keep it.
static cl_icd_dispatch &deviceTable() {
  static cl_icd_dispatch Table;
  return Table;
}
const cl_icd_dispatch &device() { return deviceTable(); }

static const cl_icd_dispatch &makeTable() {
  static cl_icd_dispatch Table = device();
#define CALL(Name)                                                             \
  if (device().Name)                                                           \
    Table.Name = Counted<Call_##Name, &cl_icd_dispatch::Name,                  \
                         decltype(cl_icd_dispatch::Name)>::call;
#include "Calls.def"
  wrapBuffers(Table);
  wrapDevices(Table);
  wrapKernels(Table);
  wrapOrder(Table);
  wrapTransfers(Table);
  return Table;
}

} // namespace heddle::layer

using namespace heddle::layer;

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED cl_int CL_API_CALL clGetLayerInfo(cl_layer_info Name, size_t Size,
                                           void *Value, size_t *SizeOut) {
  constexpr char LayerName[] = "Heddle recording";
  constexpr cl_layer_api_version Version = CL_LAYER_API_VERSION_100;
  const void *From = &Version;
  size_t Needed = sizeof(Version);
  if (Name == CL_LAYER_NAME) {
    From = LayerName;
    Needed = sizeof(LayerName);
  } else if (Name != CL_LAYER_API_VERSION) {
    return CL_INVALID_VALUE;
  }
  if (Value && Size < Needed)
    return CL_INVALID_VALUE;
  if (Value)
    std::memcpy(Value, From, Needed);
  if (SizeOut)
    *SizeOut = Needed;
  return CL_SUCCESS;
}

EXPORTED cl_int CL_API_CALL clInitLayer(cl_uint NumEntries,
                                        const cl_icd_dispatch *Target,
                                        cl_uint *NumEntriesOut,
                                        const cl_icd_dispatch **Out) {
  constexpr cl_uint Entries = sizeof(cl_icd_dispatch) / sizeof(void *);
  if (!Target || !NumEntriesOut || !Out)
    return CL_INVALID_VALUE;
  const cl_uint Known = NumEntries < Entries ? NumEntries : Entries;
  std::memcpy(static_cast<void *>(&deviceTable()), Target,
              Known * sizeof(void *));
  Recorder::start(device());
  *Out = &makeTable();
  *NumEntriesOut = Known;
  return CL_SUCCESS;
}

/// When the library is unloaded, that is when the program ends in order.
__attribute__((destructor)) static void endRecording() { Recorder::stop(); }
