// Thrust's iterators that make their values.

#ifndef HEDDLE_CUDA_THRUST_ITERATORS_H
#define HEDDLE_CUDA_THRUST_ITERATORS_H

#include "iterator_base.h"
#ifdef __HEDDLE_PROGRAM
#include "pointers.h"
#else
namespace thrust {
template <typename T> class device_ptr;
}
#endif

namespace heddle_thrust {

template <typename I>
using Value =
    ::std::remove_cv_t<typename ::std::iterator_traits<I>::value_type>;

/// What a call gives; in a class, where it does not matter who calls.
template <typename, typename F, typename... A> struct ResultIfAny {
  typedef void *type; // host code that is parsed only
};
template <typename F, typename... A>
struct ResultIfAny<
    ::std::void_t<decltype(::std::declval<F &>()(::std::declval<A>()...))>, F,
    A...> {
  typedef ::std::decay_t<decltype(::std::declval<F &>()(
      ::std::declval<A>()...))>
      type;
};
template <typename F, typename... A>
struct Result : ResultIfAny<void, F, A...> {};

/// Where what an iterator leads to lies. Values and functors are anywhere.
enum System { Anywhere, Host, Device };
template <typename T, typename = void> struct SystemOf {
  static constexpr System value = Anywhere;
};
template <typename T>
struct SystemOf<T, ::std::void_t<typename T::iterator_category>> {
  static constexpr System value = Host;
};
template <typename T> struct SystemOf<T *> {
  static constexpr System value = Host;
};
template <typename R, typename... A> struct SystemOf<R (*)(A...)> {
  static constexpr System value = Anywhere;
};
template <typename T> struct SystemOf<thrust::device_ptr<T>> {
  static constexpr System value = Device;
};
/// Of several, the device wins.
template <typename... T> constexpr System systemOf() {
  System all = Anywhere;
  ((all = SystemOf<T>::value > all ? SystemOf<T>::value : all), ...);
  return all;
}
#define __HEDDLE_SYSTEM(parameters, iterator, ...)                             \
  namespace heddle_thrust {                                                    \
  template <parameters> struct SystemOf<iterator> {                            \
    static constexpr System value = __VA_ARGS__;                               \
  };                                                                           \
  }
#define __HEDDLE_LIST(...) __VA_ARGS__

} // namespace heddle_thrust

