// Thrust's pointers to device memory in programs that run: kernels read what
// they point to, the host copies it.

#ifndef HEDDLE_CUDA_THRUST_POINTERS_H
#define HEDDLE_CUDA_THRUST_POINTERS_H

#include "iterator_base.h"

#include <cstdio>
#include <new>
#include <ostream>
#include <stdexcept>
#include <string>

namespace thrust {

/// What Thrust throws where a call of the runtime fails.
class system_error : public ::std::runtime_error {
  cudaError_t status;

public:
  system_error(cudaError_t status, const char *what)
      : ::std::runtime_error(::std::string(what) + ": " +
                             cudaGetErrorString(status)),
        status(status) {}
  int code() const { return status; }
};
/// What Thrust throws where there is no memory; CUDA's error is no longer set.
class bad_alloc : public ::std::bad_alloc {
  ::std::string text;

public:
  bad_alloc(cudaError_t status, const char *what)
      : text(::std::string("std::bad_alloc: ") + what + ": " +
             cudaGetErrorString(status)) {}
  const char *what() const noexcept override { return text.c_str(); }
};
namespace system {
using thrust::system_error;
namespace detail {
using thrust::bad_alloc;
}
} // namespace system

} // namespace thrust

namespace heddle_thrust {

inline void check(cudaError_t status, const char *what) {
  if (status != cudaSuccess)
    throw thrust::system_error(status, what);
}
inline void *allocate(::std::size_t bytes, const char *what) {
  void *p = nullptr;
  if (cudaError_t status = cudaMalloc(&p, bytes); status != cudaSuccess) {
    (void)cudaGetLastError();
    throw thrust::bad_alloc(status, what);
  }
  return p;
}
template <typename T> T download(const T *from) {
  alignas(T) unsigned char bytes[sizeof(T)];
  check(cudaMemcpy(bytes, from, sizeof(T), cudaMemcpyDeviceToHost),
        "thrust: copy from the device");
  return *reinterpret_cast<T *>(bytes);
}
template <typename T> void upload(T *to, const T &value) {
  check(cudaMemcpy(to, &value, sizeof(T), cudaMemcpyHostToDevice),
        "thrust: copy to the device");
}

} // namespace heddle_thrust

namespace thrust {

template <typename T> class device_ptr;

/// An element of device memory, seen from the host.
template <typename T> class device_reference {
  T *p;
  typedef ::std::remove_cv_t<T> Value;

public:
  typedef Value value_type;
  explicit device_reference(T *p) : p(p) {}
  device_reference(const device_reference &) = default;
  template <typename U, typename = ::std::enable_if_t<
                            ::std::is_same_v<U, Value> && ::std::is_const_v<T>>>
  device_reference(const device_reference<U> &o) : p((&o).get()) {}
  operator Value() const { return heddle_thrust::download<Value>(p); }
  const device_reference &operator=(const Value &v) const {
    heddle_thrust::upload(p, v);
    return *this;
  }
  const device_reference &operator=(const device_reference &o) const {
    return *this = (Value)o;
  }
  device_reference &operator=(const device_reference &o) {
    heddle_thrust::upload(p, (Value)o);
    return *this;
  }
  template <typename U>
  const device_reference &operator=(const device_reference<U> &o) const {
    return *this = Value(U(o));
  }
  device_ptr<T> operator&() const { return device_ptr<T>(p); }
#define __HEDDLE_CHANGE(op)                                                    \
  template <typename U>                                                        \
  const device_reference &operator op## = (const U &v) const {                 \
    return *this = Value(Value(*this) op v);                                   \
  }
  __HEDDLE_CHANGE(+)
  __HEDDLE_CHANGE(-)
  __HEDDLE_CHANGE(*)
  __HEDDLE_CHANGE(/)
  __HEDDLE_CHANGE(%)
  __HEDDLE_CHANGE(&)
  __HEDDLE_CHANGE(|)
  __HEDDLE_CHANGE(^)
#undef __HEDDLE_CHANGE
  const device_reference &operator++() const { return *this += Value(1); }
  const device_reference &operator--() const { return *this -= Value(1); }
  Value operator++(int) const {
    const Value old = *this;
    *this += Value(1);
    return old;
  }
  friend ::std::ostream &operator<<(::std::ostream &out,
                                    const device_reference &r) {
    return out << Value(r);
  }
  friend void swap(device_reference a, device_reference b) {
    const Value v = a;
    a = Value(b);
    b = v;
  }
};

template <typename T>
class device_ptr
    : public heddle_thrust::Iterator<device_ptr<T>, ::std::remove_cv_t<T>> {
  T *p;

public:
  typedef device_reference<T> reference;
  typedef device_ptr pointer;
  typedef T element_type;
  __HEDDLE_THRUST device_ptr() : p(nullptr) {}
  __HEDDLE_THRUST device_ptr(::std::nullptr_t) : p(nullptr) {}
  __HEDDLE_THRUST explicit device_ptr(T *p) : p(p) {}
  template <typename U,
            typename = ::std::enable_if_t<::std::is_convertible_v<U *, T *>>>
  __HEDDLE_THRUST device_ptr(const device_ptr<U> &o) : p(o.get()) {}
  __HEDDLE_THRUST T *get() const { return p; }
  __HEDDLE_THRUST void move(::std::ptrdiff_t n) { p += n; }
  __HEDDLE_THRUST ::std::ptrdiff_t from(device_ptr o) const { return p - o.p; }
  __HEDDLE_THRUST explicit operator bool() const { return p; }
  __attribute__((device)) T &operator*() const { return *p; }
  __attribute__((host)) reference operator*() const { return reference(p); }
  template <typename N> __attribute__((device)) T &operator[](N n) const {
    return p[n];
  }
  template <typename N> __attribute__((host)) reference operator[](N n) const {
    return reference(p + n);
  }
  __attribute__((device)) T *operator->() const { return p; }
};

template <typename T> __HEDDLE_THRUST T *raw_pointer_cast(device_ptr<T> p) {
  return p.get();
}
template <typename T> __HEDDLE_THRUST T *raw_pointer_cast(T *p) { return p; }
template <typename T> T &raw_reference_cast(T &v) { return v; }
template <typename T> T &raw_reference_cast(const device_reference<T> &v) {
  return *(&v).get();
}
template <typename T> __HEDDLE_THRUST device_ptr<T> device_pointer_cast(T *p) {
  return device_ptr<T>(p);
}
template <typename T>
__HEDDLE_THRUST device_ptr<T> device_pointer_cast(device_ptr<T> p) {
  return p;
}
template <typename T> device_ptr<T> device_malloc(::std::size_t n) {
  return device_ptr<T>(static_cast<T *>(
      heddle_thrust::allocate(n * sizeof(T), "device_malloc")));
}
template <typename T> void device_free(device_ptr<T> p) {
  heddle_thrust::check(cudaFree((void *)p.get()), "device_free");
}

} // namespace thrust

#endif
