//===- StackComparison.cpp - Estimated beside measured stacks -------------===//

#include "views/StackComparison.h"

#include "views/TextTable.h"

#include <fmt/format.h>

#include <cmath>

using namespace heddle::interval;

namespace heddle::views {

double StackComparison::Stack::points(const Row &R) const {
  double Before = MeasuredSum > 0 ? R.Measured / MeasuredSum : 0;
  double After = EstimatedSum > 0 ? R.Estimated / EstimatedSum : 0;
  return 100 * (After - Before);
}

/// Whether \p Data has \p D under \p Key, or says nothing of it.
static bool sameSize(const JSON &Data, const char *Key, const Dim3 &D) {
  auto It = Data.find(Key);
  return It == Data.end() || *It == JSON::array({D.X, D.Y, D.Z});
}

Result<StackComparison> StackComparison::make(const IntervalProfile &Profile,
                                              const IntervalEstimate &E,
                                              const StoredResult &M) {
  auto refuse = [&M](const std::string &Reason) {
    return fail(M.Where + ": " + Reason);
  };
  if (M.kernel() != Profile.Launch.Kernel)
    return refuse(fmt::format("result of kernel '{}', but '{}' is estimated; "
                              "give a result of the same kernel",
                              M.kernel(), Profile.Launch.Kernel));
  if (!sameSize(M.Data, "grid", Profile.Launch.Grid) ||
      !sameSize(M.Data, "block", Profile.Launch.Block))
    return refuse("result of a launch of another size; simulate the launch "
                  "that is estimated");
  if (M.gpu() != E.GPU)
    return refuse(fmt::format("simulated on '{}', but estimated on '{}'; use "
                              "one --gpu for both",
                              M.gpu(), E.GPU));
  if (M.Data.value("truncated", false))
    return refuse("the simulation was stopped early; let it end");

  StackComparison C;
  C.Measured = M.cycles();
  C.Estimated = E.Cycles;
  auto add = [&](const char *Key, unsigned Count, auto &&Name,
                 auto &&Value) -> Result<void> {
    auto Found = M.Data.find(Key);
    Stack S;
    S.Key = Key;
    for (unsigned N = 0; N < Count; ++N) {
      Row R{std::string(Name(N)), 0, Value(N)};
      if (Found == M.Data.end() || !Found->is_object() ||
          !Found->contains(R.Name) || !(*Found)[R.Name].is_number())
        return refuse(fmt::format("the result has no number '{}' in '{}'; "
                                  "write it with heddle simulate --json",
                                  R.Name, Key));
      R.Measured = (*Found)[R.Name].template get<double>();
      S.MeasuredSum += R.Measured;
      S.EstimatedSum += R.Estimated;
      S.Rows.push_back(std::move(R));
    }
    C.Stacks.push_back(std::move(S));
    return {};
  };
  Result<void> Levels = add(
      "gpumech_stack", NumStackParts,
      [](unsigned N) { return stackPartName(StackPart(N)); },
      [&](unsigned N) { return E.Stack[N]; });
  if (!Levels)
    return std::unexpected(Levels.error());
  if (E.Which == Model::Heddle) {
    Result<void> Causes = add(
        "cpi_categories", NumCategories,
        [](unsigned N) { return categoryName(Category(N)); },
        [&](unsigned N) { return E.Categories[N]; });
    if (!Causes)
      return std::unexpected(Causes.error());
  }
  return C;
}

std::string StackComparison::text() const {
  TextTable Table("lrrr",
                  {"CPI of an SM", "simulated", "estimated", "share, points"});
  for (const Stack &S : Stacks) {
    for (const Row &R : S.Rows)
      Table.row({R.Name, fmt::format("{:.3f}", R.Measured),
                 fmt::format("{:.3f}", R.Estimated),
                 fmt::format("{:+.1f}", S.points(R))});
    Table.row({"total", fmt::format("{:.3f}", S.MeasuredSum),
               fmt::format("{:.3f}", S.EstimatedSum), ""});
  }
  return fmt::format("Simulated and estimated: {} and {} cycles, {:+.1f} %\n",
                     grouped(uint64_t(std::llround(Measured))),
                     grouped(uint64_t(std::llround(Estimated))),
                     Measured > 0 ? 100 * (Estimated / Measured - 1) : 0) +
         Table.str();
}

void StackComparison::addTo(JSON &Out) const {
  JSON &To = Out["measured"];
  To["cycles"] = Measured;
  To["error"] = Measured > 0 ? 100 * (Estimated / Measured - 1) : 0;
  To["error_kind"] = "same-simulator";
  for (const Stack &S : Stacks) {
    JSON &Rows = To[S.Key] = JSON::object();
    for (const Row &R : S.Rows)
      Rows[R.Name] = {{"simulated", R.Measured},
                      {"estimated", R.Estimated},
                      {"points", S.points(R)}};
  }
}

} // namespace heddle::views
