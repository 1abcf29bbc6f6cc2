// Images, files of numbers and comparisons of sample programs, for trees that
// lack the file.

#ifndef HEDDLE_CUDA_HELPER_IMAGE_H
#define HEDDLE_CUDA_HELPER_IMAGE_H

#include "own_names.def"

#include "helper_string.h"

#include <cmath>
#include <fstream>
#include <vector>

/// The bytes of a binary image, "P5" in grey or "P6" in colour.
inline bool __heddle_read_image(const char *path, char kind,
                                std::vector<unsigned char> &bytes, unsigned *w,
                                unsigned *h) {
  std::ifstream in(path, std::ios::binary);
  std::string word;
  unsigned numbers[3] = {};
  if (!(in >> word) || word.size() != 2 || word[0] != 'P' || word[1] != kind)
    return false;
  for (int i = 0; i < 3;) {
    if (!(in >> word))
      return false;
    if (word[0] == '#')
      std::getline(in, word);
    else
      numbers[i++] = unsigned(atoi(word.c_str()));
  }
  in.get();
  *w = numbers[0];
  *h = numbers[1];
  bytes.resize(size_t(*w) * *h * (kind == '6' ? 3 : 1));
  return bool(in.read(reinterpret_cast<char *>(bytes.data()),
                      std::streamsize(bytes.size())));
}
inline bool __heddle_write_image(const char *path, char kind,
                                 const std::vector<unsigned char> &bytes,
                                 unsigned w, unsigned h) {
  std::ofstream out(path, std::ios::binary);
  out << 'P' << kind << "\n" << w << "\n" << h << "\n255\n";
  out.write(reinterpret_cast<const char *>(bytes.data()),
            std::streamsize(bytes.size()));
  return bool(out);
}
inline float __heddle_grey(unsigned char byte, float) { return byte / 255.0f; }
inline unsigned char __heddle_grey(unsigned char byte, unsigned char) {
  return byte;
}
inline unsigned char __heddle_byte(float value) {
  return (unsigned char)(value * 255.0f);
}
inline unsigned char __heddle_byte(unsigned char value) { return value; }

template <class T>
bool sdkLoadPGM(const char *path, T **data, unsigned *w, unsigned *h) {
  std::vector<unsigned char> bytes;
  if (!__heddle_read_image(path, '5', bytes, w, h))
    return false;
  if (!*data)
    *data = (T *)malloc(bytes.size() * sizeof(T));
  for (size_t i = 0; i < bytes.size(); ++i)
    (*data)[i] = __heddle_grey(bytes[i], T());
  return true;
}
template <class T>
bool sdkSavePGM(const char *path, T *data, unsigned w, unsigned h) {
  std::vector<unsigned char> bytes(size_t(w) * h);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = __heddle_byte(data[i]);
  return __heddle_write_image(path, '5', bytes, w, h);
}
/// Colours get a fourth byte, 0.
inline bool sdkLoadPPM4(const char *path, unsigned char **data, unsigned *w,
                        unsigned *h) {
  std::vector<unsigned char> bytes;
  if (!__heddle_read_image(path, '6', bytes, w, h))
    return false;
  *data = (unsigned char *)calloc(bytes.size() / 3, 4);
  for (size_t i = 0; i < bytes.size(); ++i)
    (*data)[i / 3 * 4 + i % 3] = bytes[i];
  return true;
}
inline bool sdkLoadPPM4ub(const char *path, unsigned char **data, unsigned *w,
                          unsigned *h) {
  return sdkLoadPPM4(path, data, w, h);
}
inline bool sdkSavePPM4ub(const char *path, unsigned char *data, unsigned w,
                          unsigned h) {
  std::vector<unsigned char> bytes(size_t(w) * h * 3);
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = data[i / 3 * 4 + i % 3];
  return __heddle_write_image(path, '6', bytes, w, h);
}

template <class T>
bool sdkReadFile(const char *path, T **data, unsigned *length, bool) {
  std::ifstream in(path);
  std::vector<T> values;
  for (T value; in >> value;)
    values.push_back(value);
  if (values.empty())
    return false;
  if (!*data)
    *data = (T *)malloc(values.size() * sizeof(T));
  else if (*length < values.size())
    return false;
  *length = unsigned(values.size());
  memcpy(*data, values.data(), values.size() * sizeof(T));
  return true;
}
template <class T, class S>
bool sdkWriteFile(const char *path, const T *data, unsigned length, const S,
                  bool, bool append = false) {
  std::ofstream out(path, append ? std::ios::app : std::ios::trunc);
  for (unsigned i = 0; i < length; ++i)
    out << data[i] << ' ';
  return bool(out << '\n');
}
template <class T> void sdkDumpBin(T *data, unsigned bytes, const char *path) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(data), std::streamsize(bytes));
}

/// Whether at most the part \p threshold of the values is further apart than
/// \p epsilon.
template <class T, class S>
bool compareData(const T *reference, const T *data, const unsigned length,
                 const S epsilon, const float threshold) {
  unsigned wrong = 0;
  for (unsigned i = 0; i < length; ++i)
    wrong +=
        !(std::abs(double(reference[i]) - double(data[i])) <= double(epsilon));
  return threshold == 0 ? wrong == 0
                        : float(wrong) <= threshold * float(length);
}
/// Whether the difference is at most \p epsilon of the reference, both by the
/// sum of squares.
inline bool sdkCompareL2fe(const float *reference, const float *data,
                           const unsigned length, const float epsilon) {
  double error = 0, sum = 0;
  for (unsigned i = 0; i < length; ++i) {
    error +=
        (double(reference[i]) - data[i]) * (double(reference[i]) - data[i]);
    sum += double(reference[i]) * reference[i];
  }
  return sum > 0 && std::sqrt(error / sum) < epsilon;
}
template <class T>
bool sdkCompareBin2BinFloat(const char *first, const char *second,
                            unsigned length, const float epsilon,
                            const float threshold, T) {
  std::vector<float> a(length), b(length);
  std::ifstream(first, std::ios::binary)
      .read(reinterpret_cast<char *>(a.data()), std::streamsize(4 * length));
  std::ifstream(second, std::ios::binary)
      .read(reinterpret_cast<char *>(b.data()), std::streamsize(4 * length));
  return compareData(a.data(), b.data(), length, epsilon, threshold);
}
inline bool __heddle_compare_images(const char *first, const char *second,
                                    char kind, float epsilon, float threshold) {
  std::vector<unsigned char> a, b;
  unsigned w, h, ow, oh;
  return __heddle_read_image(first, kind, a, &w, &h) &&
         __heddle_read_image(second, kind, b, &ow, &oh) && w == ow && h == oh &&
         compareData(a.data(), b.data(), unsigned(a.size()), epsilon,
                     threshold);
}
inline bool sdkComparePPM(const char *first, const char *second,
                          const float epsilon, const float threshold, bool) {
  return __heddle_compare_images(first, second, '6', epsilon, threshold);
}
inline bool sdkComparePGM(const char *first, const char *second,
                          const float epsilon, const float threshold, bool) {
  return __heddle_compare_images(first, second, '5', epsilon, threshold);
}

#include "user_names.def"

#endif
