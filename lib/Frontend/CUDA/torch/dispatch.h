// Dispatch over element types: the body is compiled for each of them, since
// which one a launch takes is not known.

#ifndef HEDDLE_CUDA_TORCH_DISPATCH_H
#define HEDDLE_CUDA_TORCH_DISPATCH_H

#include "accessor.h"

#define AT_DISPATCH_SWITCH(value, name, ...)                                   \
  [&] {                                                                        \
    (void)(value);                                                             \
    __VA_ARGS__                                                                \
  }()
#define AT_PRIVATE_CASE_TYPE_USING_HINT(number, hint, ...)                     \
  {                                                                            \
    using hint [[maybe_unused]] = c10::impl::ScalarTypeToCPPTypeT<number>;     \
    (void)(__VA_ARGS__)();                                                     \
  }
#define AT_DISPATCH_CASE(number, ...)                                          \
  AT_PRIVATE_CASE_TYPE_USING_HINT(number, scalar_t, __VA_ARGS__)

#define __HEDDLE_CASE(name, ...)                                               \
  AT_DISPATCH_CASE(c10::ScalarType::name, __VA_ARGS__)
#define AT_DISPATCH_CASE_FLOATING_TYPES(...)                                   \
  __HEDDLE_CASE(Double, __VA_ARGS__) __HEDDLE_CASE(Float, __VA_ARGS__)
#define AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(...)                           \
  __HEDDLE_CASE(Half, __VA_ARGS__) __HEDDLE_CASE(BFloat16, __VA_ARGS__)
#define AT_DISPATCH_CASE_INTEGRAL_TYPES(...)                                   \
  __HEDDLE_CASE(Byte, __VA_ARGS__)                                             \
  __HEDDLE_CASE(Char, __VA_ARGS__)                                             \
  __HEDDLE_CASE(Int, __VA_ARGS__)                                              \
  __HEDDLE_CASE(Long, __VA_ARGS__) __HEDDLE_CASE(Short, __VA_ARGS__)
#define AT_DISPATCH_CASE_ALL_TYPES(...)                                        \
  AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__)                                 \
  AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)

#define AT_DISPATCH_FLOATING_TYPES(type, name, ...)                            \
  AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND_HALF(type, name, ...)                   \
  AT_DISPATCH_SWITCH(type, name,                                               \
                     AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)              \
                         __HEDDLE_CASE(Half, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND(a, type, name, ...)                     \
  AT_DISPATCH_SWITCH(type, name,                                               \
                     AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)              \
                         AT_DISPATCH_CASE(a, __VA_ARGS__))
#define AT_DISPATCH_FLOATING_TYPES_AND2(a, b, type, name, ...)                 \
  AT_DISPATCH_SWITCH(type, name,                                               \
                     AT_DISPATCH_CASE_FLOATING_TYPES(__VA_ARGS__)              \
                         AT_DISPATCH_CASE(a, __VA_ARGS__)                      \
                             AT_DISPATCH_CASE(b, __VA_ARGS__))
#define AT_DISPATCH_REDUCED_FLOATING_TYPES(type, name, ...)                    \
  AT_DISPATCH_SWITCH(type, name,                                               \
                     AT_DISPATCH_CASE_REDUCED_FLOATING_TYPES(__VA_ARGS__))
#define AT_DISPATCH_INTEGRAL_TYPES(type, name, ...)                            \
  AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_INTEGRAL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES(type, name, ...)                                 \
  AT_DISPATCH_SWITCH(type, name, AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND(a, type, name, ...)                          \
  AT_DISPATCH_SWITCH(type, name,                                               \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                   \
                         AT_DISPATCH_CASE(a, __VA_ARGS__))
#define AT_DISPATCH_ALL_TYPES_AND2(a, b, type, name, ...)                      \
  AT_DISPATCH_SWITCH(type, name,                                               \
                     AT_DISPATCH_CASE_ALL_TYPES(__VA_ARGS__)                   \
                         AT_DISPATCH_CASE(a, __VA_ARGS__)                      \
                             AT_DISPATCH_CASE(b, __VA_ARGS__))
#define AT_DISPATCH_INDEX_TYPES(type, name, ...)                               \
  AT_DISPATCH_SWITCH(type, name,                                               \
                     AT_PRIVATE_CASE_TYPE_USING_HINT(c10::ScalarType::Int,     \
                                                     index_t, __VA_ARGS__)     \
                         AT_PRIVATE_CASE_TYPE_USING_HINT(                      \
                             c10::ScalarType::Long, index_t, __VA_ARGS__))

#endif
