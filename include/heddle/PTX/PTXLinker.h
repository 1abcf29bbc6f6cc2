//===- PTXLinker.h - One PTX file of several --------------------*- C++ -*-===//
//
// `nvcc -rdc=true` leaves PTX of several files to the driver, which links them
// when the program starts. Here the text of one file is made of them, which is
// then read as any other.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_PTX_PTXLINKER_H
#define HEDDLE_PTX_PTXLINKER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace heddle::ptx {

/// The definitions of all \p Files in one text, for the newest of their
/// versions and targets. Of `.weak` and `.common` symbols with the same name
/// the first stays, and of `.extern` ones the definition. What a file keeps to
/// itself gets another name where two have it. Places in source files are left
/// out. Fails where two files define a `.visible` symbol.
llvm::Expected<std::string> linkPTX(llvm::ArrayRef<std::string> Files);

} // namespace heddle::ptx

#endif // HEDDLE_PTX_PTXLINKER_H
