//===- MissingInstances.h - Templates that broken code names ----*- C++ -*-===//

#ifndef HEDDLE_LIB_FRONTEND_MISSINGINSTANCES_H
#define HEDDLE_LIB_FRONTEND_MISSINGINSTANCES_H

namespace clang {
class Decl;
class Sema;
} // namespace clang

namespace heddle {

/// Clang instantiates no template for an expression that has an error. Host
/// code may have errors here that a build would not (a header that is not
/// there), and its launches say which kernels there are: "kernel<float,
/// 256><<<...>>>(...)" with an argument that is not understood still names an
/// instance. Asks \p S for the function templates that code in \p D names
/// with all their arguments, inside of expressions with errors.
void requestMissingInstances(clang::Sema &S, clang::Decl *D);

} // namespace heddle

#endif // HEDDLE_LIB_FRONTEND_MISSINGINSTANCES_H
