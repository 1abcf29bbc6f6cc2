// Command lines of sample programs, for trees that lack the file. Options are
// "-name", "--name" and "-name=value"; letters' case does not matter.

#ifndef HEDDLE_CUDA_HELPER_STRING_H
#define HEDDLE_CUDA_HELPER_STRING_H

#include "own_names.def"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <strings.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#define STRCASECMP strcasecmp
#define STRNCASECMP strncasecmp
#define STRCPY(to, n, from) strcpy(to, from)
#define FOPEN(f, name, mode) (f = fopen(name, mode))
#define FOPEN_FAIL(result) (result == NULL)
#define SSCANF sscanf
#define SPRINTF sprintf

/// The offset of what follows the delimiters that \p string begins with.
inline int stringRemoveDelimiter(char delimiter, const char *string) {
  int start = 0;
  while (string[start] == delimiter)
    ++start;
  return start;
}

inline int getFileExtension(char *name, char **extension) {
  char *dot = strrchr(name, '.');
  *extension = dot ? dot + 1 : NULL;
  return dot ? int(dot + 1 - name) : 0;
}

/// What stands behind "-name" in the last argument that is it: "", "=value";
/// null if there is none.
inline const char *__heddle_option(int argc, const char **argv,
                                   const char *name) {
  const char *found = NULL;
  const size_t length = strlen(name);
  for (int i = 1; i < argc; ++i) {
    const char *word = argv[i];
    if (word[0] != '-')
      continue;
    word += stringRemoveDelimiter('-', word);
    if (!strncasecmp(word, name, length) &&
        (word[length] == 0 || word[length] == '='))
      found = word + length;
  }
  return found;
}
inline bool checkCmdLineFlag(const int argc, const char **argv,
                             const char *name) {
  return __heddle_option(argc, argv, name) != NULL;
}
inline bool getCmdLineArgumentString(const int argc, const char **argv,
                                     const char *name, char **result) {
  const char *value = __heddle_option(argc, argv, name);
  *result = value ? const_cast<char *>(value + (*value == '=')) : NULL;
  return value != NULL;
}
inline int getCmdLineArgumentInt(const int argc, const char **argv,
                                 const char *name) {
  const char *value = __heddle_option(argc, argv, name);
  return value && *value ? atoi(value + 1) : 0;
}
inline float getCmdLineArgumentFloat(const int argc, const char **argv,
                                     const char *name) {
  const char *value = __heddle_option(argc, argv, name);
  return value && *value ? float(atof(value + 1)) : 0.0f;
}
template <class T>
bool getCmdLineArgumentValue(const int argc, const char **argv,
                             const char *name, T *value) {
  const char *found = __heddle_option(argc, argv, name);
  if (found && *found)
    *value = T(atoi(found + 1));
  return found != NULL;
}

/// Where the file lies that a sample reads: here, in a folder "data", or beside
/// the program; null if it is nowhere. The caller frees it.
inline char *sdkFindFilePath(const char *name, const char *program) {
  std::string beside = program ? program : "";
  beside.resize(beside.rfind('/') == std::string::npos ? 0
                                                       : beside.rfind('/') + 1);
  const std::string folders[] = {
      "",     "data/",          "../data/",         "../../data/",
      beside, beside + "data/", beside + "../data/"};
  for (const std::string &folder : folders)
    if (FILE *file = fopen((folder + name).c_str(), "rb")) {
      fclose(file);
      return strdup((folder + name).c_str());
    }
  return NULL;
}

#include "user_names.def"

#endif
