// Thrust's pointers, which kernels use, and containers for a host side that is
// parsed only; programs have their own (vectors.h).

#ifndef HEDDLE_CUDA_THRUST_CONTAINERS_H
#define HEDDLE_CUDA_THRUST_CONTAINERS_H

#include "values.h"
#ifdef __HEDDLE_PROGRAM
#include "vectors.h"
#else

namespace thrust {

// --- pointers ----------------------------------------------------------------
template <typename T> struct device_reference {
  T *p;
  device_reference &operator=(const T &);
  operator T() const;
  device_reference &operator+=(const T &);
};
template <typename T> class device_ptr {
  T *p;

public:
  typedef T value_type;
  typedef T *pointer;
  typedef T &reference;
  typedef ::std::ptrdiff_t difference_type;
  typedef ::std::random_access_iterator_tag iterator_category;
  __HEDDLE_THRUST device_ptr() : p(nullptr) {}
  __HEDDLE_THRUST explicit device_ptr(T *p) : p(p) {}
  template <typename U>
  __HEDDLE_THRUST device_ptr(const device_ptr<U> &o) : p((T *)o.get()) {}
  __HEDDLE_THRUST T *get() const { return p; }
  __HEDDLE_THRUST T &operator*() const { return *p; }
  __HEDDLE_THRUST T *operator->() const { return p; }
  __HEDDLE_THRUST T &operator[](::std::ptrdiff_t i) const { return p[i]; }
  __HEDDLE_THRUST device_ptr operator+(::std::ptrdiff_t i) const {
    return device_ptr(p + i);
  }
  __HEDDLE_THRUST device_ptr operator-(::std::ptrdiff_t i) const {
    return device_ptr(p - i);
  }
  __HEDDLE_THRUST ::std::ptrdiff_t operator-(device_ptr o) const {
    return p - o.p;
  }
  __HEDDLE_THRUST device_ptr &operator++() {
    ++p;
    return *this;
  }
  __HEDDLE_THRUST device_ptr &operator+=(::std::ptrdiff_t i) {
    p += i;
    return *this;
  }
  __HEDDLE_THRUST device_ptr operator++(int) { return device_ptr(p++); }
  __HEDDLE_THRUST device_ptr &operator--() {
    --p;
    return *this;
  }
  __HEDDLE_THRUST bool operator<(device_ptr o) const { return p < o.p; }
  __HEDDLE_THRUST bool operator==(device_ptr o) const { return p == o.p; }
  __HEDDLE_THRUST bool operator!=(device_ptr o) const { return p != o.p; }
};
template <typename T> __HEDDLE_THRUST T *raw_pointer_cast(device_ptr<T> p) {
  return p.get();
}
template <typename T> __HEDDLE_THRUST T *raw_pointer_cast(T *p) { return p; }
template <typename T> T &raw_reference_cast(T &v);
template <typename T> __HEDDLE_THRUST device_ptr<T> device_pointer_cast(T *p) {
  return device_ptr<T>(p);
}
template <typename T> device_ptr<T> device_malloc(::std::size_t n);
template <typename T> void device_free(T);
template <typename T> device_ptr<T> device_new(::std::size_t n);
template <typename T> void device_delete(T);

// --- containers, for the host ------------------------------------------------
template <typename T, typename A = ::std::allocator<T>>
class host_vector : public ::std::vector<T> {
public:
  using ::std::vector<T>::vector;
  host_vector() = default;
  template <typename V> host_vector(const V &);
  template <typename V> host_vector &operator=(const V &);
};
template <typename T, typename A = void> class device_vector {
public:
  typedef device_ptr<T> iterator;
  typedef device_ptr<const T> const_iterator;
  typedef device_ptr<T> pointer;
  typedef device_reference<T> reference;
  typedef T value_type;
  typedef ::std::size_t size_type;
  device_vector();
  template <typename... B> explicit device_vector(::std::size_t n, B...);
  template <typename I> device_vector(I first, I last);
  template <typename V> device_vector(const V &);
  device_vector(const device_vector &);
  device_vector(::std::initializer_list<T>);
  template <typename V> device_vector &operator=(const V &);
  iterator begin() const;
  iterator end() const;
  const_iterator cbegin() const;
  const_iterator cend() const;
  pointer data() const;
  T &operator[](::std::size_t) const;
  T &front() const;
  T &back() const;
  ::std::size_t size() const;
  ::std::size_t capacity() const;
  bool empty() const;
  void resize(::std::size_t, T = T());
  void reserve(::std::size_t);
  void shrink_to_fit();
  void clear();
  void push_back(const T &);
  void swap(device_vector &);
  template <typename... B> void assign(B...);
  template <typename... B> iterator erase(B...);
  template <typename... B> iterator insert(B...);
};
template <typename T> using universal_vector = device_vector<T>;
template <typename T> using pinned_vector = host_vector<T>;

/// Stands for a value of any type in code that is not run.
struct __heddle_any {
  template <typename T> operator T() const;
  template <typename T> __heddle_any operator+(T) const;
  template <typename T>::std::ptrdiff_t operator-(T) const;
  double operator*() const;
};

} // namespace thrust

#include "iterators.h"

#endif // __HEDDLE_PROGRAM

#endif
