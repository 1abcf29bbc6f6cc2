// Thrust's vectors in programs.

#ifndef HEDDLE_CUDA_THRUST_VECTORS_H
#define HEDDLE_CUDA_THRUST_VECTORS_H

#include "copies.h"

#include <initializer_list>

namespace thrust {

template <typename T, typename A> class device_vector;

template <typename T, typename A = ::std::allocator<T>>
class host_vector : public ::std::vector<T> {
  typedef ::std::vector<T> Base;

public:
  using Base::Base;
  host_vector() = default;
  template <typename U> host_vector(const ::std::vector<U> &o) {
    Base::assign(o.begin(), o.end());
  }
  template <typename U, typename B> host_vector(const device_vector<U, B> &o) {
    *this = o;
  }
  template <typename I, typename = typename I::iterator_category>
  host_vector(I f, I l) {
    assign(f, l);
  }
  template <typename U, typename B>
  host_vector &operator=(const device_vector<U, B> &o) {
    assign(o.begin(), o.end());
    return *this;
  }
  template <typename U> host_vector &operator=(const ::std::vector<U> &o) {
    Base::assign(o.begin(), o.end());
    return *this;
  }
  using Base::assign;
  template <typename I, typename = typename I::iterator_category>
  void assign(I f, I l) {
    Base::resize(::std::size_t(::std::distance(f, l)));
    heddle_thrust::copyAnywhere(nullptr, f, l, Base::begin());
  }
};

/// Elements in device memory, of a type that is copied byte by byte.
template <typename T, typename A = void> class device_vector {
  T *p = nullptr;
  ::std::size_t n = 0, room = 0;

  void allocate(::std::size_t count) {
    if (count)
      p = static_cast<T *>(
          heddle_thrust::allocate(count * sizeof(T), "device_vector"));
    room = count;
  }
  void move(const T *from, T *to, ::std::size_t count) {
    if (count)
      heddle_thrust::check(
          cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyDeviceToDevice),
          "device_vector");
  }
  /// Makes a gap of \p count elements at \p at.
  void widen(::std::size_t at, ::std::size_t count) {
    device_vector other;
    other.allocate(n + count);
    move(p, other.p, at);
    move(p + at, other.p + at + count, n - at);
    other.n = n + count;
    swap(other);
  }

public:
  typedef device_ptr<T> iterator;
  typedef device_ptr<const T> const_iterator;
  typedef device_ptr<T> pointer;
  typedef device_ptr<const T> const_pointer;
  typedef thrust::reverse_iterator<iterator> reverse_iterator;
  typedef device_reference<T> reference;
  typedef device_reference<const T> const_reference;
  typedef T value_type;
  typedef ::std::size_t size_type;
  typedef ::std::ptrdiff_t difference_type;

  device_vector() = default;
  explicit device_vector(::std::size_t n) { resize(n); }
  device_vector(::std::size_t n, const T &v) { resize(n, v); }
  template <typename I,
            typename = typename ::std::iterator_traits<I>::iterator_category>
  device_vector(I f, I l) {
    assign(f, l);
  }
  device_vector(const device_vector &o) { *this = o; }
  device_vector(device_vector &&o) noexcept { swap(o); }
  device_vector(::std::initializer_list<T> all) {
    assign(all.begin(), all.end());
  }
  template <typename U, typename B>
  device_vector(const device_vector<U, B> &o) {
    assign(o.begin(), o.end());
  }
  template <typename U, typename B>
  device_vector(const ::std::vector<U, B> &o) {
    assign(o.begin(), o.end());
  }
  ~device_vector() {
    if (p)
      (void)cudaFree(p);
  }
  device_vector &operator=(const device_vector &o) {
    if (this != &o)
      assign(o.begin(), o.end());
    return *this;
  }
  device_vector &operator=(device_vector &&o) noexcept {
    swap(o);
    return *this;
  }
  template <typename U, typename B>
  device_vector &operator=(const device_vector<U, B> &o) {
    assign(o.begin(), o.end());
    return *this;
  }
  template <typename U, typename B>
  device_vector &operator=(const ::std::vector<U, B> &o) {
    assign(o.begin(), o.end());
    return *this;
  }

