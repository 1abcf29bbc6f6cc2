// Exceptions of sample programs, for trees that lack the file.

#ifndef HEDDLE_CUDA_EXCEPTION_H
#define HEDDLE_CUDA_EXCEPTION_H

#include <exception>
#include <stdexcept>
#include <string>

template <class Base> class Exception : public Base {
public:
  static void throw_it(const char *file, int line, const char *detail) {
    throw Exception(std::string(file) + ":" + std::to_string(line) + ": " +
                    detail);
  }

private:
  explicit Exception(const std::string &what) : Base(what) {}
};
#define RUNTIME_EXCEPTION(message)                                             \
  Exception<std::runtime_error>::throw_it(__FILE__, __LINE__, message)

#endif
