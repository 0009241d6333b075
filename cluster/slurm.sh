#!/bin/sh
# A real Slurm with two nodes on one machine, for tests: Debian's slurmctld and slurmd without munge,
# without systemd, all files in one folder.
#
#   slurm.sh isolate COMMAND...  starts a Slurm in namespaces of its own, runs a command, and ends it
#   slurm.sh start               starts one and prints its folder, to be put into TAULER_SLURM
#   slurm.sh run COMMAND...      with SLURM_CONF and Open MPI set up for it
#   slurm.sh stop                ends its jobs and daemons and removes the folder
#
# Exit codes: those of the command; 64 usage; 77 the rights or the packages are missing.
set -u

say() { echo "slurm.sh: $*" >&2; }
cannot() {
  say "$*"
  exit 77
}
usage() {
  sed -n '2,/^set -u/s/^#  \{0,1\}//p' "$0" >&2
  exit 64
}

need_tools() {
  PATH=$PATH:/usr/sbin:/sbin
  for tool in slurmctld slurmd srun sbatch scontrol unshare ip; do
    command -v "$tool" >/dev/null || cannot "$tool is missing; tools/setup.sh cluster installs it"
  done
}

need_root() { [ "$(id -u)" -eq 0 ] || cannot "slurmd wants to be root"; }

need_slurm() {
  folder=${TAULER_SLURM:-}
  [ -f "$folder/slurm.conf" ] || cannot "TAULER_SLURM does not name the folder of a Slurm"
}

# Both nodes are this host. Each has a folder of its own, or they would meet in that of PMIx, and they
# cannot share memory, which ranks on one host would try: hence tcp alone.
write_files() {
  mkdir "$folder/state" "$folder/n1" "$folder/n2" || return 1
  user=$(id -un)
  host=$(hostname)
  cores=$(nproc)
  cat >"$folder/slurm.conf" <<CONF
ClusterName=tauler
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/none
AuthInfo=cred_expire=5
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=pmix
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=2,sched_min_interval=100000,requeue_delay=1
ReturnToService=2
KillWait=10
JobRequeue=1
SlurmdParameters=config_overrides
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/%n
TmpFS=$folder/%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd-%n.log
NodeName=n1 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=$cores RealMemory=1024
NodeName=n2 NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=$cores RealMemory=1024
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
CONF
  cat >"$folder/environment" <<ENVIRONMENT
export SLURM_CONF=$folder/slurm.conf SLURM_MPI_TYPE=pmix
export OMPI_MCA_btl=tcp,self OMPI_MCA_pml=ob1 OMPI_MCA_btl_tcp_if_include=lo
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
ENVIRONMENT
}

daemons() { cat "$folder"/*.pid 2>/dev/null; }

remove_slurm() {
  export SLURM_CONF="$folder/slurm.conf"
  if [ -s "$folder/slurmctld.pid" ]; then
    timeout 5 squeue -h -o %A | xargs -r timeout 5 scancel 2>/dev/null
    timeout 5 scancel --signal=KILL --user="$(id -un)" 2>/dev/null
  fi
  # Steps have a daemon each, whose command line names the node's folder or ours by its environment.
  for signal in TERM KILL; do
    for process in $(daemons) $(grep -ls "SLURM_CONF=$folder/" /proc/[0-9]*/environ | cut -d/ -f3); do
      [ "$process" = $$ ] || kill -$signal "$process" 2>/dev/null
    done
    sleep 0.5
  done
  rm -rf "$folder"
}

start_slurm() {
  need_root
  folder=$(mktemp -d "${SLURM_IN:-/tmp}/tauler-slurm.XXXXXX") || exit 74
  port=$((20000 + $$ % 13000 * 3))
  trap remove_slurm EXIT
  trap 'exit 130' INT TERM HUP
  write_files || exit 74
  export SLURM_CONF="$folder/slurm.conf"
  { slurmctld -c -f "$SLURM_CONF" >"$folder/errors" 2>&1 </dev/null &&
    slurmd -N n1 -f "$SLURM_CONF" >>"$folder/errors" 2>&1 </dev/null &&
    slurmd -N n2 -f "$SLURM_CONF" >>"$folder/errors" 2>&1 </dev/null; } ||
    cannot "Slurm does not start here: $(cat "$folder/errors" "$folder"/*.log 2>/dev/null | grep -i error | tail -n 3)"
  for _ in $(seq 25); do
    [ "$(timeout 5 sinfo -h -N -t idle -o %N 2>/dev/null | wc -l)" -ne 2 ] || break
    sleep 0.2
  done
  [ "$(timeout 5 sinfo -h -N -t idle -o %N 2>/dev/null | wc -l)" -eq 2 ] ||
    cannot "the nodes of Slurm do not come up: $(tail -n 3 "$folder"/*.log)"
  trap - EXIT
  echo "$folder"
}

# As in hosts.sh: the kernel ends everything with the first process in the namespaces.
isolate() {
  [ $# -ge 1 ] || usage
  flags='-m -n -u -p -f --kill-child --mount-proc'
  need_root
  # shellcheck disable=SC2086
  errors=$(unshare $flags true 2>&1) || cannot "no right to make namespaces here: $errors"
  # Jobs in the background would have no input.
  exec 3<&0
  # shellcheck disable=SC2086
  setpriv --pdeathsig KILL unshare $flags sh "$0" start-and-run "$@" <&3 3<&- &
  # unshare itself heeds no other signal.
  trap 'kill -KILL $! 2>/dev/null; exit 130' INT TERM HUP
  wait $!
  exit $?
}

start_and_run() {
  # Slurm looks up no name, not even 127.0.0.1, where nothing but the loopback has an address.
  { mount -t tmpfs tmpfs /run && hostname localhost && ip link set lo up && ip link add node type bridge &&
    ip addr add 10.78.0.1/24 dev node && ip link set node up; } ||
    cannot "no right to mount or to make a network in namespaces here"
  TAULER_SLURM=$(SLURM_IN=/run sh "$0" start) || exit $?
  # Files of the command vanish with it.
  TMPDIR=/run/tmp
  mkdir -m 1777 $TMPDIR
  export TAULER_SLURM TMPDIR
  "$@"
  status=$?
  sh "$0" stop
  exit $status
}

[ $# -ge 1 ] || usage
need_tools
command=$1
shift
case $command in
isolate) isolate "$@" ;;
start-and-run) start_and_run "$@" ;;
start) start_slurm ;;
run)
  need_slurm
  [ $# -ge 1 ] || usage
  # shellcheck source=/dev/null
  . "$folder/environment"
  exec "$@"
  ;;
stop)
  need_slurm
  remove_slurm
  ;;
*) usage ;;
esac
