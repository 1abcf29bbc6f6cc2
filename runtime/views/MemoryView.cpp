//===- MemoryView.cpp - Caches, interconnect and DRAM ---------------------===//

#include "views/MemoryView.h"

#include "views/TextTable.h"

#include <fmt/format.h>

#include <utility>

using namespace heddle::timing;

namespace heddle::views {

using NamedSpace = std::pair<const char *, const SpaceCounters *>;
using NamedCache = std::pair<const char *, const CacheCounters *>;

static std::vector<NamedSpace> spacesOf(const SimulationResult &R) {
  return {{"global", &R.Global},   {"local", &R.Local},
          {"shared", &R.Shared},   {"constant", &R.Constant},
          {"atomics", &R.Atomics}, {"texture", &R.Texture}};
}

static std::vector<NamedCache> cachesOf(const SimulationResult &R) {
  return {{"l1", &R.L1},
          {"constant_cache", &R.ConstCache},
          {"texture_cache", &R.TextureCache},
          {"instruction_cache", &R.InstCache},
          {"gpc_cache", &R.GPCCache},
          {"l2", &R.L2}};
}

static double rate(uint64_t Bytes, const SimulationResult &R) {
  return R.TimeUs > 0 ? double(Bytes) / (R.TimeUs * 1e3) : 0; // GB/s
}

static std::string spaceTable(const SimulationResult &R) {
  TextTable Table("lrrr", {"accesses", "warp instructions", "transactions",
                           "per instruction"});
  for (auto [Name, Space] : spacesOf(R))
    if (Space->Instructions)
      Table.row({Name, grouped(Space->Instructions),
                 grouped(Space->Transactions),
                 fmt::format("{:.2f}", double(Space->Transactions) /
                                           Space->Instructions)});
  return Table.hasRows() ? Table.str() : "";
}

static std::string cacheTable(const SimulationResult &R) {
  TextTable Table("lrrrrr", {"cache", "accesses", "hits", "pending hits",
                             "misses", "writes"});
  for (auto [Name, C] : cachesOf(R))
    if (C->Accesses)
      Table.row({Name, grouped(C->Accesses), percent(C->Hits, C->Accesses),
                 percent(C->PendingHits, C->Accesses),
                 percent(C->Misses, C->Accesses), grouped(C->Writes)});
  return Table.hasRows() ? Table.str() : "";
}

static std::string dramLine(const SimulationResult &R) {
  const DRAMCounters &D = R.DRAM;
  if (!D.Reads && !D.Writes)
    return "";
  return fmt::format("  DRAM: {} read, {} written, {:.1f} GB/s, data bus {} "
                     "busy, {} row hits\n",
                     bytes(D.ReadBytes), bytes(D.WriteBytes),
                     rate(D.ReadBytes + D.WriteBytes, R),
                     percent(D.Utilization, 1),
                     percent(D.RowHits, D.Reads + D.Writes));
}

std::string MemoryView::text() const {
  std::string Text = spaceTable(Result);
  std::string Caches = cacheTable(Result);
  if (!Text.empty() && !Caches.empty())
    Text += '\n';
  Text += Caches + dramLine(Result);
  if (Result.SharedConflictCycles)
    Text += fmt::format("  bank conflicts: {} replays in shared memory\n",
                        grouped(Result.SharedConflictCycles));
  return Text.empty() ? "" : "Memory\n" + Text;
}

static JSON toJSON(const CacheCounters &C) {
  return {{"accesses", C.Accesses},
          {"hits", C.Hits},
          {"pending_hits", C.PendingHits},
          {"misses", C.Misses},
          {"writes", C.Writes},
          {"write_backs", C.WriteBacks},
          {"stall_cycles", C.StallCycles},
          {"hit_rate", C.hitRate()}};
}

void MemoryView::addTo(JSON &Out) const {
  JSON &Spaces = Out["spaces"] = JSON::object();
  for (auto [Name, Space] : spacesOf(Result))
    Spaces[Name] = {{"instructions", Space->Instructions},
                    {"transactions", Space->Transactions}};
  Out["shared_conflict_cycles"] = Result.SharedConflictCycles;
  for (auto [Name, Cache] : cachesOf(Result))
    if (Cache != &Result.GPCCache || Cache->Accesses) // most machines have none
      Out[Name] = toJSON(*Cache);
  const InterconnectCounters &I = Result.Interconnect;
  Out["interconnect"] = {{"requests", I.Requests},
                         {"responses", I.Responses},
                         {"request_bytes", I.RequestBytes},
                         {"response_bytes", I.ResponseBytes},
                         {"queue_cycles", I.QueueCycles}};
  const DRAMCounters &D = Result.DRAM;
  Out["dram"] = {{"accesses", D.Reads + D.Writes},
                 {"hits", D.RowHits},
                 {"reads", D.Reads},
                 {"writes", D.Writes},
                 {"activates", D.Activates},
                 {"read_bytes", D.ReadBytes},
                 {"write_bytes", D.WriteBytes},
                 {"busy_cycles", D.BusyCycles},
                 {"utilization", D.Utilization},
                 {"gb_per_s", rate(D.ReadBytes + D.WriteBytes, Result)}};
}

} // namespace heddle::views