namespace thrust {

template <typename T>
class counting_iterator
    : public heddle_thrust::Iterator<counting_iterator<T>, T> {
  T v;

public:
  __HEDDLE_HD counting_iterator(T v = T()) : v(v) {}
  __HEDDLE_HD T get() const { return v; }
  __HEDDLE_HD T base() const { return v; }
  __HEDDLE_HD void move(::std::ptrdiff_t n) { v = T(v + n); }
  __HEDDLE_HD ::std::ptrdiff_t from(const counting_iterator &o) const {
    return ::std::ptrdiff_t(v) - ::std::ptrdiff_t(o.v);
  }
};
template <typename T>
class constant_iterator
    : public heddle_thrust::Iterator<constant_iterator<T>, T> {
  T v;
  ::std::ptrdiff_t at;

public:
  __HEDDLE_HD constant_iterator(T v = T(), ::std::ptrdiff_t at = 0)
      : v(v), at(at) {}
  __HEDDLE_HD T get() const { return v; }
  __HEDDLE_HD void move(::std::ptrdiff_t n) { at += n; }
  __HEDDLE_HD ::std::ptrdiff_t from(const constant_iterator &o) const {
    return at - o.at;
  }
};
/// Takes any value.
struct __heddle_nothing {
  template <typename T>
  __HEDDLE_HD const __heddle_nothing &operator=(const T &) const {
    return *this;
  }
};
template <typename = void>
class discard_iterator
    : public heddle_thrust::Iterator<discard_iterator<>, __heddle_nothing> {
  ::std::ptrdiff_t at;

public:
  __HEDDLE_HD discard_iterator(::std::ptrdiff_t at = 0) : at(at) {}
  __HEDDLE_HD __heddle_nothing get() const { return {}; }
  __HEDDLE_HD void move(::std::ptrdiff_t n) { at += n; }
  __HEDDLE_HD ::std::ptrdiff_t from(const discard_iterator &o) const {
    return at - o.at;
  }
};

template <typename F, typename I> struct __heddle_mapped {
  typedef typename heddle_thrust::Result<F, heddle_thrust::Value<I>>::type type;
};
template <typename F, typename I,
          typename V = typename __heddle_mapped<F, I>::type,
          typename T = ::std::decay_t<V>>
class transform_iterator
    : public heddle_thrust::Iterator<transform_iterator<F, I, V, T>, T> {
  I i;
  F f;

public:
  __HEDDLE_HD transform_iterator(I i, F f) : i(i), f(f) {}
  __HEDDLE_HD T get() const {
    F call = f; // which may not be const
    return call(*i);
  }
  __HEDDLE_HD I base() const { return i; }
  __HEDDLE_HD F functor() const { return f; }
  __HEDDLE_HD void move(::std::ptrdiff_t n) { i += n; }
  __HEDDLE_HD ::std::ptrdiff_t from(const transform_iterator &o) const {
    return i - o.i;
  }
};

template <typename E, typename I>
class permutation_iterator
    : public heddle_thrust::Iterator<permutation_iterator<E, I>,
                                     heddle_thrust::Value<E>> {
  E elements;
  I i;

public:
  typedef typename ::std::iterator_traits<E>::reference reference;
  __HEDDLE_HD permutation_iterator(E elements, I i)
      : elements(elements), i(i) {}
  __HEDDLE_HD E base() const { return elements; }
  __HEDDLE_HD I index() const { return i; }
  __HEDDLE_HD decltype(auto) get() const {
    return elements[(::std::ptrdiff_t)heddle_thrust::Value<I>(*i)];
  }
  __HEDDLE_HD void move(::std::ptrdiff_t n) { i += n; }
  __HEDDLE_HD ::std::ptrdiff_t from(const permutation_iterator &o) const {
    return i - o.i;
  }
};
template <typename I>
class reverse_iterator
    : public heddle_thrust::Iterator<reverse_iterator<I>,
                                     heddle_thrust::Value<I>> {
  I i;

public:
  typedef typename ::std::iterator_traits<I>::reference reference;
  __HEDDLE_HD explicit reverse_iterator(I i) : i(i) {}
  __HEDDLE_HD decltype(auto) get() const { return i[-1]; }
  __HEDDLE_HD I base() const { return i; }
  __HEDDLE_HD void move(::std::ptrdiff_t n) { i += -n; }
  __HEDDLE_HD ::std::ptrdiff_t from(const reverse_iterator &o) const {
    return o.i - i;
  }
};
/// Writes what a function makes of a value.
template <typename F, typename O>
class transform_output_iterator
    : public heddle_thrust::Iterator<transform_output_iterator<F, O>, void *> {
  O to;
  F f;
  struct Place {
    O to;
    F f;
    template <typename T> __HEDDLE_HD const Place &operator=(const T &v) const {
      F call = f;
      *to = call(v);
      return *this;
    }
  };

public:
  __HEDDLE_HD transform_output_iterator(O to, F f) : to(to), f(f) {}
  __HEDDLE_HD Place get() const { return {to, f}; }
  __HEDDLE_HD O base() const { return to; }
  __HEDDLE_HD F functor() const { return f; }
  __HEDDLE_HD void move(::std::ptrdiff_t n) { to += n; }
  __HEDDLE_HD ::std::ptrdiff_t from(const transform_output_iterator &o) const {
    return to - o.to;
  }
};

/// Tuples of what several iterators lead to.
template <typename T> class zip_iterator;
template <typename... I>
class zip_iterator<tuple<I...>>
    : public heddle_thrust::Iterator<zip_iterator<tuple<I...>>,
                                     tuple<heddle_thrust::Value<I>...>> {
  tuple<I...> all;
  template <::std::size_t... N>
  __HEDDLE_HD auto at(::std::index_sequence<N...>) const {
    return tuple<decltype(*thrust::get<N>(all))...>(*thrust::get<N>(all)...);
  }
  template <::std::size_t... N>
  __HEDDLE_HD void move(::std::ptrdiff_t n, ::std::index_sequence<N...>) {
    ((thrust::get<N>(all) += n), ...);
  }

public:
  __HEDDLE_HD zip_iterator(tuple<I...> all) : all(all) {}
  __HEDDLE_HD auto get() const { return at(::std::index_sequence_for<I...>()); }
  __HEDDLE_HD const tuple<I...> &get_iterator_tuple() const { return all; }
  __HEDDLE_HD void move(::std::ptrdiff_t n) {
    move(n, ::std::index_sequence_for<I...>());
  }
  __HEDDLE_HD ::std::ptrdiff_t from(const zip_iterator &o) const {
    return thrust::get<0>(all) - thrust::get<0>(o.all);
  }
};
/// Calls a function of several arguments with a tuple.
template <typename F> struct zip_function {
  F f;
  __HEDDLE_HD zip_function(F f) : f(f) {}
  template <typename... T>
  __HEDDLE_HD decltype(auto) operator()(tuple<T...> all) const {
    return call(all, ::std::index_sequence_for<T...>());
  }

private:
  template <typename T, ::std::size_t... N>
  __HEDDLE_HD decltype(auto) call(T &all, ::std::index_sequence<N...>) const {
    F own = f;
    return own(thrust::get<N>(all)...);
  }
};

template <typename T>
__HEDDLE_HD counting_iterator<T> make_counting_iterator(T v) {
  return counting_iterator<T>(v);
}
template <typename T>
__HEDDLE_HD constant_iterator<T> make_constant_iterator(T v) {
  return constant_iterator<T>(v);
}
inline __HEDDLE_HD discard_iterator<> make_discard_iterator() { return {}; }
template <typename I, typename F>
__HEDDLE_HD transform_iterator<F, I> make_transform_iterator(I i, F f) {
  return {i, f};
}
template <typename O, typename F>
__HEDDLE_HD transform_output_iterator<F, O>
make_transform_output_iterator(O to, F f) {
  return {to, f};
}
template <typename E, typename I>
__HEDDLE_HD permutation_iterator<E, I> make_permutation_iterator(E e, I i) {
  return {e, i};
}
template <typename I>
__HEDDLE_HD reverse_iterator<I> make_reverse_iterator(I i) {
  return reverse_iterator<I>(i);
}
template <typename... I>
__HEDDLE_HD zip_iterator<tuple<I...>> make_zip_iterator(tuple<I...> all) {
  return all;
}
template <typename I, typename... R,
          typename = ::std::enable_if_t<(sizeof...(R) > 0)>>
__HEDDLE_HD zip_iterator<tuple<I, R...>> make_zip_iterator(I i, R... rest) {
  return tuple<I, R...>(i, rest...);
}
template <typename F> __HEDDLE_HD zip_function<F> make_zip_function(F f) {
  return f;
}
template <typename I> struct iterator_traits : ::std::iterator_traits<I> {};
template <typename I> struct iterator_value {
  typedef heddle_thrust::Value<I> type;
};
template <typename I> struct iterator_difference {
  typedef ::std::ptrdiff_t type;
};

} // namespace thrust

