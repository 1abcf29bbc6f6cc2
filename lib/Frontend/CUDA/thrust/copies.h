// Thrust's algorithms that do something with each element, in programs.

#ifndef HEDDLE_CUDA_THRUST_COPIES_H
#define HEDDLE_CUDA_THRUST_COPIES_H

#include "execution.h"

#define __HEDDLE_EACH [=] __HEDDLE_HD(long long i) mutable

namespace heddle_thrust {

// --- copies ------------------------------------------------------------------
/// The memory of iterators that lead through it.
template <typename I> struct Memory {
  static constexpr bool is = false;
};
template <typename T> struct Memory<T *> {
  static constexpr bool is = true;
  static T *of(T *p) { return p; }
};
template <typename T> struct Memory<thrust::device_ptr<T>> {
  static constexpr bool is = true;
  static T *of(thrust::device_ptr<T> p) { return p.get(); }
};
template <typename P, typename C>
struct Memory<__gnu_cxx::__normal_iterator<P, C>> {
  static constexpr bool is = true;
  static P of(__gnu_cxx::__normal_iterator<P, C> i) { return i.base(); }
};
template <typename I, typename O> constexpr bool isPlainCopy() {
  return Memory<I>::is && Memory<O>::is && ::std::is_same_v<Value<I>, Value<O>>;
}

template <typename I, typename O> O copy(OnHost, I f, I l, O out) {
  for (; f != l; ++f, ++out)
    *out = *f;
  return out;
}
template <typename I, typename O> O copy(OnDevice where, I f, I l, O out) {
  const long long n = l - f;
  if constexpr (isPlainCopy<I, O>()) {
    if (n > 0)
      check(cudaMemcpyAsync(Memory<O>::of(out), Memory<I>::of(f),
                            n * sizeof(Value<I>), cudaMemcpyDeviceToDevice,
                            where.stream),
            "thrust: copy");
  } else {
    auto from = bare(f);
    auto to = bare(out);
    where.run(n, __HEDDLE_EACH { to[i] = from[i]; });
  }
  return out + n;
}
/// Between host and device, through memory of the source's type on both sides.
template <typename From, typename To, typename I, typename O>
O copyAcross(From from, To to, I f, long long n, O out, cudaStream_t stream) {
  typedef Value<I> T;
  if (n <= 0)
    return out;
  const auto kind =
      From::system == Host ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  auto move = [&](const void *a, void *b) {
    check(cudaMemcpyAsync(b, a, n * sizeof(T), kind, stream), "thrust: copy");
    check(cudaStreamSynchronize(stream), "thrust: copy");
  };
  Temporary<T, From> packed(from, Memory<I>::is ? 0 : n);
  const T *source = packed;
  if constexpr (Memory<I>::is) {
    source = Memory<I>::of(f);
  } else {
    T *all = packed;
    if constexpr (From::system == Host) {
      for (long long i = 0; i < n; ++i, ++f)
        all[i] = *f;
    } else {
      auto in = bare(f);
      from.run(n, __HEDDLE_EACH { all[i] = in[i]; });
    }
  }
  if constexpr (isPlainCopy<I, O>()) {
    move(source, (void *)Memory<O>::of(out));
    return out + n;
  } else {
    Temporary<T, To> arrived(to, n);
    T *all = arrived;
    move(source, all);
    return copy(to, all, all + n, out);
  }
}
/// The policy of a copy follows from where both sides are.
template <typename I, typename O>
O copyAnywhere(cudaStream_t stream, I f, I l, O out) {
  constexpr System from = SystemOf<I>::value;
  constexpr System to =
      SystemOf<O>::value == Anywhere ? from : SystemOf<O>::value;
  if constexpr (from == Device && to == Host)
    return copyAcross(OnDevice{stream}, OnHost{}, f, l - f, out, stream);
  else if constexpr (from == Host && to == Device)
    return copyAcross(OnHost{}, OnDevice{stream}, f, ::std::distance(f, l), out,
                      stream);
  else if constexpr (from == Host || to == Host)
    return copy(OnHost{}, f, l, out);
  else
    return copy(OnDevice{stream}, f, l, out);
}
template <typename W, typename I, typename N, typename O>
O copy_n(W where, I f, N n, O out) {
  return copy(where, f, f + n, out);
}
template <typename W, typename I, typename O>
O uninitialized_copy(W where, I f, I l, O out) {
  return copy(where, f, l, out);
}

// --- each element ------------------------------------------------------------
template <typename W, typename I, typename N, typename F>
I for_each_n(W where, I f, N n, F call) {
  where.run(n, __HEDDLE_EACH { call(f[i]); });
  return f + n;
}
template <typename W, typename I, typename F>
I for_each(W where, I f, I l, F call) {
  return for_each_n(where, f, l - f, call);
}
template <typename W, typename I, typename O, typename F>
O transform(W where, I f, I l, O out, F map) {
  where.run(l - f, __HEDDLE_EACH { out[i] = map(f[i]); });
  return out + (l - f);
}
template <typename W, typename I, typename J, typename O, typename F>
O transform(W where, I f, I l, J g, O out, F map) {
  where.run(l - f, __HEDDLE_EACH { out[i] = map(f[i], g[i]); });
  return out + (l - f);
}
template <typename W, typename I, typename O, typename F, typename P>
O transform_if(W where, I f, I l, O out, F map, P holds) {
  where.run(
      l - f, __HEDDLE_EACH {
        if (holds(f[i]))
          out[i] = map(f[i]);
      });
  return out + (l - f);
}
template <typename W, typename I, typename S, typename O, typename F,
          typename P>
O transform_if(W where, I f, I l, S stencil, O out, F map, P holds) {
  where.run(
      l - f, __HEDDLE_EACH {
        if (holds(stencil[i]))
          out[i] = map(f[i]);
      });
  return out + (l - f);
}
template <typename W, typename I, typename N, typename T>
I fill_n(W where, I f, N n, T v) {
  where.run(n, __HEDDLE_EACH { f[i] = v; });
  return f + n;
}
template <typename W, typename I, typename T>
void fill(W where, I f, I l, T v) {
  fill_n(where, f, l - f, v);
}
template <typename W, typename I, typename T>
void uninitialized_fill(W where, I f, I l, T v) {
  fill_n(where, f, l - f, v);
}
template <typename W, typename I, typename N, typename G>
I generate_n(W where, I f, N n, G make) {
  where.run(n, __HEDDLE_EACH { f[i] = make(); });
  return f + n;
}
template <typename W, typename I, typename G>
void generate(W where, I f, I l, G make) {
  generate_n(where, f, l - f, make);
}
template <typename W, typename I, typename F>
void tabulate(W where, I f, I l, F map) {
  typedef Value<I> T;
  where.run(l - f, __HEDDLE_EACH { f[i] = map(T(i)); });
}
template <typename W, typename I, typename T, typename S>
void sequence(W where, I f, I l, T v, S step) {
  typedef Value<I> E;
  where.run(l - f, __HEDDLE_EACH { f[i] = E(v + step * E(i)); });
}
template <typename W, typename I, typename T>
void sequence(W where, I f, I l, T v) {
  sequence(where, f, l, Value<I>(v), Value<I>(1));
}
template <typename W, typename I> void sequence(W where, I f, I l) {
  sequence(where, f, l, Value<I>(0));
}
template <typename W, typename I, typename S, typename P, typename T>
void replace_if(W where, I f, I l, S stencil, P holds, T v) {
  where.run(
      l - f, __HEDDLE_EACH {
        if (holds(stencil[i]))
          f[i] = v;
      });
}
template <typename W, typename I, typename P, typename T>
void replace_if(W where, I f, I l, P holds, T v) {
  replace_if(where, f, l, f, holds, v);
}
template <typename W, typename I, typename T>
void replace(W where, I f, I l, T from, T to) {
  where.run(
      l - f, __HEDDLE_EACH {
        if (f[i] == from)
          f[i] = to;
      });
}
template <typename W, typename I> void reverse(W where, I f, I l) {
  const long long n = l - f;
  where.run(
      n / 2, __HEDDLE_EACH {
        const Value<I> v = f[i], other = f[n - 1 - i];
        f[i] = other;
        f[n - 1 - i] = v;
      });
}
template <typename W, typename I, typename O>
O reverse_copy(W where, I f, I l, O out) {
  const long long n = l - f;
  where.run(n, __HEDDLE_EACH { out[i] = f[n - 1 - i]; });
  return out + n;
}
template <typename W, typename I, typename J>
J swap_ranges(W where, I f, I l, J g) {
  where.run(
      l - f, __HEDDLE_EACH {
        const Value<I> v = f[i];
        const Value<J> other = g[i];
        f[i] = other;
        g[i] = v;
      });
  return g + (l - f);
}

// --- by indices --------------------------------------------------------------
template <typename W, typename M, typename I, typename O>
O gather(W where, M f, M l, I from, O out) {
  typedef Value<M> At;
  where.run(l - f, __HEDDLE_EACH { out[i] = from[At(f[i])]; });
  return out + (l - f);
}
template <typename W, typename M, typename S, typename I, typename O,
          typename P>
O gather_if(W where, M f, M l, S stencil, I from, O out, P holds) {
  typedef Value<M> At;
  where.run(
      l - f, __HEDDLE_EACH {
        if (holds(stencil[i]))
          out[i] = from[At(f[i])];
      });
  return out + (l - f);
}
template <typename W, typename I, typename M, typename O>
void scatter(W where, I f, I l, M at, O out) {
  typedef Value<M> At;
  where.run(l - f, __HEDDLE_EACH { out[At(at[i])] = f[i]; });
}
template <typename W, typename I, typename M, typename S, typename O,
          typename P>
void scatter_if(W where, I f, I l, M at, S stencil, O out, P holds) {
  typedef Value<M> At;
  where.run(
      l - f, __HEDDLE_EACH {
        if (holds(stencil[i]))
          out[At(at[i])] = f[i];
      });
}
template <typename W, typename I, typename M, typename S, typename O>
void scatter_if(W where, I f, I l, M at, S stencil, O out) {
  scatter_if(where, f, l, at, stencil, out, thrust::identity<>());
}
/// Through memory of its own, since the output may be the input.
template <typename W, typename I, typename O, typename F>
O adjacent_difference(W where, I f, I l, O out, F op) {
  typedef Value<I> T;
  const long long n = l - f;
  Temporary<T, W> made(where, n);
  T *to = made;
  where.run(n, __HEDDLE_EACH { to[i] = i ? T(op(f[i], f[i - 1])) : T(f[i]); });
  return copy(where, to, to + n, out);
}
template <typename W, typename I, typename O>
O adjacent_difference(W where, I f, I l, O out) {
  return adjacent_difference(where, f, l, out, thrust::minus<>());
}

} // namespace heddle_thrust

#endif
