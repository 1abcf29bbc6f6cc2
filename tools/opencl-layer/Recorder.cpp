//===- Recorder.cpp - Beginning, end, calls and programs ------------------===//

#include "Recorder.h"

#include <pthread.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>

namespace heddle::layer {

using record::Encoder;
using record::RecordKind;

/// The one recorder of the process; the C interface has nowhere else to keep
/// it.
static std::atomic<Recorder *> &current() {
  static std::atomic<Recorder *> Current = nullptr;
  return Current;
}
Recorder *Recorder::get() { return current().load(std::memory_order_acquire); }

void Recorder::start(const cl_icd_dispatch &Device) {
  const char *Folder = std::getenv("HEDDLE_RECORDING");
  if (!Folder || !*Folder || get())
    return;
  auto Writer = record::RecordingWriter::create(Folder);
  if (!Writer) {
    std::fprintf(stderr,
                 "heddle: warning: nothing of process %ld is recorded: %s; one "
                 "process makes one recording\n",
                 long(::getpid()), Writer.error().Message.c_str());
    return;
  }
  (*Writer)->holdSignals();
  current() = new Recorder(Device, std::move(*Writer));
  // A forked process has no thread that writes; its parent goes on.
  pthread_atfork(nullptr, nullptr, [] { current() = nullptr; });
}

void Recorder::stop() {
  // It stays, since other threads may still be inside.
  Recorder *R = current().exchange(nullptr);
  if (!R)
    return;
  R->collect();
  R->writeCalls();
  R->Log->append(RecordKind::End, {});
  if (Result<void> Done = R->Log->finish(); !Done)
    std::fprintf(stderr, "heddle: warning: the recording is cut off: %s\n",
                 Done.error().Message.c_str());
}

Recorder::Recorder(const cl_icd_dispatch &Device,
                   std::unique_ptr<record::RecordingWriter> Writer)
    : Device(Device), Log(std::move(Writer)),
      Order([this](RecordKind Kind, Encoder E) {
        Log->append(Kind, std::move(E));
      }) {}

static std::string deviceName(cl_program P) {
  std::vector<cl_device_id> Devices(64);
  size_t Size = 0;
  char Name[256] = "";
  if (device().clGetProgramInfo(P, CL_PROGRAM_DEVICES,
                                Devices.size() * sizeof(cl_device_id),
                                Devices.data(), &Size) == CL_SUCCESS &&
      Size >= sizeof(cl_device_id))
    device().clGetDeviceInfo(Devices[0], CL_DEVICE_NAME, sizeof(Name) - 1, Name,
                             nullptr);
  return Name;
}

/// What ran where: of the first program's device.
void Recorder::info(cl_program P) {
  std::ifstream File("/proc/self/cmdline", std::ios::binary);
  std::string Command((std::istreambuf_iterator<char>(File)), {});
  for (char &C : Command)
    C = C ? C : ' ';
  while (Command.ends_with(' '))
    Command.pop_back();
  std::string Folder(4096, '\0');
  Folder = ::getcwd(Folder.data(), Folder.size()) ? Folder.c_str() : ".";
  Log->append(RecordKind::Info,
              Encoder().text(Command).text(Folder).text(deviceName(P)));
  Informed = true;
}

void Recorder::writeCalls() {
  static constexpr const char *Names[] = {
#define CALL(Name) #Name,
#include "Calls.def"
  };
  Encoder E;
  for (unsigned I = 0; I < NumCalls; ++I)
    if (const uint64_t N = Counts[I].load(std::memory_order_relaxed))
      E.text(Names[I]).number(N);
  Log->append(RecordKind::Calls, std::move(E));
}

void Recorder::synchronised(const char *Call) {
  collect();
  Log->append(RecordKind::Sync, Encoder().text(Call));
}

void Recorder::unsupported(const std::string &What) {
  Log->append(RecordKind::Unsupported, Encoder().text(What));
}

void Recorder::source(cl_program P, std::string Text) {
  std::lock_guard Guard(Lock);
  Programs[P] = {std::move(Text), {}, {}};
}

void Recorder::refuseProgram(cl_program P, const std::string &Reason) {
  unsupported(Reason);
  std::lock_guard Guard(Lock);
  Programs[P] = {{}, Reason, {}};
}

void Recorder::built(cl_program P, const char *Options) {
  std::lock_guard Guard(Lock);
  auto It = Programs.find(P);
  if (It == Programs.end() || !It->second.Refused.empty())
    return;
  if (!Informed)
    info(P);
  It->second.Number = NextProgram++;
  Log->program(*It->second.Number, It->second.Source, Options ? Options : "");
}

} // namespace heddle::layer
