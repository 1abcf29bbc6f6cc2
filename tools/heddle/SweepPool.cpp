//===- SweepPool.cpp - Worker processes of a sweep ------------------------===//

#include "SweepPlan.h"

#include "Commands.h"
#include "CommonOptions.h"
#include "SweepStore.h"
#include "TextOutput.h"
#include "arch/GPUSpec.h"
#include "arch/SpecReader.h"
#include "base/Fail.h"
#include "base/JSONText.h"
#include "heddle/Driver/Session.h"
#include "heddle/Driver/TraceModes.h"
#include "launch/LaunchFile.h"
#include "models/ModelRun.h"
#include "timing/Simulator.h"
#include "views/MemoryView.h"
#include "views/SummaryView.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <memory>
#include <poll.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace heddle::tool {

namespace {
/// Evaluates configurations one after the other. What compiles to the same is
/// compiled once.
class SweepWorker {
public:
  explicit SweepWorker(const SweepPlan &Plan);
  ~SweepWorker();
  SweepRow evaluate(uint64_t Index);

private:
  std::string result(const SweepSettings &Settings);
  Session &sessionFor(const SweepSettings &Settings, const arch::GPUSpec &Spec);

  const SweepPlan &Plan;
  launch::Launch Launch;
  std::string Compiled; ///< what Current was compiled from
  std::unique_ptr<Session> Current;
};
} // namespace

SweepWorker::SweepWorker(const SweepPlan &Plan) : Plan(Plan) {
  if (!Plan.Launch.empty())
    Launch = take(launch::readLaunchFile(Plan.Launch));
}

SweepWorker::~SweepWorker() = default;

Session &SweepWorker::sessionFor(const SweepSettings &Settings,
                                 const arch::GPUSpec &Spec) {
  const std::string Arch = Spec.Target.empty() ? "sm_70" : Spec.Target;
  SessionOptions O;
  O.OnPhase = nullptr; // a child shows no progress
  O.Order = laneOrderFor(Spec);
  O.Input = Plan.Input;
  O.ClangArgs = Settings.ClangArgs;
  O.Arch = Arch;
  std::string Key = fmt::format("{}\n{}\n{}", Arch, unsigned(O.Order),
                                fmt::join(Settings.ClangArgs, "\n"));
  if (Current && Key == Compiled) {
    take(Current->restart(Settings.Launch,
                          contentsFor(traceModeOf(Plan.Trace))));
    return *Current;
  }
  Current.reset(); // its memory goes first
  Current = take(Session::create(O, Settings.Launch,
                                 contentsFor(traceModeOf(Plan.Trace))));
  Compiled = Key;
  return *Current;
}

std::string SweepWorker::result(const SweepSettings &Settings) {
  arch::GPUSpec Spec = take(arch::loadMachine(Settings.GPU, Settings.Sets));
  Session &S = sessionFor(Settings, Spec);
  const KernelCode &Code = take(S.codeTable(levelFor(Spec)));
  auto Source = take(makeTraceSource(S, Code, traceModeOf(Plan.Trace)));
  views::JSON Out;
  if (Settings.Model == "simulate") {
    const auto R = take(expected(models::simulateTimed(*Source, Spec)));
    views::SummaryView(R).addTo(Out);
    views::MemoryView(R).addTo(Out);
  } else {
    models::ModelRequest O;
    O.Model = Settings.Model;
    Out = take(models::runModel(*Source, Spec, O)).JSON;
  }
  addCode(Out, *Source, &Code);
  std::vector<std::string> Assumptions;
  noteAssumptions(Assumptions, S);
  addAssumptions(Out, Assumptions);
  return jsonText(Out);
}

SweepRow SweepWorker::evaluate(uint64_t Index) {
  SweepRow Row;
  Row.Index = Index;
  auto Point = Plan.point(Index);
  views::JSON Settings = views::JSON::object();
  for (const auto &[Key, Value] : Point)
    Settings[Key] = Value;
  Row.Settings = jsonText(Settings);
  try {
    Row.Result = result(take(settingsOf(Plan, Launch, Point)));
  } catch (const CommandError &E) {
    Row.Message = E.Message.empty() ? "failed" : E.Message;
  } catch (const std::exception &E) {
    Row.Message = fmt::format("internal error: {}", E.what());
  }
  if (!Row.Message.empty())
    Current.reset();
  return Row;
}

namespace {

/// Bytes of one message; false at the end of the pipe.
bool readAll(int File, void *To, size_t Bytes) {
  auto *At = static_cast<char *>(To);
  while (Bytes) {
    ssize_t N = ::read(File, At, Bytes);
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      return false;
    At += N;
    Bytes -= size_t(N);
  }
  return true;
}

bool writeAll(int File, const void *From, size_t Bytes) {
  const auto *At = static_cast<const char *>(From);
  while (Bytes) {
    ssize_t N = ::write(File, At, Bytes);
    if (N < 0 && errno == EINTR)
      continue;
    if (N <= 0)
      return false;
    At += N;
    Bytes -= size_t(N);
  }
  return true;
}

/// One child: indices go in, rows come out, as length and text.
class Worker {
public:
  Worker() = default;
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;
  Worker(Worker &&Other) noexcept
      : Child(std::exchange(Other.Child, -1)), In(std::exchange(Other.In, -1)),
        Out(std::exchange(Other.Out, -1)), Index(Other.Index),
        Busy(Other.Busy) {}
  ~Worker() { stop(); }

