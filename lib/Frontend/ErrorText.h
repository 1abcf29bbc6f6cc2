//===- ErrorText.h - Clang's errors in a few lines --------------*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_ERRORTEXT_H
#define HEDDLE_LIB_FRONTEND_ERRORTEXT_H

#include "ErrorLog.h"

#include "llvm/ADT/ArrayRef.h"

namespace heddle {

/// \p Errors with one message for each cause: a line of the user's own file
/// first, also where the error is in a header of ours, then the code, and how
/// often the cause was met. At most three causes; a note counts the others.
std::string briefErrors(llvm::ArrayRef<const LoggedError *> Errors);

/// What is to be done about names that our headers lack and a toolkit's may
/// have; a line each.
std::string adviseOnToolkit(llvm::ArrayRef<const LoggedError *> Errors);

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_ERRORTEXT_H
