// What Thrust's iterators that make their values have in common.

#ifndef HEDDLE_CUDA_THRUST_ITERATOR_BASE_H
#define HEDDLE_CUDA_THRUST_ITERATOR_BASE_H

#include "values.h"

#define __HEDDLE_HD __attribute__((host, device))

namespace heddle_thrust {

/// What an iterator that counts on its own has to have: `get`, `move` and
/// `from` (the distance from another one).
template <typename D, typename V> struct Iterator {
  typedef V value_type;
  typedef V reference;
  typedef const V *pointer;
  typedef ::std::ptrdiff_t difference_type;
  typedef ::std::random_access_iterator_tag iterator_category;

  __HEDDLE_HD D &self() { return static_cast<D &>(*this); }
  __HEDDLE_HD const D &self() const { return static_cast<const D &>(*this); }
  __HEDDLE_HD decltype(auto) operator*() const { return self().get(); }
  template <typename N> __HEDDLE_HD decltype(auto) operator[](N n) const {
    return (self() + (difference_type)n).get();
  }
  __HEDDLE_HD D &operator+=(difference_type n) {
    self().move(n);
    return self();
  }
  __HEDDLE_HD D &operator-=(difference_type n) { return *this += -n; }
  __HEDDLE_HD D &operator++() { return *this += 1; }
  __HEDDLE_HD D &operator--() { return *this += -1; }
  __HEDDLE_HD D operator++(int) {
    D old = self();
    *this += 1;
    return old;
  }
  __HEDDLE_HD D operator--(int) {
    D old = self();
    *this += -1;
    return old;
  }
  __HEDDLE_HD friend D operator+(D a, difference_type n) { return a += n; }
  __HEDDLE_HD friend D operator+(difference_type n, D a) { return a += n; }
  __HEDDLE_HD friend D operator-(D a, difference_type n) { return a += -n; }
  __HEDDLE_HD friend difference_type operator-(const D &a, const D &b) {
    return a.from(b);
  }
  __HEDDLE_HD friend bool operator==(const D &a, const D &b) {
    return a.from(b) == 0;
  }
  __HEDDLE_HD friend bool operator!=(const D &a, const D &b) {
    return a.from(b) != 0;
  }
  __HEDDLE_HD friend bool operator<(const D &a, const D &b) {
    return a.from(b) < 0;
  }
  __HEDDLE_HD friend bool operator>(const D &a, const D &b) {
    return a.from(b) > 0;
  }
  __HEDDLE_HD friend bool operator<=(const D &a, const D &b) {
    return a.from(b) <= 0;
  }
  __HEDDLE_HD friend bool operator>=(const D &a, const D &b) {
    return a.from(b) >= 0;
  }
};

} // namespace heddle_thrust

#endif
