// What pybind11's macros and types leave of a module: its functions are parsed.

#ifndef HEDDLE_CUDA_TORCH_PYTHON_H
#define HEDDLE_CUDA_TORCH_PYTHON_H

#include "../own_names.def"

namespace pybind11 {
struct object {
  template <typename T> T cast() const;
};
typedef object handle, dict, list, tuple, str, bytes, args, kwargs;
struct module_ {
  template <typename... A> module_ &def(A &&...);
  template <typename T> module_ &attr(T);
  template <typename T> module_ &operator=(T &&);
  module_ &doc();
};
typedef module_ module;
struct arg {
  explicit arg(const char *);
  template <typename T> arg operator=(T &&) const;
};
template <typename... T> struct call_guard {};
struct gil_scoped_release {};
struct gil_scoped_acquire {};
struct buffer_info {
  void *ptr;
  long itemsize, size, ndim, *shape, *strides;
};
template <typename T, int Flags = 0> struct array_t : object {
  template <typename... A> array_t(A &&...);
  buffer_info request() const;
  const T *data() const;
  T *mutable_data();
  long size() const;
  long shape(int) const;
};
template <typename T, typename... Options> struct class_ {
  template <typename... A> class_(A &&...);
  template <typename... A> class_ &def(A &&...);
};
template <typename... A> object init(A &&...);
} // namespace pybind11
namespace py = pybind11;
#define PYBIND11_MODULE(name, m)                                               \
  static void __heddle_python_module(pybind11::module_ &m)

#include "../user_names.def"

#endif
