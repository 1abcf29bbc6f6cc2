//===- CcCommand.h - heddle cc, and heddle-nvcc -----------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_CCCOMMAND_H
#define HEDDLE_TOOLS_CCCOMMAND_H

#include <string>
#include <vector>

namespace heddle::tool {

/// Does what the command line \p Words of nvcc asks for and returns the exit
/// status.
int runNvcc(const std::vector<std::string> &Words);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_CCCOMMAND_H
