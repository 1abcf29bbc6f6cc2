//===- StudyView.h - What an application does -------------------*- C++ -*-===//

#ifndef HEDDLE_VIEWS_STUDYVIEW_H
#define HEDDLE_VIEWS_STUDYVIEW_H

#include "sampling/paper/ApplicationStudy.h"
#include "views/View.h"

#include <map>
#include <string>

namespace heddle::views {

/// The figures of GT-Pin's study. JSON: the object "application", whose keys
/// docs/Recording.md lists.
class StudyView : public View {
public:
  /// \p Calls: functions of OpenCL by how often they were called; empty where
  /// no recording tells.
  StudyView(const sampling::ApplicationStudy &Study,
            const std::map<std::string, uint64_t> &Calls)
      : Study(Study), Calls(Calls) {}
  std::string text() const override;
  void addTo(JSON &Out) const override;

private:
  std::string calls() const;
  std::string kernels() const;
  std::string ranges() const;
  std::string lanes() const;

  const sampling::ApplicationStudy &Study;
  const std::map<std::string, uint64_t> &Calls;
};

/// GT-Pin's three kinds of calls.
enum class CallKind { Launch, Synchronisation, Other };
CallKind kindOfCall(const std::string &Name);

} // namespace heddle::views

#endif // HEDDLE_VIEWS_STUDYVIEW_H
