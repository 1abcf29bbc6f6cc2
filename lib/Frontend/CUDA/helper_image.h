// Images and comparisons of sample programs, for trees that lack the file.

#ifndef HEDDLE_CUDA_HELPER_IMAGE_H
#define HEDDLE_CUDA_HELPER_IMAGE_H

template <typename... T> bool sdkLoadPGM(T...);
template <typename T, typename... A> bool sdkLoadPGM(A...);
template <typename... T> bool sdkSavePGM(T...);
template <typename T, typename... A> bool sdkSavePGM(A...);
template <typename... T> bool sdkLoadPPM4ub(T...);
template <typename... T> bool sdkSavePPM4ub(T...);
template <typename... T> bool sdkLoadPPM4(T...);
template <typename... T> bool sdkReadFile(T...);
template <typename... T> bool sdkWriteFile(T...);
template <typename... T> bool compareData(T...);
template <typename... T> bool sdkCompareL2fe(T...);
template <typename... T> bool sdkCompareBin2BinFloat(T...);
template <typename... T> bool sdkComparePPM(T...);
template <typename... T> bool sdkComparePGM(T...);
template <typename... T> void sdkDumpBin(T...);

#endif
