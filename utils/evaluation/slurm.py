"""A Slurm cluster on this machine: one controller and several node daemons."""

import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

CONFIGURATION = """
ClusterName=heddle
SlurmctldHost={host}(127.0.0.1)
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
SlurmctldPort={port}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmdLogFile={folder}/slurmd-%n.log
SlurmdSpoolDir={folder}/spool-%n
StateSaveLocation={folder}/state
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=2,batch_sched_delay=1,bf_interval=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MpiDefault=none
ReturnToService=2
KillWait=10
MinJobAge=600
OverTimeLimit=0
MaxArraySize=10001
"""
NODE = "NodeName=node{n} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 RealMemory=1000 State=UNKNOWN\n"


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Cluster:
    """Lives as long as the `with` statement; its commands find it by SLURM_CONF."""

    def __init__(self, folder, nodes=2):
        missing = [tool for tool in ("slurmctld", "slurmd", "munged", "sbatch") if not shutil.which(tool)]
        if missing or os.geteuid() != 0:
            sys.exit("needs root and Debian's slurm-wlm and munge: apt-get install slurm-wlm munge")
        self.folder = pathlib.Path(folder)
        self.daemons = []
        (self.folder / "state").mkdir(parents=True)
        host = socket.gethostname().split(".")[0]
        text = CONFIGURATION.format(host=host, folder=self.folder, port=free_port())
        for n in range(1, nodes + 1):
            (self.folder / f"spool-node{n}").mkdir()
            text += NODE.format(n=n, host=host, port=free_port())
        text += f"PartitionName=main Nodes=node[1-{nodes}] Default=YES MaxTime=INFINITE State=UP\n"
        (self.folder / "slurm.conf").write_text(text)
        os.environ["SLURM_CONF"] = str(self.folder / "slurm.conf")
        self.nodes = nodes

    def __enter__(self):
        f = self.folder
        key = f / "munge.key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        f.chmod(0o755)
        self.start("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={f}/munge.socket",
                   f"--pid-file={f}/munged.pid", f"--log-file={f}/munged.log", f"--seed-file={f}/munged.seed")
        self.wait(lambda: (f / "munge.socket").exists(), "munged")
        self.start("slurmctld", "-D", "-i")
        for n in range(1, self.nodes + 1):
            self.start("slurmd", "-D", "-N", f"node{n}")
        self.wait(lambda: self.states() == {"idle"}, "the nodes")
        return self

    def start(self, *words):
        log = open(self.folder / f"{words[0]}-{len(self.daemons)}.out", "w")
        self.daemons.append(subprocess.Popen(words, stdout=log, stderr=log, start_new_session=True))

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            try:
                daemon.wait(20)
            except subprocess.TimeoutExpired:
                daemon.kill()

    def wait(self, condition, what, seconds=60):
        end = time.monotonic() + seconds
        while not condition():
            if time.monotonic() > end:
                logs = "\n".join(p.read_text(errors="replace")[-1500:] for p in sorted(self.folder.glob("*.out")))
                raise RuntimeError(f"{what}: not ready after {seconds} s\n{logs}")
            time.sleep(0.3)

    def states(self):
        run = subprocess.run(["sinfo", "-h", "-N", "-o", "%t"], capture_output=True, text=True)
        return set(run.stdout.split())

    def jobs(self):
        """(array job or job, task, state) of all that wait or run."""
        run = subprocess.run(["squeue", "-h", "-r", "-o", "%F %K %T"], capture_output=True, text=True)
        return [tuple(line.split()) for line in run.stdout.splitlines()]

    def drained(self):
        return not self.jobs()
