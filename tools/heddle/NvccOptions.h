//===- NvccOptions.h - The command line of nvcc -----------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_NVCCOPTIONS_H
#define HEDDLE_TOOLS_NVCCOPTIONS_H

#include <string>
#include <vector>

namespace heddle::tool {

/// What a command line of nvcc asks for, as far as it means something here.
struct NvccOptions {
  enum Product {
    Program,      ///< link
    Object,       ///< -c, -dc, -dw
    DeviceLink,   ///< -dlink: nothing is left to do, since programs link their
                  ///< device code when they start
    Preprocessed, ///< -E
    Dependencies, ///< -M, -MM
    PTX,          ///< -ptx
    Container,    ///< -cubin, -fatbin: what cuModuleLoad takes
    Archive       ///< -lib
  } Makes = Program;

  std::vector<std::string> Inputs;
  std::string Output;
  std::vector<unsigned> Capabilities; ///< 70 for sm_70; empty: any device
  bool Relocatable = false;           ///< -rdc=true, -dc
  bool AllAreCUDA = false;            ///< -x cu
  bool Shared = false;                ///< -shared
  bool Verbose = false, DryRun = false, ShowVersion = false, ShowHelp = false;
  std::vector<std::string> Both;   ///< macros, folders, the language
  std::vector<std::string> Device; ///< beside them
  std::vector<std::string> Host;
  std::vector<std::string> Link; ///< flags, libraries, objects in their order
  std::vector<std::string> Dependency; ///< -MD and its kin, of the host side
};

/// Reads \p Words, which follow the name of the command. Response files are
/// read. Throws CommandError, status BadUsage, for what nvcc has and Heddle
/// cannot do, and for what is no option of nvcc.
NvccOptions parseNvcc(const std::vector<std::string> &Words);

/// Where host code asks for OpenMP, it is linked with its library. Without
/// Clang's own (libomp) it is GCC's: functions of omp.h are there, and pragmas
/// do nothing. omp.h is found in any case.
void addOpenMP(NvccOptions &Options);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_NVCCOPTIONS_H
