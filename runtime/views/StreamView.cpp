//===- StreamView.cpp - A program's operations on the clock ---------------===//

#include "views/StreamView.h"

#include "views/TextTable.h"

#include <algorithm>

namespace heddle::views {

using launch::OperationKind;

static const char *nameOf(OperationKind Kind) {
  switch (Kind) {
  case OperationKind::Launch:
    return "launch";
  case OperationKind::ToDevice:
    return "to_device";
  case OperationKind::ToHost:
    return "to_host";
  case OperationKind::InDevice:
    return "in_device";
  case OperationKind::Fill:
    return "fill";
  case OperationKind::Host:
    return "host";
  }
  return "";
}

/// The time that the spans cover together.
static double covered(std::vector<streams::Span> Spans) {
  std::ranges::sort(Spans, {}, &streams::Span::BeginUs);
  double Covered = 0, End = 0;
  for (const streams::Span &S : Spans) {
    Covered += std::max(0.0, S.EndUs - std::max(End, S.BeginUs));
    End = std::max(End, S.EndUs);
  }
  return Covered;
}

void StreamView::add(size_t Number, Sums &To,
                     std::vector<streams::Span> &Spans) const {
  const launch::Operation &O = Operations.All[Number];
  if (O.Kind == OperationKind::Host)
    return;
  ++(O.Kind == OperationKind::Launch ? To.Launches : To.Copies);
  To.Bytes += O.Bytes;
  Spans.push_back(Schedule.Operations[Number]);
}

std::vector<StreamView::Sums> StreamView::sums() const {
  std::vector<Sums> Of(Operations.Streams.size());
  std::vector<std::vector<streams::Span>> Spans(Of.size());
  for (size_t N = 0; N < Operations.All.size(); ++N) {
    const size_t Stream = Operations.All[N].Stream;
    add(N, Of[Stream], Spans[Stream]);
  }
  for (size_t I = 0; I < Of.size(); ++I)
    Of[I].BusyUs = covered(std::move(Spans[I]));
  return Of;
}

std::vector<StreamView::Sums> StreamView::rangeSums() const {
  std::vector<Sums> Of(Operations.Ranges.size());
  std::vector<std::vector<streams::Span>> Spans(Of.size());
  for (size_t N = 0; N < Operations.All.size(); ++N)
    for (size_t R = Operations.All[N].Range; R; R = Operations.Ranges[R].Outer)
      add(N, Of[R], Spans[R]);
  for (size_t I = 0; I < Of.size(); ++I)
    Of[I].BusyUs = covered(std::move(Spans[I]));
  return Of;
}

std::string StreamView::ranges() const {
  TextTable Table("lrrrr",
                  {"range", "launches", "copies and fills", "busy", "share"});
  const std::vector<Sums> Of = rangeSums();
  for (size_t I = 0; I < Of.size(); ++I)
    if (const Sums &S = Of[I]; S.Launches + S.Copies)
      Table.row({Operations.Ranges[I].Path, grouped(S.Launches),
                 grouped(S.Copies), fmt::format("{:.2f} us", S.BusyUs),
                 percent(S.BusyUs, Schedule.EndUs)});
  return Table.hasRows()
             ? "\nRanges of the program, with those inside of them\n" +
                   Table.str()
             : "";
}

std::string StreamView::text() const {
  TextTable Table("lrrrrr", {"stream", "launches", "copies and fills", "bytes",
                             "busy", "share"});
  const std::vector<Sums> Of = sums();
  for (size_t I = 0; I < Of.size(); ++I)
    if (const Sums &S = Of[I]; S.Launches + S.Copies)
      Table.row({Operations.Streams[I].Name, grouped(S.Launches),
                 grouped(S.Copies), bytes(double(S.Bytes)),
                 fmt::format("{:.2f} us", S.BusyUs),
                 percent(S.BusyUs, Schedule.EndUs)});
  return fmt::format("\nStreams: {:.2f} us; one after the other, launches and "
                     "copies would take {:.2f} us\n{}{}",
                     Schedule.EndUs, Schedule.SerialUs, Table.str(), ranges());
}

void StreamView::addTo(JSON &Out) const {
  JSON &J = Out["overlap"];
  J = {{"end_us", Schedule.EndUs},
       {"serial_us", Schedule.SerialUs},
       {"streams", JSON::array()},
       {"operations", JSON::array()}};
  const std::vector<Sums> Of = sums();
  for (size_t I = 0; I < Of.size(); ++I)
    J["streams"].push_back({{"name", Operations.Streams[I].Name},
                            {"priority", Operations.Streams[I].Priority},
                            {"launches", Of[I].Launches},
                            {"copies", Of[I].Copies},
                            {"bytes", Of[I].Bytes},
                            {"busy_us", Of[I].BusyUs}});
  for (size_t N = 0; N < Operations.All.size(); ++N) {
    const launch::Operation &O = Operations.All[N];
    JSON Row = {{"kind", nameOf(O.Kind)},
                {"stream", O.Stream},
                {"begin_us", Schedule.Operations[N].BeginUs},
                {"end_us", Schedule.Operations[N].EndUs}};
    if (O.Kind == OperationKind::Launch)
      Row["launch"] = O.Launch;
    else if (O.Kind != OperationKind::Host)
      Row["bytes"] = O.Bytes;
    if (O.Range)
      Row["range"] = Operations.Ranges[O.Range].Path;
    J["operations"].push_back(std::move(Row));
  }
  const std::vector<Sums> Ranges = rangeSums();
  for (size_t I = 0; I < Ranges.size(); ++I)
    if (const Sums &S = Ranges[I]; S.Launches + S.Copies)
      J["ranges"].push_back({{"range", Operations.Ranges[I].Path},
                             {"launches", S.Launches},
                             {"copies", S.Copies},
                             {"bytes", S.Bytes},
                             {"busy_us", S.BusyUs}});
}

} // namespace heddle::views
