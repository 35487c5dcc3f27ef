#!/usr/bin/env bash
# A real SLURM on this machine, from nothing: one node with sixteen CPUs and four invented GPUs, partitions cpu and gpu, no accounting.
# For tests, as root, on Debian; needs no systemd. Safe to repeat: what runs already is left running.
# usage: tests/cluster/install_slurm.sh [stop]
set -euo pipefail
conf=/etc/slurm/slurm.conf
state=/var/lib/inforce-slurm
mark="# Written by tests/cluster/install_slurm.sh; a SLURM of one invented node."

say() { printf '%s\n' "$*" >&2; }

[ "$(id -u)" = 0 ] || { say "A test SLURM is started by root, and this is $(id -un)"; exit 1; }
if [ -f "$conf" ] && [ "$(head -n 1 "$conf")" != "$mark" ]; then
    say "$conf was not written by this script, so this machine has a SLURM of its own: nothing was changed"; exit 1
fi

# by number and name: a number left by a daemon that was killed may be another process's by now
running() { [ -f "$state/$1.pid" ] && [ "$(cat "/proc/$(cat "$state/$1.pid")/comm" 2>/dev/null)" = "$1" ]; }

if [ "${1:-}" = stop ]; then
    command -v scancel >/dev/null && scancel --user root 2>/dev/null || true
    for daemon in slurmd slurmctld; do
        running "$daemon" && kill "$(cat "$state/$daemon.pid")" || true
    done
    [ -f /run/munge/munged.pid ] && kill "$(cat /run/munge/munged.pid)" 2>/dev/null || true
    exit 0
fi

if ! command -v slurmctld slurmd munged srun >/dev/null; then
    say "Installing slurm-wlm and munge"
    apt-get update -qq
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends slurm-wlm munge >/dev/null
fi

mkdir -p "$state/ctld" "$state/d" "$state/log" /etc/slurm
for number in 0 1 2 3; do touch "$state/gpu$number"; done
host=$(hostname -s)
wanted=$(cat <<END
$mark
ClusterName=inforce
SlurmctldHost=$host
SlurmUser=root
AuthType=auth/munge
StateSaveLocation=$state/ctld
SlurmdSpoolDir=$state/d
SlurmctldPidFile=$state/slurmctld.pid
SlurmdPidFile=$state/slurmd.pid
SlurmctldLogFile=$state/log/slurmctld.log
SlurmdLogFile=$state/log/slurmd.log
# containers have no cgroups of their own: processes are found by their parents, memory is watched by polling
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=2
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=sched_min_interval=200000,batch_sched_delay=0
SchedulerType=sched/builtin
GresTypes=gpu
# more CPUs, memory and GPUs than the machine has
SlurmdParameters=config_overrides
NodeName=$host CPUs=16 RealMemory=400000 Gres=gpu:a100:4 State=UNKNOWN
PartitionName=cpu Nodes=$host Default=YES MaxTime=INFINITE State=UP
PartitionName=gpu Nodes=$host MaxTime=INFINITE State=UP
# from SIGTERM to SIGKILL
KillWait=10
# finished jobs stay visible to squeue, here for an hour (usual: 300 s): without accounting nothing else knows how they ended
MinJobAge=3600
JobRequeue=1
ReturnToService=2
MpiDefault=none
END
)
if [ ! -f "$conf" ] || [ "$(cat "$conf")" != "$wanted" ]; then
    printf '%s\n' "$wanted" >"$conf"
    printf 'Name=gpu Type=a100 File=%s/gpu[0-3]\n' "$state" >/etc/slurm/gres.conf
    for daemon in slurmd slurmctld; do
        if running "$daemon"; then kill "$(cat "$state/$daemon.pid")"; sleep 1; fi
    done
fi

if ! munge -n 2>/dev/null | unmunge >/dev/null 2>&1; then
    mkdir -p /run/munge /var/lib/munge /var/log/munge
    [ -f /etc/munge/munge.key ] || { (umask 077 && head -c 1024 /dev/urandom >/etc/munge/munge.key); }
    chown -R munge: /etc/munge /run/munge /var/lib/munge /var/log/munge
    chmod 0400 /etc/munge/munge.key && chmod 0755 /run/munge
    su -s /bin/sh munge -c /usr/sbin/munged
fi
# -c: jobs of an earlier start are forgotten; what they would go on with is not there any more
running slurmctld || slurmctld -c
running slurmd || slurmd -c
for _ in $(seq 60); do
    state_now=$(sinfo --noheader --Node --format=%T 2>/dev/null | sort -u | head -n 1 || true)
    case $state_now in
        idle | mixed | allocated | completing) exit 0 ;;
        down* | drain*) scontrol update "NodeName=$host" State=RESUME 2>/dev/null || true ;;
    esac
    sleep 1
done
say "SLURM's node did not come up within a minute; its logs:"
tail -n 20 "$state"/log/*.log >&2
exit 1
