//===- LibraryFunctions.h - Device library of a clone -----------*- C++ -*-===//

#ifndef HEDDLE_SYNTHESIS_LIBRARYFUNCTIONS_H
#define HEDDLE_SYNTHESIS_LIBRARYFUNCTIONS_H

#include <map>
#include <string>

namespace heddle::synthesis {

/// The functions that stand for the pseudo instructions \p Issued
/// ("math.exp.f32" and how many instructions hardware issues for it), as PTX.
/// What they compute does not matter: each is a chain of that length. Heddle
/// reads a call of one as the pseudo instruction.
std::string libraryFunctions(const std::map<std::string, unsigned> &Issued);

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_LIBRARYFUNCTIONS_H