  iterator begin() { return iterator(p); }
  iterator end() { return iterator(p + n); }
  const_iterator begin() const { return const_iterator(p); }
  const_iterator end() const { return const_iterator(p + n); }
  const_iterator cbegin() const { return begin(); }
  const_iterator cend() const { return end(); }
  reverse_iterator rbegin() { return reverse_iterator(end()); }
  reverse_iterator rend() { return reverse_iterator(begin()); }
  pointer data() { return pointer(p); }
  const_pointer data() const { return const_pointer(p); }
  reference operator[](::std::size_t i) { return reference(p + i); }
  const_reference operator[](::std::size_t i) const {
    return const_reference(p + i);
  }
  reference front() { return reference(p); }
  const_reference front() const { return const_reference(p); }
  reference back() { return reference(p + n - 1); }
  const_reference back() const { return const_reference(p + n - 1); }
  ::std::size_t size() const { return n; }
  ::std::size_t capacity() const { return room; }
  bool empty() const { return n == 0; }

  void reserve(::std::size_t count) {
    if (count <= room)
      return;
    device_vector other;
    other.allocate(count);
    move(p, other.p, n);
    other.n = n;
    swap(other);
  }
  void resize(::std::size_t count, const T &v = T()) {
    if (count > room)
      reserve(::std::max(count, n ? 2 * room : count));
    if (count > n)
      heddle_thrust::fill_n(heddle_thrust::OnDevice(), p + n,
                            (long long)(count - n), v);
    n = count;
  }
  void shrink_to_fit() {
    if (n == room)
      return;
    device_vector other;
    other.allocate(n);
    move(p, other.p, n);
    other.n = n;
    swap(other);
  }
  void clear() { n = 0; }
  void push_back(const T &v) {
    if (n == room)
      reserve(room ? 2 * room : 1);
    heddle_thrust::upload(p + n++, v);
  }
  void pop_back() { --n; }
  void swap(device_vector &o) noexcept {
    ::std::swap(p, o.p);
    ::std::swap(n, o.n);
    ::std::swap(room, o.room);
  }
  void assign(::std::size_t count, const T &v) {
    clear();
    resize(count, v);
  }
  template <typename I,
            typename = typename ::std::iterator_traits<I>::iterator_category>
  void assign(I f, I l) {
    const ::std::size_t count = ::std::size_t(::std::distance(f, l));
    clear();
    reserve(count);
    heddle_thrust::copyAnywhere(nullptr, f, l, begin());
    n = count;
  }
  iterator erase(iterator f, iterator l) {
    const ::std::size_t at = f - begin(), gone = l - f;
    device_vector rest;
    rest.allocate(n - at - gone);
    move(l.get(), rest.p, rest.room);
    move(rest.p, p + at, rest.room);
    n -= gone;
    return begin() + at;
  }
  iterator erase(iterator f) { return erase(f, f + 1); }
  iterator insert(iterator f, const T &v) {
    const ::std::size_t at = f - begin();
    insert(f, 1, v);
    return begin() + at;
  }
  void insert(iterator f, ::std::size_t count, const T &v) {
    const ::std::size_t at = f - begin();
    widen(at, count);
    heddle_thrust::fill_n(heddle_thrust::OnDevice(), p + at, (long long)count,
                          v);
  }
  template <typename I,
            typename = typename ::std::iterator_traits<I>::iterator_category>
  void insert(iterator f, I from, I to) {
    const ::std::size_t at = f - begin();
    const ::std::size_t count = ::std::size_t(::std::distance(from, to));
    widen(at, count);
    heddle_thrust::copyAnywhere(nullptr, from, to, begin() + at);
  }
};
template <typename T> using universal_vector = device_vector<T>;

/// Vectors of either kind are compared on the host.
template <typename T, typename A, typename U, typename B>
bool operator==(const device_vector<T, A> &a, const device_vector<U, B> &b) {
  return host_vector<T>(a) == host_vector<U>(b);
}
template <typename T, typename A, typename U, typename B>
bool operator==(const device_vector<T, A> &a, const ::std::vector<U, B> &b) {
  return host_vector<T>(a) == b;
}
template <typename T, typename A, typename U, typename B>
bool operator==(const ::std::vector<U, B> &a, const device_vector<T, A> &b) {
  return b == a;
}
template <typename T, typename A, typename V>
bool operator!=(const device_vector<T, A> &a, const V &b) {
  return !(a == b);
}
template <typename T, typename A>
void swap(device_vector<T, A> &a, device_vector<T, A> &b) {
  a.swap(b);
}

template <typename... T> struct device_allocator {};
template <typename... T> struct device_malloc_allocator {};
struct host_system_tag {};
struct device_system_tag {};

} // namespace thrust

#endif
