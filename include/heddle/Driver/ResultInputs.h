//===- ResultInputs.h - What decided a result -------------------*- C++ -*-===//

#ifndef HEDDLE_DRIVER_RESULTINPUTS_H
#define HEDDLE_DRIVER_RESULTINPUTS_H

#include "heddle/Driver/Session.h"
#include "views/View.h"

namespace heddle {

/// Adds to \p Out what decided a result of \p S besides machine and model: the
/// "launch" with its arguments and their seeds, the "compiler" and its flags,
/// the "source", the "functions" that its lines belong to, and "assumptions"
/// where there are any.
void addInputs(views::JSON &Out, const Session &S);

/// The same for a result that is not of one launch: the "compiler" and its
/// flags, and the "source": what \p Options name, a recording by its log, and
/// \p More files.
void addInputs(views::JSON &Out, const SessionOptions &Options,
               llvm::ArrayRef<std::string> More = {});

/// Appends to \p Notes what results of \p S depend on that its source does not
/// say; what is there already is left out.
void noteAssumptions(std::vector<std::string> &Notes, const Session &S);
/// The same for \p Lines, a note each.
void noteAssumptions(std::vector<std::string> &Notes, llvm::StringRef Lines);
/// Appends what level \p Level of \p S's kernel assumes: a level that was read
/// instead, and functions of the device library on one path.
llvm::Error noteCode(std::vector<std::string> &Notes, const Session &S,
                     ISA Level);
/// Adds "assumptions", where there are \p Notes.
void addAssumptions(views::JSON &Out, llvm::ArrayRef<std::string> Notes);

/// Adds "code": which level was replayed and where the registers per thread
/// come from: \p Code, null for a trace.
void addCode(views::JSON &Out, const trace::TraceSource &Source,
             const KernelCode *Code);
/// "estimate", "ptxas" or "trace".
std::string registersFrom(const KernelCode *Code);

/// Adds "source": the files that were read, each with the SHA-256 of its bytes.
void addSource(views::JSON &Out, llvm::ArrayRef<std::string> Files);

} // namespace heddle

#endif // HEDDLE_DRIVER_RESULTINPUTS_H
