// Ranges of NVTX that end with their scope, in C++.

#ifndef HEDDLE_CUDA_NVTX3_HPP
#define HEDDLE_CUDA_NVTX3_HPP

#include "../own_names.def"

#include "nvToolsExt.h"

#include <string>

namespace nvtx3 {

struct rgb {
  unsigned char red, green, blue;
};

class event_attributes {
public:
  event_attributes(const char *name) {
    value.version = NVTX_VERSION;
    value.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
    value.messageType = NVTX_MESSAGE_TYPE_ASCII;
    value.message.ascii = name;
  }
  event_attributes(const std::string &name) : event_attributes(name.c_str()) {}
  /// Colours and the like have no effect.
  template <typename... More>
  event_attributes(const char *name, const More &...)
      : event_attributes(name) {}
  const nvtxEventAttributes_t *get() const { return &value; }

private:
  nvtxEventAttributes_t value = {};
};

struct domain {
  struct global {};
  /// Of the default domain, and of one whose type has a member "name".
  static nvtxDomainHandle_t handle(const global *) { return nullptr; }
  template <typename Domain> static nvtxDomainHandle_t handle(const Domain *) {
    static const nvtxDomainHandle_t Made = nvtxDomainCreateA(Domain::name);
    return Made;
  }
};

template <typename Domain> class scoped_range_in {
public:
  explicit scoped_range_in(const event_attributes &of) {
    nvtxDomainRangePushEx(in(), of.get());
  }
  template <typename... More>
  explicit scoped_range_in(const char *name, const More &...)
      : scoped_range_in(event_attributes(name)) {}
  explicit scoped_range_in(const std::string &name)
      : scoped_range_in(event_attributes(name)) {}
  scoped_range_in(const scoped_range_in &) = delete;
  scoped_range_in &operator=(const scoped_range_in &) = delete;
  ~scoped_range_in() { nvtxDomainRangePop(in()); }

private:
  static nvtxDomainHandle_t in() {
    return domain::handle(static_cast<const Domain *>(nullptr));
  }
};
using scoped_range = scoped_range_in<domain::global>;

inline void mark(const event_attributes &) {}

} // namespace nvtx3

#define NVTX3_FUNC_RANGE() ::nvtx3::scoped_range nvtx3_range_(__func__)
#define NVTX3_FUNC_RANGE_IN(D)                                                 \
  ::nvtx3::scoped_range_in<D> nvtx3_range_(__func__)

#include "../user_names.def"

#endif