__HEDDLE_SYSTEM(typename T, thrust::counting_iterator<T>, Anywhere)
__HEDDLE_SYSTEM(typename T, thrust::constant_iterator<T>, Anywhere)
__HEDDLE_SYSTEM(typename T, thrust::discard_iterator<T>, Anywhere)
__HEDDLE_SYSTEM(__HEDDLE_LIST(typename F, typename I, typename V, typename T),
                __HEDDLE_LIST(thrust::transform_iterator<F, I, V, T>),
                systemOf<I>())
__HEDDLE_SYSTEM(__HEDDLE_LIST(typename F, typename O),
                __HEDDLE_LIST(thrust::transform_output_iterator<F, O>),
                systemOf<O>())
__HEDDLE_SYSTEM(__HEDDLE_LIST(typename E, typename I),
                __HEDDLE_LIST(thrust::permutation_iterator<E, I>),
                systemOf<E, I>())
__HEDDLE_SYSTEM(typename I, thrust::reverse_iterator<I>, systemOf<I>())
__HEDDLE_SYSTEM(typename... I,
                __HEDDLE_LIST(thrust::zip_iterator<thrust::tuple<I...>>),
                systemOf<I...>())
#undef __HEDDLE_SYSTEM
#undef __HEDDLE_LIST

namespace heddle_thrust {

/// An iterator as kernels have it: pointers in place of pointers to the device,
/// which the host may not read through. `back` is the way back.
template <typename I> struct Bare {
  typedef I type;
  static type of(I i) { return i; }
  static I back(type i) { return i; }
};
template <typename I> using BareOf = typename Bare<I>::type;
template <typename I> BareOf<I> bare(I i) { return Bare<I>::of(i); }

template <typename T> struct Bare<thrust::device_ptr<T>> {
  typedef T *type;
  static type of(thrust::device_ptr<T> i) { return i.get(); }
  static thrust::device_ptr<T> back(type i) { return thrust::device_ptr<T>(i); }
};
template <typename F, typename I, typename V, typename T>
struct Bare<thrust::transform_iterator<F, I, V, T>> {
  typedef thrust::transform_iterator<F, I, V, T> Full;
  typedef thrust::transform_iterator<F, BareOf<I>, V, T> type;
  static type of(Full i) { return {bare(i.base()), i.functor()}; }
  static Full back(type i) { return {Bare<I>::back(i.base()), i.functor()}; }
};
template <typename F, typename O>
struct Bare<thrust::transform_output_iterator<F, O>> {
  typedef thrust::transform_output_iterator<F, O> Full;
  typedef thrust::transform_output_iterator<F, BareOf<O>> type;
  static type of(Full i) { return {bare(i.base()), i.functor()}; }
  static Full back(type i) { return {Bare<O>::back(i.base()), i.functor()}; }
};
template <typename E, typename I>
struct Bare<thrust::permutation_iterator<E, I>> {
  typedef thrust::permutation_iterator<E, I> Full;
  typedef thrust::permutation_iterator<BareOf<E>, BareOf<I>> type;
  static type of(Full i) { return {bare(i.base()), bare(i.index())}; }
  static Full back(type i) {
    return {Bare<E>::back(i.base()), Bare<I>::back(i.index())};
  }
};
template <typename I> struct Bare<thrust::reverse_iterator<I>> {
  typedef thrust::reverse_iterator<I> Full;
  typedef thrust::reverse_iterator<BareOf<I>> type;
  static type of(Full i) { return type(bare(i.base())); }
  static Full back(type i) { return Full(Bare<I>::back(i.base())); }
};
template <typename... I>
struct Bare<thrust::zip_iterator<thrust::tuple<I...>>> {
  typedef thrust::zip_iterator<thrust::tuple<I...>> Full;
  typedef thrust::zip_iterator<thrust::tuple<BareOf<I>...>> type;
  static type of(Full i) { return of(i, ::std::index_sequence_for<I...>()); }
  static Full back(type i) {
    return back(i, ::std::index_sequence_for<I...>());
  }

private:
  template <::std::size_t... N>
  static type of(const Full &i, ::std::index_sequence<N...>) {
    return thrust::tuple<BareOf<I>...>(
        bare(thrust::get<N>(i.get_iterator_tuple()))...);
  }
  template <::std::size_t... N>
  static Full back(const type &i, ::std::index_sequence<N...>) {
    return thrust::tuple<I...>(
        Bare<I>::back(thrust::get<N>(i.get_iterator_tuple()))...);
  }
};

} // namespace heddle_thrust

#endif