  /// \p Others: descriptors of the other workers, closed in the child, so that
  /// it ends when this process does.
  bool start(const SweepPlan &Plan, const std::vector<Worker> &Others);
  bool give(uint64_t I) {
    Index = I;
    Busy = true;
    return writeAll(In, &I, sizeof(I));
  }
  /// False if the child died; why() then says how.
  bool receive(SweepRow &Row);
  std::string why();
  void stop();

  int output() const { return Out; }
  bool busy() const { return Busy; }
  uint64_t index() const { return Index; }

private:
  [[noreturn]] static void serve(const SweepPlan &Plan, int In, int Out);

  pid_t Child = -1;
  int In = -1, Out = -1;
  uint64_t Index = 0;
  bool Busy = false;
};

} // namespace

void Worker::serve(const SweepPlan &Plan, int In, int Out) {
  // The parent says when to stop: signals may reach the whole group.
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  int Status = InternalError;
  try {
    SweepWorker W(Plan);
    for (uint64_t Index; readAll(In, &Index, sizeof(Index));) {
      SweepRow Row = W.evaluate(Index);
      std::string Text = jsonText(nlohmann::json{
          {"s", Row.Settings}, {"r", Row.Result}, {"m", Row.Message}});
      uint64_t Size = Text.size();
      if (!writeAll(Out, &Size, sizeof(Size)) ||
          !writeAll(Out, Text.data(), Size))
        break;
    }
    Status = Done;
  } catch (const std::exception &) {
  }
  _exit(Status); // destructors and buffers belong to the parent
}

bool Worker::start(const SweepPlan &Plan, const std::vector<Worker> &Others) {
  int ToChild[2], FromChild[2];
  if (pipe(ToChild) != 0)
    return false;
  if (pipe(FromChild) != 0) {
    close(ToChild[0]);
    close(ToChild[1]);
    return false;
  }
  Child = fork();
  if (Child == 0) {
    for (const Worker &W : Others)
      if (&W != this && W.In >= 0) {
        close(W.In);
        close(W.Out);
      }
    close(ToChild[1]);
    close(FromChild[0]);
    serve(Plan, ToChild[0], FromChild[1]);
  }
  close(ToChild[0]);
  close(FromChild[1]);
  In = ToChild[1];
  Out = FromChild[0];
  Busy = false;
  return Child > 0;
}

bool Worker::receive(SweepRow &Row) {
  uint64_t Size = 0;
  constexpr uint64_t MaxSize = uint64_t(1) << 30;
  if (!readAll(Out, &Size, sizeof(Size)) || Size > MaxSize)
    return false;
  std::string Text(Size, ' ');
  if (!readAll(Out, Text.data(), Size))
    return false;
  auto J = nlohmann::json::parse(Text, nullptr, false);
  if (J.is_discarded())
    return false;
  Row.Index = Index;
  Row.Settings = J.value("s", "");
  Row.Result = J.value("r", "");
  Row.Message = J.value("m", "");
  Busy = false;
  return true;
}

std::string Worker::why() {
  int Status = 0;
  pid_t Ended = waitpid(Child, &Status, 0);
  Child = -1;
  if (Ended > 0 && WIFSIGNALED(Status))
    return fmt::format("internal error: the worker was ended by signal {} ({})",
                       WTERMSIG(Status), strsignal(WTERMSIG(Status)));
  return "internal error: the worker ended early";
}

void Worker::stop() {
  if (In >= 0)
    close(In);
  if (Out >= 0)
    close(Out);
  In = Out = -1;
  if (Child > 0) {
    // It has nothing to save: rows are the parent's affair.
    kill(Child, SIGKILL);
    waitpid(Child, nullptr, 0);
  }
  Child = -1;
  Busy = false;
}

Result<void> runPool(const SweepPlan &Plan, std::span<const uint64_t> Indices,
                     unsigned Processes,
                     const std::function<bool(SweepRow)> &Call) {
  std::signal(SIGPIPE, SIG_IGN); // a worker that died is seen when reading
  std::vector<Worker> Workers(
      std::min<size_t>(std::max(1u, Processes), Indices.size()));
  auto Start = [&](Worker &W) -> Result<void> {
    if (!W.start(Plan, Workers))
      return fail("cannot start a worker process: {}", std::strerror(errno));
    return {};
  };
  size_t Next = 0;
  for (Worker &W : Workers) {
    if (Result<void> R = Start(W); !R)
      return R;
    W.give(Indices[Next++]);
  }
  size_t Left = Indices.size();
  while (Left) {
    std::vector<pollfd> Files;
    for (const Worker &W : Workers)
      Files.push_back({W.busy() ? W.output() : -1, POLLIN, 0});
    // Ctrl-C and the progress bar are looked at several times a second.
    int Ready = poll(Files.data(), nfds_t(Files.size()), 200);
    if (Ready <= 0) {
      if (!Call({~uint64_t(0), {}, {}, {}}))
        return {};
      continue;
    }
    for (size_t N = 0; N < Workers.size(); ++N) {
      if (!Files[N].revents)
        continue;
      Worker &W = Workers[N];
      SweepRow Row;
      Row.Index = W.index();
      if (!W.receive(Row)) {
        Row = {W.index(), {}, {}, W.why()};
        nlohmann::ordered_json Settings = nlohmann::ordered_json::object();
        for (const auto &[Key, Value] : Plan.point(Row.Index))
          Settings[Key] = Value;
        Row.Settings = Settings.dump();
        W.stop();
        if (Result<void> R = Start(W); !R)
          return R;
      }
      --Left;
      if (Next < Indices.size())
        W.give(Indices[Next++]);
      if (!Call(std::move(Row)))
        return {};
    }
  }
  return {};
}

} // namespace heddle::tool
